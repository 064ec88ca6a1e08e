import { definePage, group, line, list, section, text } from '#lib/fields/page-field.ts';
import { pairs } from '#lib/fields/pairs.ts';

const CITY = '{city} becomes the city in Settings.';
const named = { name: line('Name', 60), text: text('Text', 300) };
const card = {
  title: line('Title'),
  slip: line('Slip', 40),
  text: text('Text', 300),
  picture: { kind: 'picture', label: 'Picture' },
} as const;

export const homePage = definePage('home', 'Home', {
  hero: group('Opening', {
    wide: line('Headline, first line', 24).is('Handmade'),
    narrow: line('Headline, second line', 32).is('with machines.'),
    lead: text('Lead', 400, CITY).is(
      'A creative agency in {city} that combines human creators, AI and a collective of freelance creatives who share the profits of every project.',
    ),
    slip: line('Slip', 60, CITY).is('{city} · people + machines'),
    explore: line('Link to the work', 24).is('Explore'),
  }),
  clients: line('Title above the clients', 60).is('Made for'),
  work: section('Work', 'Work, fresh off the press', {
    all: line('Link to all experiments', 60).is('See all Mad Experiments'),
    cards: list('Cards while fewer than three experiments are published', ['card', 'cards'], card, [3, 3]).is([
      {
        title: 'Monsoon Radio',
        slip: 'Film',
        text: 'A rain-soaked brand film drawn by three illustrators and moved by a model that had only ever seen their sketches.',
        picture: { path: '/work/monsoon-radio.svg', alt: '' },
      },
      {
        title: 'Chai Atlas',
        slip: 'Branding',
        text: 'One hundred street stalls, one hundred marks: an identity that is never printed the same way twice.',
        picture: { path: '/work/chai-atlas.svg', alt: '' },
      },
      {
        title: 'Ten Thousand Looms',
        slip: 'Images',
        text: 'A weaver’s archive, read by a machine and rewoven by hand, became a season of pictures for a house of textiles.',
        picture: { path: '/work/ten-thousand-looms.svg', alt: '' },
      },
    ]),
  }),
  services: section('Services', 'Services', {
    list: list('Services', ['service', 'services'], named, [1, 8]).is(
      pairs('name', 'text', {
        'AI Videos': 'Films, spots and loops. Directors storyboard, models animate, editors cut.',
        'AI Images':
          'Campaign pictures and product worlds that no camera could reach, finished by people who can draw.',
        'AI Solutions':
          'Tools built around how your team already works: assistants, pipelines and small machines that earn their place.',
        'AI Strategy & Consulting':
          'What to automate, what never to automate, and what it will cost. A plan in plain words.',
      }),
    ),
    call: line('Button', 24).is('Book an AI Strategy Call'),
  }),
  recipe: section('The recipe', 'The recipe', {
    scoops: list('Scoops', ['scoop', 'scoops'], named, [1, 4]).is(
      pairs('name', 'text', {
        Human: 'One scoop of people with taste, nerve and a deadline.',
        AI: 'One scoop of machines that never tire of another try.',
        Collective: 'Where both meet: freelance creatives who join project by project, and share its profit.',
      }),
    ),
  }),
});
