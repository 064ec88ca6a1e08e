import { definePage, group, line, lines, list, metaWords, prose, section, text } from '#lib/fields/page-field.ts';
import { pairs } from '#lib/fields/pairs.ts';

const key = { metal: line('Metal', 20), count: { ...line('How many', 1), format: 'count' } } as const;

export const joinPage = definePage('join', 'Join the collective', {
  ...metaWords(
    'Join The Collective',
    'Every project’s profit, shared',
    'A collective of freelance creatives who share the profit of every project. What we expect, how the money is split, when it is paid, and how to get in.',
  ),
  hero: group('Opening', {
    wide: line('Headline, wide', 12).is('Join'),
    narrow: line('Headline, narrow', 24).is('the collective'),
    lead: text('Lead', 300).is(
      'Freelance creatives who turn up project by project, work with people and machines alike, and share what the work earns.',
    ),
    apply: line('First button', 20).is('Apply here'),
    note: line('Note').is('Read all of it. Then surprise us.'),
    applyNow: line('Last button', 20).is('APPLY NOW'),
  }),
  vibe: section('Vibe check list', 'Vibe check list', {
    legend: line('Instruction').is('Tick what is true of you'),
    list: lines('Lines to tick', 'lines', 4, 10).is([
      'You finish things, and then you want to do them again, better.',
      'You can be wrong out loud and laugh about it by lunch.',
      'You would rather show a bad sketch than describe a good one.',
      'You treat a machine as a collaborator, not as a vending machine.',
      'You say thank you, and you say whose idea it was.',
      'You have a project no one asked you for.',
    ]),
    three: line('At three ticks', 120).is('Three ticks: keep reading.'),
    all: line('At all ticks', 120).is('Six: apply now and read the rest on the way.'),
    unsent: line('Under the list', 120).is('Your ticks stay on this page. We don’t see them.'),
  }),
  expectations: section('What we expect', 'What we expect', {
    hoursTitle: line('Hours').is('10 hrs per week'),
    hours: text('About the hours', 200).is('Do-You hours, for the work that is most yours.'),
    projectsTitle: line('Projects').is('At least one project a year'),
    projects: text('About the projects', 200).is('to stay involved. More is welcome. None means we part ways.'),
    text: text('Text', 400).is(
      'The rest is manners: answer messages, keep files where others find them, say “I am stuck” on day one and not on day nine.',
    ),
  }),
  money: section('Money', 'Money', {
    text: prose().is([
      'We talk about it first, so that no one has to talk about it last. Every project’s profit is shared among the people who made it happen: those who found it, ran it, dreamt it up, worked on it or paid for it.',
      'The split is the same on every project, and it is printed on this page before you say yes to anything.',
    ]),
    link: line('Link to the split', 40).is('See the split'),
  }),
  perspective: section('Life’s perspective', 'Life’s perspective', {
    text: prose().is([
      'Work is one room of the house. We plan around school runs, monsoons, exams and bad Tuesdays, because people with a life bring one to the work.',
      'A deadline is a promise between people. Say early that it wobbles, and someone will hold the other end.',
    ]),
  }),
  why: section('Why we built it', 'Why we built it', {
    text: prose().is([
      'Agencies keep the margin and hand out thanks. Freelancers keep their freedom and lie awake. We wanted a third arrangement: one where people who add to a thing own a piece of what it earns.',
      'Machines made it urgent. When a tool does in a minute what used to be billed by the day, you can fight over the minutes or share the result. We share the result.',
    ]),
  }),
  looking: section('Who we look for', 'Who we look for', {
    text: text('Text', 200).is('No degree, no age, no postcode. One of these is plenty:'),
    list: list('Kinds', ['kind', 'kinds'], { who: line('Who', 40), what: text('What they do', 200) }).is([
      { who: 'Makers', what: 'who draw, write, film, cut, code, compose, or train a model on their own hand.' },
      { who: 'Finders', what: 'who hear a problem at a wedding and come home with a brief.' },
      { who: 'Closers', what: 'who get from a nice chat to a signed page without anybody feeling sold to.' },
      { who: 'Managers', what: 'who know where the project is, where it should be, and who needs a biscuit.' },
      { who: 'Idea people', what: 'whose first sentence makes the room go quiet.' },
    ]),
  }),
  pay: section('How members are paid', 'How members are paid', {
    text: text('Text', 300).is('One project’s profit, cut the same way every time.'),
  }),
  timing: section('When members are paid', 'When members are paid', {
    text: text('Text', 300).is(
      'Money moves when the client’s money does. How often depends on how long the project runs.',
    ),
    list: list('Times', ['time', 'times'], { project: line('Projects', 60), paid: line('Paid', 120) }).is(
      pairs('project', 'paid', {
        'Short projects (under 3 months)': '50% after the first client payment and 50% after the final one',
        'Monthly projects': 'From month 2',
        'Longer projects': 'At start, at milestones and at the end',
      }),
    ),
  }),
  code: section('The playground code', 'The playground code', {
    list: lines('Rules', 'rules').is([
      'If you build on a castle, you name who built the castle.',
      'No hitting with seniority. The best argument gets the bucket.',
      'Machine-made is said to be machine-made. Always, to everybody.',
      'No one’s work, face or voice goes into a model without their yes.',
      'Feedback is about the work, is specific, and arrives in time to help.',
      'If it stops being fun for someone, the game pauses and we talk.',
    ]),
  }),
  pledge: section('A pledge', 'A pledge', {
    lines: lines('Lines').is([
      'I will bring my own hand, even when a machine is faster.',
      'I will learn the machine, even when my hand is proud.',
      'I will share the credit as fairly as we share the profit.',
      'And I will leave the work better than I found it.',
    ]),
  }),
  how: section('How to join', 'How to join', {
    ways: list('Ways', ['way', 'ways'], { way: line('Way', 60), text: text('Text', 300) }, [1, 4]).is(
      pairs('way', 'text', {
        'By application':
          'Fill in the form. It asks what you make, what you want to make, and what you would never make.',
        'By earning keys':
          'Work beside us. Members award Silver, Gold and Diamond keys to people they want in the house.',
      }),
    ),
    keys: list('Keys of equal worth', ['key', 'keys'], key, [2, 4]).is([
      { metal: 'Silver', count: '4' },
      { metal: 'Gold', count: '2' },
      { metal: 'Diamond', count: '1' },
    ]),
    keysPerMember: line('Under the keys').is('Only one key per member.'),
  }),
});
