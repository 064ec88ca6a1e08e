import { definePage, group, line, searchText, slip } from '#lib/fields/page-field.ts';

export const portfolioPage = definePage('portfolio', 'Portfolio', {
  description: searchText().is(
    'What happens when human hands and machines work on the same sheet: the portfolio of the collective, newest first.',
  ),
  slip: slip.is('Portfolio of the collective · newest first'),
  add: line('Button beside the title', 24).is('Add Experiment'),
  none: line('While nothing is published', 120).is('No experiments found. Be the first to add one!'),
  submit: line('Button below it', 32).is('Submit an Experiment'),
  question: line('Question under the experiments', 80).is('Is there a mad idea on your desk?'),
  start: line('Button beside it', 24).is('Start Your Project'),
  more: group('Below each experiment', {
    title: line('Title', 40).is('Explore More'),
    own: line('Link to the form', 40).is('Start your own'),
    all: line('Link to all experiments', 60, '{portfolio} becomes the name of the portfolio in Settings.').is(
      'All {portfolio}',
    ),
    contact: line('Link to the contact details', 40).is('Contact us'),
  }),
  feed: line('Under the title of the feed', 160).is(
    'What happens when human hands and machines work on the same sheet, newest first.',
  ),
});
