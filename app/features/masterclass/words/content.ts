import { definePage, group, line, lines, list, paragraphs, text } from '#lib/fields/page-field.ts';

const day = group('Day', {
  name: line('Name', 40),
  hours: list(
    'Programme of the day',
    ['entry', 'entries'],
    {
      after: { ...line('Minutes after the beginning', 3), format: 'minutes' },
      what: line('What happens', 160),
    },
    [1, 10],
  ),
});
const teacher = { title: line('Name', 40), text: text('Text', 300) };

export const masterclassPage = definePage(
  'masterclass',
  'Masterclass',
  {
    hero: group('Opening', {
      wide: line('Headline, first line', 20),
      narrow: line('Headline, second line', 30),
      lead: text('Lead', 300),
      overTitle: line('When it is over: title'),
      over: text('When it is over: text', 400),
    }),
    problem: group('The problem', {
      title: line('Title'),
      text: paragraphs(),
      piece: line('First bar'),
      picture: line('Second bar'),
      scale: line('Under the bars', 160),
      note: line('Note'),
    }),
    programme: group('The programme', {
      title: line('Title'),
      text: text('Text', 300),
      list: list('Parts', ['part', 'parts'], { name: line('Name', 20), text: text('Text', 300) }, [4, 4]),
    }),
    outcomes: group('What people leave with', {
      title: line('Title'),
      saving: line('After the saving', 120),
      before: line('First bar'),
      after: line('Second bar'),
      list: lines('Results', 'results', 1, 6),
    }),
    audience: group('Who it is for', {
      title: line('Title'),
      yesTitle: line('Title of the reasons for'),
      yes: lines('Reasons for', 'reasons', 1, 8),
      noTitle: line('Title of the reasons against'),
      no: lines('Reasons against', 'reasons', 1, 8),
    }),
    first: { ...day, label: 'First day' },
    second: { ...day, label: 'Second day' },
    instructor: group('Who teaches', {
      title: line('Title'),
      text: text('Text', 300),
      hand: group('First teacher', teacher),
      machine: group('Second teacher', teacher),
      both: text('Both', 200),
    }),
    resources: group('What people keep', { title: line('Title'), list: lines('Things', 'things', 1, 10) }),
    pricing: group('The price', {
      title: line('Title'),
      titleNext: line('Title when it is over'),
      standard: line('Standard fee'),
      member: line('Member rate'),
      perSeat: line('Under each price'),
      membersAre: line('Link to the collective'),
      terms: lines('Terms', 'terms', 1, 6),
      lastTime: text('When it is over', 300),
    }),
    closing: group('Closing', {
      title: line('Title'),
      titleNext: line('Title when it is over'),
      text: text('Text', 200),
      textNext: text('Text when it is over', 200),
    }),
  },
  {
    hero: {
      wide: 'Shine',
      narrow: 'without the shoot',
      lead: 'A two-day in-person AI masterclass for jewelry business owners.',
      overTitle: 'This one is over.',
      over: 'Those dates are past and there is nothing left to book. The next masterclass has no public date yet; write to us and you will hear it first.',
    },
    problem: {
      title: 'The problem',
      text: [
        'The ring took a goldsmith eleven weeks. Its picture gets eleven minutes, between two other trays, on a table that was booked for the day.',
        'Then the season turns, the backdrop dates, a market wants another hand, another skin, another light. And every time, you pay for the whole day again.',
      ],
      piece: 'At the bench: eleven weeks',
      picture: 'Before the camera: eleven minutes',
      scale: 'Drawn to scale the second line would be thinner than one pixel. We rounded up.',
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
      before: 'What the pictures take today',
      after: 'What they can take, at best',
      list: [
        'A set of finished pictures and one short film of your own three pieces.',
        'A way of working that your team repeats on Monday without us.',
        'A list of what not to hand to a machine: hallmarks, carats, certificates, promises.',
      ],
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
    first: {
      name: 'Light',
      hours: [
        { after: '0', what: 'Tea, three pieces each, and what annoys you about their pictures' },
        { after: '45', what: 'Photographing metal and stone so that machines read them right' },
        { after: '120', what: 'First placements: hand, neck, table' },
        { after: '210', what: 'The wall: everybody’s best and worst, side by side' },
        { after: '270', what: 'Close' },
      ],
    },
    second: {
      name: 'Movement',
      hours: [
        { after: '0', what: 'Repairing what the first day broke: prongs, reflections, fingers' },
        { after: '60', what: 'From a still to a film that loops' },
        { after: '135', what: 'Words in your shop’s voice' },
        { after: '210', what: 'Your own routine, written down for your team' },
        { after: '270', what: 'Close' },
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
  },
);
