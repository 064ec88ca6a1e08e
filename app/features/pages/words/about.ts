import {
  definePage,
  group,
  line,
  link,
  list,
  NAME,
  paragraphs,
  searchText,
  slip,
  text,
  title,
} from '#lib/fields/page-field.ts';
import type { PagePath } from '#lib/words/page-path.ts';

const CREDITED = '{hand} and {machine} become the shares in percent, {experiments} the number of experiments.';

export const aboutPage = definePage(
  'about',
  'About',
  {
    title,
    description: searchText(NAME),
    slip,
    hero: group('Opening', {
      rulesWide: line('First line, wide', 20),
      rulesNarrow: line('First line, narrow', 20),
      brandsNarrow: line('Second line, narrow', 20),
      brandsWide: line('Second line, wide', 20),
      lead: text('Lead', 300),
    }),
    philosophy: group('Philosophy', {
      title: line('Title'),
      text: paragraphs(),
      beliefs: list('Beliefs', ['belief', 'beliefs'], { say: line('Belief', 100), text: text('Text', 300) }, [1, 6]),
    }),
    plates: list('The plates', ['plate', 'plates'], { name: line('Name', 14), text: text('Text', 300) }, [3, 3]),
    tuesday: group('An ordinary day', {
      title: line('Title'),
      text: text('Text', 300),
      time: line('Column of times', 40),
      job: line('Column of jobs', 40),
      by: line('Column of who does it', 40),
      jobs: list(
        'Jobs',
        ['job', 'jobs'],
        {
          time: line('Time', 10),
          job: line('Job', 120),
          by: { kind: 'choice', label: 'Done by', options: { hand: 'Human', machine: 'AI', overprint: 'Collective' } },
        },
        [1, 16],
      ),
    }),
    people: group('People', { title: line('Title'), text: text('Text', 300) }),
    results: group('Results', {
      title: line('Title'),
      text: text('Text', 300),
      published: line('After the count of experiments'),
      completed: line('After the count of completed ones'),
      pictures: line('After the count of pictures'),
      services: line('After the count of services'),
      creditedOne: line('With one credited experiment', 120, CREDITED),
      credited: line('With credited experiments', 120, CREDITED),
    }),
    next: group('Where next', {
      title: line('Title'),
      links: list(
        'Links',
        ['link', 'links'],
        { href: link('Target'), say: line('Link', 60), text: line('Text beside it', 120) },
        [1, 6],
      ),
    }),
  },
  {
    title: 'About',
    slip: 'Human + AI + Collective',
    description:
      'Break Rules. Build Brands. How {agency} puts human creators, AI and a collective of freelancers on one sheet of paper.',
    hero: {
      rulesWide: 'Break',
      rulesNarrow: 'Rules.',
      brandsNarrow: 'Build',
      brandsWide: 'Brands.',
      lead: 'You have to know the rules before breaking them is any fun. We hire people who do, and give them machines.',
    },
    philosophy: {
      title: 'Philosophy',
      text: [
        'A brand is a promise with a face. The promise has to be kept by people; the face has to turn up everywhere, in every size, by Thursday. So we give the promise to human hands and the everywhere to machines.',
        'We print the two like a press prints two plates. Each one alone is half a picture. Slightly out of register they quarrel, and the quarrel is where the interesting colour comes from.',
      ],
      beliefs: [
        {
          say: 'Taste first, tools second.',
          text: 'A faster way to make the wrong thing is not progress. It is more of the wrong thing.',
        },
        {
          say: 'Say what the machine did.',
          text: 'A client who asks which part was made by hand gets a straight answer, not a lecture.',
        },
        {
          say: 'Add to it, earn from it.',
          text: 'The profit of a project belongs to those who made it. The shares are printed where everybody can check them.',
        },
      ],
    },
    plates: [
      {
        name: 'Human',
        text: 'Directors, writers, illustrators, strategists. They decide what is worth making, and when it is done.',
      },
      {
        name: 'AI',
        text: 'Models and small machines that draft, vary, move and measure, and never mind doing it again.',
      },
      {
        name: 'Collective',
        text: 'Where both meet: freelance creatives who join project by project and share its profits.',
      },
    ],
    tuesday: {
      title: 'An ordinary Tuesday',
      text: 'Who does what, when no one is looking. The time stamps are typical; the tea is not optional.',
      time: 'Time',
      job: 'Job',
      by: 'Done by',
      jobs: [
        { time: '09:40', job: 'Hearing what the client did not say', by: 'hand' },
        { time: '10:15', job: 'Forty bad ideas before tea', by: 'machine' },
        { time: '11:00', job: 'Finding the one that is bad in the right way', by: 'hand' },
        { time: '12:30', job: 'That idea in nine languages and four hundred sizes', by: 'machine' },
        { time: '15:00', job: 'Noticing the sixth finger', by: 'hand' },
        { time: '15:05', job: 'Drawing the hand again, without complaint', by: 'machine' },
        { time: '16:20', job: 'Telling the client what AI can’t do', by: 'hand' },
        { time: '18:00', job: 'Sharing what it earns', by: 'overprint' },
      ],
    },
    people: {
      title: 'Some of the collective',
      text: 'Freelancers who join project by project, sign their part of the work and share its profit.',
    },
    results: {
      title: 'Results',
      text: 'No round numbers from a slide. These are counted in our own portfolio.',
      published: 'Mad Experiments published',
      completed: 'of them completed',
      pictures: 'pictures and films in their galleries',
      services: 'services under one roof',
      creditedOne: '{hand}% hand, {machine}% machine: one credited experiment',
      credited: '{hand}% hand, {machine}% machine: average of {experiments} credited experiments',
    },
    next: {
      title: 'Where next?',
      links: [
        { href: '/case-studies' satisfies PagePath, say: 'Mad Experiments', text: 'what we made' },
        { href: '/#services' satisfies PagePath, say: 'Services', text: 'what we can make for you' },
        { href: '/#contact' satisfies PagePath, say: 'Contact', text: 'how to start a project' },
      ],
    },
  },
);
