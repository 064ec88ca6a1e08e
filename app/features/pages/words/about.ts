import { definePage, group, line, link, list, metaWords, prose, section, text } from '#lib/fields/page-field.ts';
import { pairs } from '#lib/fields/pairs.ts';
import type { PagePath } from '#lib/words/page-path.ts';

const CREDITED = '{hand} and {machine} become the shares in percent, {experiments} the number of experiments.';
const counted = (label: string) => line(label, 80, '{count|picture|pictures} becomes the word for one or several.');
const job = {
  time: line('Time', 10),
  job: line('Job', 120),
  by: { kind: 'choice', label: 'Done by', options: { hand: 'Human', machine: 'AI', overprint: 'Collective' } },
} as const;
const target = { href: link('Target'), say: line('Link', 60), text: line('Text beside it', 120) };

export const aboutPage = definePage('about', 'About', {
  ...metaWords(
    'About',
    'Human + AI + Collective',
    'Break Rules. Build Brands. How {agency} puts human creators, AI and a collective of freelancers on one sheet of paper.',
    '{agency} becomes the site name in Settings.',
  ),
  hero: group('Opening', {
    rulesWide: line('First line, wide', 20).is('Break'),
    rulesNarrow: line('First line, narrow', 20).is('Rules.'),
    brandsNarrow: line('Second line, narrow', 20).is('Build'),
    brandsWide: line('Second line, wide', 20).is('Brands.'),
    lead: text('Lead', 300).is(
      'You have to know the rules before breaking them is any fun. We hire people who do, and give them machines.',
    ),
  }),
  philosophy: section('Philosophy', 'Philosophy', {
    text: prose().is([
      'A brand is a promise with a face. The promise has to be kept by people; the face has to turn up everywhere, in every size, by Thursday. So we give the promise to human hands and the everywhere to machines.',
      'We print the two like a press prints two plates. Each one alone is half a picture. Slightly out of register they quarrel, and the quarrel is where the interesting colour comes from.',
    ]),
    beliefs: list('Beliefs', ['belief', 'beliefs'], { say: line('Belief', 100), text: text('Text', 300) }, [1, 6]).is(
      pairs('say', 'text', {
        'Taste first, tools second.':
          'A faster way to make the wrong thing is not progress. It is more of the wrong thing.',
        'Say what the machine did.':
          'A client who asks which part was made by hand gets a straight answer, not a lecture.',
        'Add to it, earn from it.':
          'The profit of a project belongs to those who made it. The shares are printed where everybody can check them.',
      }),
    ),
  }),
  plates: list('The plates', ['plate', 'plates'], { name: line('Name', 14), text: text('Text', 300) }, [3, 3]).is(
    pairs('name', 'text', {
      Human: 'Directors, writers, illustrators, strategists. They decide what is worth making, and when it is done.',
      AI: 'Models and small machines that draft, vary, move and measure, and never mind doing it again.',
      Collective: 'Where both meet: freelance creatives who join project by project and share its profits.',
    }),
  ),
  tuesday: section('An ordinary day', 'An ordinary Tuesday', {
    text: text('Text', 300).is(
      'Who does what, when no one is looking. The time stamps are typical; the tea is not optional.',
    ),
    time: line('Column of times', 40).is('Time'),
    job: line('Column of jobs', 40).is('Job'),
    by: line('Column of who does it', 40).is('Done by'),
    jobs: list('Jobs', ['job', 'jobs'], job, [1, 16]).is([
      { time: '09:40', job: 'Hearing what the client did not say', by: 'hand' },
      { time: '10:15', job: 'Forty bad ideas before tea', by: 'machine' },
      { time: '11:00', job: 'Finding the one that is bad in the right way', by: 'hand' },
      { time: '12:30', job: 'That idea in nine languages and four hundred sizes', by: 'machine' },
      { time: '15:00', job: 'Noticing the sixth finger', by: 'hand' },
      { time: '15:05', job: 'Drawing the hand again, without complaint', by: 'machine' },
      { time: '16:20', job: 'Telling the client what AI can’t do', by: 'hand' },
      { time: '18:00', job: 'Sharing what it earns', by: 'overprint' },
    ]),
  }),
  people: section('People', 'Some of the collective', {
    text: text('Text', 300).is(
      'Freelancers who join project by project, sign their part of the work and share its profit.',
    ),
  }),
  results: section('Results', 'Results', {
    text: text('Text', 300).is('No round numbers from a slide. These are counted in our own portfolio.'),
    published: counted('After the count of experiments').is('{count|Mad Experiment|Mad Experiments} published'),
    completed: line('After the count of completed ones').is('of them completed'),
    pictures: counted('After the count of pictures').is('{count|picture or film|pictures and films} in the galleries'),
    services: counted('After the count of services').is('{count|service|services} under one roof'),
    creditedOne: line('With one credited experiment', 120, CREDITED).is(
      '{hand}% hand, {machine}% machine: one credited experiment',
    ),
    credited: line('With credited experiments', 120, CREDITED).is(
      '{hand}% hand, {machine}% machine: average of {experiments} credited experiments',
    ),
  }),
  next: section('Where next', 'Where next?', {
    links: list('Links', ['link', 'links'], target, [1, 6]).is([
      { href: '/case-studies' satisfies PagePath, say: 'Mad Experiments', text: 'what we made' },
      { href: '/#services' satisfies PagePath, say: 'Services', text: 'what we can make for you' },
      { href: '/#contact' satisfies PagePath, say: 'Contact', text: 'how to start a project' },
    ]),
  }),
});
