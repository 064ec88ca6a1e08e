/** The about page's words. */
export const about = {
  title: 'About',
  description:
    'Break Rules. Build Brands. How Madhouse puts human creators, AI and a collective of freelancers on one sheet of paper.',
  headline: { rules: ['Break', 'Rules.'], brands: ['Build', 'Brands.'] },
  lead: 'Somebody has to know the rules by heart before they are any fun to break. We hire those people, and plug them in.',
  philosophy: {
    title: 'Philosophy',
    text: [
      'A brand is a promise with a face. The promise has to be kept by people; the face has to turn up everywhere, in every size, by Thursday. So we give the promise to human hands and the everywhere to machines.',
      'We print the two like a press prints two plates. Each one alone is half a picture. Slightly out of register they quarrel, and the quarrel is where the interesting colour comes from.',
    ],
    beliefs: [
      { say: 'Taste first, tools second.', text: 'A faster way to make the wrong thing is not progress.' },
      {
        say: 'Say what the machine did.',
        text: 'A client who asks which part was made by hand gets an answer, not an evening.',
      },
      { say: 'Whoever adds, earns.', text: 'The profit of a project belongs to those who made it.' },
    ],
  },
  plates: {
    title: 'Human + AI + Collective',
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
  results: {
    title: 'Results',
    text: 'No round numbers from a slide. These are counted in our own portfolio.',
    published: 'Mad Experiments published',
    completed: 'of them completed',
    pictures: 'pictures and films in their galleries',
    services: 'services under one roof',
  },
  next: {
    title: 'Where to now',
    links: [
      { href: '/case-studies', say: 'Mad Experiments', text: 'what we made' },
      { href: '/#services', say: 'Services', text: 'what we can make for you' },
      { href: '/#contact', say: 'Contact', text: 'how to make us start' },
    ],
  },
} as const;
