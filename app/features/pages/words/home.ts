export const home = {
  tagline: ['Handmade', 'with machines.'],
  lead: (city: string) =>
    `A creative agency in ${city} that combines human creators, AI and a collective of freelance creatives who share the profits of every project.`,
  slip: (city: string) => `${city} · people + machines`,
  work: {
    projects: [
      {
        title: 'Monsoon Radio',
        slip: 'Film',
        text: 'A rain-soaked brand film drawn by three illustrators and moved by a model that had only ever seen their sketches.',
        picture: '/work/monsoon-radio.svg',
      },
      {
        title: 'Chai Atlas',
        slip: 'Branding',
        text: 'One hundred street stalls, one hundred marks: an identity that is never printed the same way twice.',
        picture: '/work/chai-atlas.svg',
      },
      {
        title: 'Ten Thousand Looms',
        slip: 'Images',
        text: 'A weaver’s archive, read by a machine and rewoven by hand, became a season of pictures for a house of textiles.',
        picture: '/work/ten-thousand-looms.svg',
      },
    ],
  },
  services: {
    list: [
      {
        name: 'AI Videos',
        text: 'Films, spots and loops. Directors storyboard, models animate, editors cut.',
      },
      {
        name: 'AI Images',
        text: 'Campaign pictures and product worlds that no camera could reach, finished by people who can draw.',
      },
      {
        name: 'AI Solutions',
        text: 'Tools built around how your team already works: assistants, pipelines and small machines that earn their place.',
      },
      {
        name: 'AI Strategy & Consulting',
        text: 'What to automate, what never to automate, and what it will cost. A plan in plain words.',
      },
    ],
  },
  recipe: {
    scoops: [
      { name: 'Human', text: 'One scoop of people with taste, nerve and a deadline.' },
      { name: 'AI', text: 'One scoop of machines that never tire of another try.' },
      {
        name: 'Collective',
        text: 'Where both meet: freelance creatives who join project by project, and share its profit.',
      },
    ],
  },
} as const;
