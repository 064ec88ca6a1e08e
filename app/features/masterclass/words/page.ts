const CARDINALS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth'.split(
  ' ',
);
const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);

const SEATS_PER_TABLE = 12;

export const masterclassWords = {
  title: 'AI Jewelry Masterclass',
  description: (city: string, seats: number) =>
    `A two-day in-person AI masterclass for jewelry business owners in ${city}: ${seats} ${seats === 1 ? 'stool' : 'stools'}, two days, your own pieces on the screen.`,
  headline: ['Shine', 'without the shoot'],
  lead: 'A two-day in-person AI masterclass for jewelry business owners.',
  ask: 'Ask for a seat',
  askNext: 'Ask about the next one',
  calendar: 'Add to calendar',
  more: 'See the programme',
  facts: {
    when: 'When',
    next: 'Next one',
    noDate: 'No date yet',
    last: 'Last one',
    hours: 'Hours',
    daily: (hours: string) => `${hours} daily`,
    where: 'Where',
    seats: 'Seats',
    seatCount: (seats: number) => `${seats} ${seats === 1 ? 'seat' : 'seats'}`,
    seatsLeft: (seats: number, taken: number) =>
      taken < seats ? `${seats - taken} of ${seats} ${seats === 1 ? 'seat' : 'seats'} left` : 'Sold out',
    often: 'How often',
    price: 'Price',
    perSeat: (rupees: string) => `₹${rupees} per seat, plus 18% GST`,
    terms: 'GST invoice. Full refund up to seven days before.',
    teachers: 'Teachers',
    perQuarter: (count: number) => `${count} ${count === 1 ? 'masterclass' : 'masterclasses'} per quarter`,
  },
  askMessage: 'Hello, I would like a seat in the AI masterclass for jewelry businesses.',
  askNextMessage: 'Hello, when is the next AI masterclass for jewelry businesses?',
  overTitle: 'This one is over.',
  over: 'Those dates are past and there is nothing left to book. The next masterclass has no public date yet; write to us and you will hear it first.',
  problem: {
    title: 'The problem',
    text: [
      'The ring took a goldsmith eleven weeks. Its picture gets eleven minutes, between two other trays, on a table that was booked for the day.',
      'Then the season turns, the backdrop dates, a market wants another hand, another skin, another light. And every time, you pay for the whole day again.',
    ],
    bars: {
      piece: 'At the bench: eleven weeks',
      picture: 'Before the camera: eleven minutes',
      scale: 'Drawn to scale the second line would be thinner than one pixel. We rounded up.',
    },
    note: 'Gold keeps. Backdrops do not.',
  },
  programme: {
    title: 'The programme',
    text: 'No slides about the future. You bring three pieces; we work on those.',
    list: [
      {
        name: 'See',
        text: 'Photograph a piece with the phone you own so that a machine understands metal, stone and scale.',
      },
      { name: 'Place', text: 'Put it on a hand, a neck, a table, a festival, without bending one prong of it.' },
      { name: 'Move', text: 'Turn a still into a few seconds of film that loops like light on a facet.' },
      {
        name: 'Say',
        text: 'Write the product page, the message and the caption in your shop’s voice, not the machine’s.',
      },
    ],
  },
  outcomes: {
    title: 'What you leave with',
    saving: 'time and cost saving on pictures and films of your pieces',
    bars: { before: 'What the pictures take today', after: 'What they can take, at best' },
    list: [
      'A set of finished pictures and one short film of your own three pieces.',
      'A way of working that your team repeats on Monday without us.',
      'A list of what not to hand to a machine: hallmarks, carats, certificates, promises.',
    ],
  },
  exclusivity: {
    title: (seats: number) => (seats > SEATS_PER_TABLE ? 'One stool each' : 'Why so few'),
    seats: (seats: number) => {
      if (seats === 1) return 'One person, one table, one screen. A second would be watching.';
      if (seats > SEATS_PER_TABLE) return 'Everybody has a stool, a screen in sight and a turn at the table.';
      const next = ORDINALS[seats]!;
      return `${capital(CARDINALS[seats]!)} people fit round one table and see one screen. ${/^e/.test(next) ? 'An' : 'A'} ${next} would be watching.`;
    },
    often: (masterclasses: string) => `There ${masterclasses.startsWith('1 ') ? 'is' : 'are'} ${masterclasses}.`,
  },
  audience: {
    title: 'Who it’s for',
    yesTitle: 'It is for you if',
    noTitle: 'It is not for you if',
    yes: [
      'you own or run a jewelry business: a shop, a label, a workshop, a family name.',
      'you decide what its pictures look like, or you sign the invoice for them.',
      'you can open a laptop. That is all the technology you need to bring.',
    ],
    no: [
      'you run an agency. We like you, just not at this table.',
      'you want to copy someone else’s design, only faster.',
      'you hope a machine will make a dull piece interesting.',
    ],
  },
  roadmap: {
    title: (partOfDay: string) => `Two ${partOfDay}`,
    /** `after` in minutes from the start of the day. */
    days: [
      {
        name: 'Light',
        hours: [
          { after: 0, what: 'Tea, three pieces each, and what annoys you about their pictures' },
          { after: 45, what: 'Photographing metal and stone so that machines read them right' },
          { after: 120, what: 'First placements: hand, neck, table' },
          { after: 210, what: 'The wall: everybody’s best and worst, side by side' },
          { after: 270, what: 'Close' },
        ],
      },
      {
        name: 'Movement',
        hours: [
          { after: 0, what: 'Repairing what the first day broke: prongs, reflections, fingers' },
          { after: 60, what: 'From a still to a film that loops' },
          { after: 135, what: 'Words in your shop’s voice' },
          { after: 210, what: 'Your own routine, written down for your team' },
          { after: 270, what: 'Close' },
        ],
      },
    ],
  },
  instructor: {
    title: 'Who teaches',
    text: 'Two of our own people, at the same table, both days.',
    hand: {
      title: 'The hand',
      text: 'has retouched gold for years and can tell 18 carat from 22 by its shadow. Trusts nothing that comes out too clean.',
    },
    machine: {
      title: 'The machine',
      text: 'trains the models that now try to do the same. Knows what they get wrong: prongs, hallmarks and fingers.',
    },
    both: 'They disagree in front of you, which is the useful part.',
  },
  resources: {
    title: 'What you get to keep',
    list: [
      'The prompts and settings of both days, as used on your pieces',
      'A one-page light plan for photographing jewelry with a phone',
      'A checklist for what must be true in a picture that sells gold',
      'Names of the tools we use, what each costs, and when not to use it',
    ],
  },
  pricing: {
    title: 'The price',
    titleNext: 'What the last one cost',
    standard: 'Standard fee',
    member: 'Member rate',
    perSeat: 'per seat, both days, plus 18% GST',
    membersAre: 'For members of the collective',
    less: (rupees: string) => `₹${rupees} less than the standard fee`,
    terms: [
      'Every seat comes with a GST invoice in the name of your business.',
      'Cancel up to seven days before the first day and we refund the whole fee. After that, send a colleague in your place.',
    ],
    lastTime: 'These were the prices of the masterclass that has been. Ask for those of the next one.',
  },
  closing: {
    title: 'Ask for your seat',
    titleNext: 'Hear first about the next one',
    text: 'One message, answered by a person.',
    textNext: 'One message, answered by a person. You will hear the dates before this page does.',
  },
} as const;
