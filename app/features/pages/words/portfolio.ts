import { definePage, group, line, searchText, slip } from '#lib/fields/page-field.ts';

export const portfolioPage = definePage(
  'portfolio',
  'Portfolio',
  {
    description: searchText(),
    slip,
    add: line('Button beside the title', 24),
    none: line('While nothing is published', 120),
    submit: line('Button below it', 32),
    question: line('Question under the experiments', 80),
    start: line('Button beside it', 24),
    more: group('Below each experiment', {
      title: line('Title', 40),
      own: line('Link to the form', 40),
      all: line('Link to all experiments', 60, '{portfolio} becomes the name of the portfolio in Settings.'),
      contact: line('Link to the contact details', 40),
    }),
    feed: line('Under the title of the feed', 160),
  },
  {
    description:
      'What happens when human hands and machines work on the same sheet: the portfolio of the collective, newest first.',
    slip: 'Portfolio of the collective · newest first',
    add: 'Add Experiment',
    none: 'No experiments found. Be the first to add one!',
    submit: 'Submit an Experiment',
    question: 'Is there a mad idea on your desk?',
    start: 'Start Your Project',
    more: { title: 'Explore More', own: 'Start your own', all: 'All {portfolio}', contact: 'Contact us' },
    feed: 'What happens when human hands and machines work on the same sheet, newest first.',
  },
);
