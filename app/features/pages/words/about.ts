import type { PagePath } from '#lib/words/page-path.ts';

export const about = {
  headline: { rules: ['Break', 'Rules.'], brands: ['Build', 'Brands.'] },
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
  plates: {
    title: ['Human', 'AI', 'Collective'],
    list: [
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
  },
  tuesday: {
    title: 'An ordinary Tuesday',
    text: 'Who does what, when no one is looking. The time stamps are typical; the tea is not optional.',
    columns: { time: 'Time', job: 'Job', by: 'Done by' },
    jobs: [
      { time: '09:40', job: 'Hearing what the client did not say', by: 0 },
      { time: '10:15', job: 'Forty bad ideas before tea', by: 1 },
      { time: '11:00', job: 'Finding the one that is bad in the right way', by: 0 },
      { time: '12:30', job: 'That idea in nine languages and four hundred sizes', by: 1 },
      { time: '15:00', job: 'Noticing the sixth finger', by: 0 },
      { time: '15:05', job: 'Drawing the hand again, without complaint', by: 1 },
      { time: '16:20', job: 'Telling the client what AI can’t do', by: 0 },
      { time: '18:00', job: 'Sharing what it earns', by: 2 },
    ],
  },
  people: {
    title: 'Some of the collective',
  },
  results: {
    title: 'Results',
    text: 'No round numbers from a slide. These are counted in our own portfolio.',
    published: 'Mad Experiments published',
    completed: 'of them completed',
    pictures: 'pictures and films in their galleries',
    services: 'services under one roof',
    credited: ({ experiments, hand }: { experiments: number; hand: number }) =>
      `${hand}% hand, ${100 - hand}% machine: ${experiments === 1 ? 'one credited experiment' : `average of ${experiments} credited experiments`}`,
  },
  next: {
    links: [
      { href: '/case-studies' satisfies PagePath, say: 'Mad Experiments', text: 'what we made' },
      { href: '/#services' satisfies PagePath, say: 'Services', text: 'what we can make for you' },
      { href: '/#contact' satisfies PagePath, say: 'Contact', text: 'how to start a project' },
    ],
  },
} as const;
