import { definePage, group, line, lines, list, prose, searchText, section, text } from '#lib/fields/page-field.ts';
import { pairs } from '#lib/fields/pairs.ts';

const entry = {
  after: { ...line('Minutes after the beginning', 3), format: 'minutes' },
  what: line('What happens', 160),
} as const;
const day = (label: string, name: string, hours: readonly { after: string; what: string }[]) =>
  group(label, {
    name: line('Name', 40).is(name),
    hours: list('Programme of the day', ['entry', 'entries'], entry, [1, 10]).is(hours),
  });
const SEATS =
  '{seats} is the number of seats in Settings, and {seats|seat|seats} the word for one or several; {place} is the city.';
const teacher = (label: string, name: string, about: string) =>
  group(label, { title: line('Name', 40).is(name), text: text('Text', 300).is(about) });

export const masterclassPage = definePage('masterclass', 'Masterclass', {
  name: line('Name', 60, 'Also on the home page, in calendars and on link previews.').is('AI Jewelry Masterclass'),
  description: searchText(SEATS).is(
    'A two-day in-person AI masterclass for jewelry business owners in {place}: {seats} {seats|stool|stools}, two days, your own pieces on the screen.',
  ),
  hero: group('Opening', {
    wide: line('Headline, first line', 20).is('Shine'),
    narrow: line('Headline, second line', 30).is('without the shoot'),
    lead: text('Lead', 300).is('A two-day in-person AI masterclass for jewelry business owners.'),
    overTitle: line('When it is over: title').is('This one is over.'),
    overDates: line('When it is over: dates', 120, '{dates} becomes the dates in Settings.').is(
      'The masterclass of {dates} is over.',
    ),
    over: text('When it is over: text', 400).is(
      'Those dates are past and there is nothing left to book. The next masterclass has no public date yet; write to us and you will hear it first.',
    ),
  }),
  buttons: group('Buttons', {
    ask: line('For a seat', 40).is('Ask for a seat'),
    askNext: line('When it is over or sold out', 40).is('Ask about the next one'),
    message: text('Message to begin with', 200).is(
      'Hello, I would like a seat in the AI masterclass for jewelry businesses.',
    ),
    messageNext: text('Message when it is over or sold out', 200).is(
      'Hello, when is the next AI masterclass for jewelry businesses?',
    ),
    calendar: line('Link to the calendar file', 40).is('Add to calendar'),
    more: line('On the home page', 40).is('See the programme'),
  }),
  facts: group('Facts', {
    when: line('Dates', 24).is('When'),
    next: line('Next dates', 24).is('Next one'),
    noDate: line('No next date', 40).is('No date yet'),
    last: line('Dates when it is over', 24).is('Last one'),
    price: line('Price', 24).is('Price'),
    perSeat: line('Amount', 80, '{price} becomes the standard fee.').is('₹{price} per seat, plus 18% GST'),
    refund: line('Under the amount', 120).is('GST invoice. Full refund up to seven days before.'),
    where: line('Place', 24).is('Where'),
    teachers: line('Teachers', 24).is('Teachers'),
    hours: line('Hours', 24).is('Hours'),
    daily: line('Times', 60, '{hours} becomes the hours of a day.').is('{hours} daily'),
    seats: line('Seats', 24).is('Seats'),
    count: line('Number of seats', 80, SEATS).is('{seats} {seats|seat|seats}'),
    left: line('Seats that are left', 80, '{left} becomes their number.').is(
      '{left} of {seats} {seats|seat|seats} left',
    ),
    soldOut: line('No seat left', 40).is('Sold out'),
    often: line('How often', 24).is('How often'),
    perQuarter: line('Number per quarter', 120, '{perQuarter} becomes the number.').is(
      '{perQuarter} {perQuarter|masterclass|masterclasses} per quarter',
    ),
  }),
  problem: section('The problem', 'The problem', {
    text: prose().is([
      'The ring took a goldsmith eleven weeks. Its picture gets eleven minutes, between two other trays, on a table that was booked for the day.',
      'Then the season turns, the backdrop dates, a market wants another hand, another skin, another light. And every time, you pay for the whole day again.',
    ]),
    piece: line('First bar').is('At the bench: eleven weeks'),
    picture: line('Second bar').is('Before the camera: eleven minutes'),
    scale: line('Under the bars', 160).is(
      'Drawn to scale the second line would be thinner than one pixel. We rounded up.',
    ),
    note: line('Note').is('Gold keeps. Backdrops do not.'),
  }),
  programme: section('The programme', 'The programme', {
    text: text('Text', 300).is('No slides about the future. You bring three pieces; we work on those.'),
    list: list('Parts', ['part', 'parts'], { name: line('Name', 20), text: text('Text', 300) }, [4, 4]).is(
      pairs('name', 'text', {
        See: 'Photograph a piece with the phone you own so that a machine understands metal, stone and scale.',
        Place: 'Put it on a hand, a neck, a table, a festival, without bending one prong of it.',
        Move: 'Turn a still into a few seconds of film that loops like light on a facet.',
        Say: 'Write the product page, the message and the caption in your shop’s voice, not the machine’s.',
      }),
    ),
  }),
  outcomes: section('What people leave with', 'What you leave with', {
    upTo: line('Saving', 24, '{saving} becomes the number in Settings.').is('Up to {saving}%'),
    saving: line('After the saving', 120).is('time and cost saving on pictures and films of your pieces'),
    before: line('First bar').is('What the pictures take today'),
    after: line('Second bar').is('What they can take, at best'),
    list: lines('Results', 'results', 1, 6).is([
      'A set of finished pictures and one short film of your own three pieces.',
      'A way of working that your team repeats on Monday without us.',
      'A list of what not to hand to a machine: hallmarks, carats, certificates, promises.',
    ]),
  }),
  exclusivity: section('Seats', 'Why so few', {
    titleMany: line('Title with more than 12 seats').is('One stool each'),
    one: text('With one seat', 200).is('One person, one table, one screen. A second would be watching.'),
    few: text('With up to 12 seats', 200, '{people} becomes Five, {another} becomes A sixth.').is(
      '{people} people fit round one table and see one screen. {another} would be watching.',
    ),
    many: text('With more seats', 200).is('Everybody has a stool, a screen in sight and a turn at the table.'),
    often: text('How often', 200, '{perQuarter} becomes the number per quarter.').is(
      'There {perQuarter|is|are} {perQuarter} {perQuarter|masterclass|masterclasses} per quarter.',
    ),
  }),
  audience: section('Who it is for', 'Who it’s for', {
    yesTitle: line('Title of the reasons for').is('It is for you if'),
    yes: lines('Reasons for', 'reasons', 1, 8).is([
      'you own or run a jewelry business: a shop, a label, a workshop, a family name.',
      'you decide what its pictures look like, or you sign the invoice for them.',
      'you can open a laptop. That is all the technology you need to bring.',
    ]),
    noTitle: line('Title of the reasons against').is('It is not for you if'),
    no: lines('Reasons against', 'reasons', 1, 8).is([
      'you run an agency. We like you, just not at this table.',
      'you want to copy someone else’s design, only faster.',
      'you hope a machine will make a dull piece interesting.',
    ]),
  }),
  roadmap: group('The days', {
    title: line('Title', 80, '{partOfDay} becomes mornings, afternoons, evenings or days.').is('Two {partOfDay}'),
    day: line('Before the number of a day', 20).is('Day'),
  }),
  first: day('First day', 'Light', [
    { after: '0', what: 'Tea, three pieces each, and what annoys you about their pictures' },
    { after: '45', what: 'Photographing metal and stone so that machines read them right' },
    { after: '120', what: 'First placements: hand, neck, table' },
    { after: '210', what: 'The wall: everybody’s best and worst, side by side' },
    { after: '270', what: 'Close' },
  ]),
  second: day('Second day', 'Movement', [
    { after: '0', what: 'Repairing what the first day broke: prongs, reflections, fingers' },
    { after: '60', what: 'From a still to a film that loops' },
    { after: '135', what: 'Words in your shop’s voice' },
    { after: '210', what: 'Your own routine, written down for your team' },
    { after: '270', what: 'Close' },
  ]),
  instructor: section('Who teaches', 'Who teaches', {
    text: text('Text', 300).is('Two of our own people, at the same table, both days.'),
    hand: teacher(
      'First teacher',
      'The hand',
      'has retouched gold for years and can tell 18 carat from 22 by its shadow. Trusts nothing that comes out too clean.',
    ),
    machine: teacher(
      'Second teacher',
      'The machine',
      'trains the models that now try to do the same. Knows what they get wrong: prongs, hallmarks and fingers.',
    ),
    both: text('Both', 200).is('They disagree in front of you, which is the useful part.'),
  }),
  resources: section('What people keep', 'What you get to keep', {
    list: lines('Things', 'things', 1, 10).is([
      'The prompts and settings of both days, as used on your pieces',
      'A one-page light plan for photographing jewelry with a phone',
      'A checklist for what must be true in a picture that sells gold',
      'Names of the tools we use, what each costs, and when not to use it',
    ]),
  }),
  pricing: section('The price', 'The price', {
    titleNext: line('Title when it is over').is('What the last one cost'),
    standard: line('Standard fee').is('Standard fee'),
    member: line('Member rate').is('Member rate'),
    perSeat: line('Under each price').is('per seat, both days, plus 18% GST'),
    less: line('Under the member rate', 80, '{less} becomes the difference.').is('₹{less} less than the standard fee'),
    membersAre: line('Link to the collective').is('For members of the collective'),
    terms: lines('Terms', 'terms', 1, 6).is([
      'Every seat comes with a GST invoice in the name of your business.',
      'Cancel up to seven days before the first day and we refund the whole fee. After that, send a colleague in your place.',
    ]),
    lastTime: text('When it is over', 300).is(
      'These were the prices of the masterclass that has been. Ask for those of the next one.',
    ),
  }),
  closing: section('Closing', 'Ask for your seat', {
    titleNext: line('Title when it is over or sold out').is('Hear first about the next one'),
    text: text('Text', 200).is('One message, answered by a person.'),
    textNext: text('Text when it is over or sold out', 200).is(
      'One message, answered by a person. You will hear the dates before this page does.',
    ),
  }),
});
