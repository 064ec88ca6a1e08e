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
  roadmapTitle: (partOfDay: string) => `Two ${partOfDay}`,
  less: (rupees: string) => `₹${rupees} less than the standard fee`,
} as const;
