/** What holds about the masterclass until an admin sets the next one; `models/facts.ts` says what each field means. */
export const builtInMasterclass = {
  days: ['2025-05-10', '2025-05-11'],
  from: '14:30',
  to: '19:00',
  utcOffset: '+05:30',
  city: 'Mumbai',
  seats: 5,
  perQuarter: 2,
  standardFee: 12_500,
  memberFee: 9_985,
  saving: 90,
};

export const masterclassWords = {
  title: 'AI Jewelry Masterclass',
  description: (city: string, seats: number) =>
    `A two-day in-person AI masterclass for jewelry business owners in ${city}: ${seats} stools, two afternoons, your own pieces on the screen.`,
  headline: ['Shine', 'without the shoot'],
  lead: 'A two-day in-person AI masterclass for jewelry business owners.',
  ask: 'Ask for a seat',
  askNext: 'Ask about the next one',
  askMessage: 'Hello, I would like a seat in the AI masterclass for jewelry businesses.',
  askNextMessage: 'Hello, when is the next AI masterclass for jewelry businesses?',
  overTitle: 'This one has been.',
  over: 'Those dates are past and there is nothing left to book. The next masterclass has no public date yet; write to us and you will hear it first.',
  problem: {
    title: 'The problem',
    text: [
      'The ring took a goldsmith eleven weeks. Its picture gets eleven minutes, between two other trays, on a table that was booked for the day.',
      'Then the season turns, the backdrop dates, a market wants another hand, another skin, another light. And every time, you pay for the whole day again.',
    ],
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
    list: [
      'A set of finished pictures and one short film of your own three pieces.',
      'A way of working that your team repeats on Monday without us.',
      'A list of what not to hand to a machine: hallmarks, carats, certificates, promises.',
    ],
  },
  exclusivity: {
    title: 'Why so few',
    seats: 'Five people fit round one table and see one screen. A sixth would be watching.',
  },
  audience: {
    title: 'For whom',
    yes: [
      'You own or run a jewelry business: a shop, a label, a workshop, a family name.',
      'You decide what its pictures look like, or you sign the invoice for them.',
      'You can open a laptop. That is all the technology you need to bring.',
    ],
    no: 'Not for agencies, and not for anybody who wants to copy somebody else’s design faster.',
  },
  roadmap: {
    title: 'Two afternoons',
    days: [
      {
        name: 'Light',
        hours: [
          { at: '14:30', what: 'Tea, three pieces each, and what annoys you about their pictures' },
          { at: '15:15', what: 'Photographing metal and stone so that machines read them right' },
          { at: '16:30', what: 'First placements: hand, neck, table' },
          { at: '18:00', what: 'The wall: everybody’s best and worst, side by side' },
          { at: '19:00', what: 'Close' },
        ],
      },
      {
        name: 'Movement',
        hours: [
          { at: '14:30', what: 'Repairing yesterday: prongs, reflections, fingers' },
          { at: '15:30', what: 'From a still to a film that loops' },
          { at: '16:45', what: 'Words in your shop’s voice' },
          { at: '18:00', what: 'Your own routine, written down for your team' },
          { at: '19:00', what: 'Close' },
        ],
      },
    ],
  },
  instructor: {
    title: 'Who teaches',
    text: 'Two of our own people: one who has retouched gold by hand, one who trains the machines that now try to. They disagree in front of you, which is the useful part.',
  },
  resources: {
    title: 'What you get to keep',
    list: [
      'The prompts and settings of both days, as used on your pieces',
      'A one-page light plan for photographing jewelry with a phone',
      'A checklist for what must be true in a picture that sells gold',
      'Names of the tools we use, what each costs, and when to leave it',
    ],
  },
  pricing: {
    title: 'The price',
    standard: 'Standard fee',
    member: 'Member rate',
    perSeat: 'rupees per seat, both days',
    membersAre: 'For members of the collective',
    lastTime: 'These were the prices of the masterclass that has been. Ask for those of the next one.',
  },
  closing: {
    title: 'One stool is yours to ask for',
    titleNext: 'Be told before the stools are gone',
    text: 'One message, answered by a person.',
  },
} as const;
