import {
  definePage,
  group,
  line,
  lines,
  list,
  paragraphs,
  searchText,
  slip,
  text,
  title,
} from '#lib/fields/page-field.ts';

const written = { title: line('Title'), text: paragraphs() };

export const joinPage = definePage(
  'join',
  'Join the collective',
  {
    title,
    description: searchText(),
    slip,
    hero: group('Opening', {
      wide: line('Headline, wide', 12),
      narrow: line('Headline, narrow', 24),
      lead: text('Lead', 300),
      apply: line('First button', 20),
      note: line('Note'),
      applyNow: line('Last button', 20),
    }),
    vibe: group('Vibe check list', {
      title: line('Title'),
      legend: line('Instruction'),
      list: lines('Lines to tick', 'lines', 4, 10),
      three: line('At three ticks', 120),
      all: line('At all ticks', 120),
      unsent: line('Under the list', 120),
    }),
    expectations: group('What we expect', {
      title: line('Title'),
      hoursTitle: line('Hours'),
      hours: text('About the hours', 200),
      projectsTitle: line('Projects'),
      projects: text('About the projects', 200),
      text: text('Text', 400),
    }),
    money: group('Money', { title: line('Title'), text: paragraphs(), link: line('Link to the split', 40) }),
    perspective: group('Life’s perspective', written),
    why: group('Why we built it', written),
    looking: group('Who we look for', {
      title: line('Title'),
      text: text('Text', 200),
      list: list('Kinds', ['kind', 'kinds'], { who: line('Who', 40), what: text('What they do', 200) }),
    }),
    pay: group('How members are paid', { title: line('Title'), text: text('Text', 300) }),
    timing: group('When members are paid', {
      title: line('Title'),
      text: text('Text', 300),
      list: list('Times', ['time', 'times'], { project: line('Projects', 60), paid: line('Paid', 120) }),
    }),
    code: group('The playground code', { title: line('Title'), list: lines('Rules', 'rules') }),
    pledge: group('A pledge', { title: line('Title'), lines: lines('Lines') }),
    how: group('How to join', {
      title: line('Title'),
      ways: list('Ways', ['way', 'ways'], { way: line('Way', 60), text: text('Text', 300) }, [1, 4]),
      keys: list(
        'Keys of equal worth',
        ['key', 'keys'],
        { metal: line('Metal', 20), count: { ...line('How many', 1), format: 'count' } },
        [2, 4],
      ),
      keysPerMember: line('Under the keys'),
    }),
  },
  {
    title: 'Join The Collective',
    slip: 'Every project’s profit, shared',
    description:
      'A collective of freelance creatives who share the profit of every project. What we expect, how the money is split, when it is paid, and how to get in.',
    hero: {
      wide: 'Join',
      narrow: 'the collective',
      lead: 'Freelance creatives who turn up project by project, work with people and machines alike, and share what the work earns.',
      apply: 'Apply here',
      note: 'Read all of it. Then surprise us.',
      applyNow: 'APPLY NOW',
    },
    vibe: {
      title: 'Vibe check list',
      legend: 'Tick what is true of you',
      three: 'Three ticks: keep reading.',
      all: 'Six: apply now and read the rest on the way.',
      unsent: 'Your ticks stay on this page. We don’t see them.',
      list: [
        'You finish things, and then you want to do them again, better.',
        'You can be wrong out loud and laugh about it by lunch.',
        'You would rather show a bad sketch than describe a good one.',
        'You treat a machine as a collaborator, not as a vending machine.',
        'You say thank you, and you say whose idea it was.',
        'You have a project no one asked you for.',
      ],
    },
    expectations: {
      title: 'What we expect',
      hoursTitle: '10 hrs per week',
      projectsTitle: 'At least one project a year',
      hours: 'Do-You hours, for the work that is most yours.',
      projects: 'to stay involved. More is welcome. None means we part ways.',
      text: 'The rest is manners: answer messages, keep files where others find them, say “I am stuck” on day one and not on day nine.',
    },
    money: {
      title: 'Money',
      text: [
        'We talk about it first, so that no one has to talk about it last. Every project’s profit is shared among the people who made it happen: those who found it, ran it, dreamt it up, worked on it or paid for it.',
        'The split is the same on every project, and it is printed on this page before you say yes to anything.',
      ],
      link: 'See the split',
    },
    perspective: {
      title: 'Life’s perspective',
      text: [
        'Work is one room of the house. We plan around school runs, monsoons, exams and bad Tuesdays, because people with a life bring one to the work.',
        'A deadline is a promise between people. Say early that it wobbles, and someone will hold the other end.',
      ],
    },
    why: {
      title: 'Why we built it',
      text: [
        'Agencies keep the margin and hand out thanks. Freelancers keep their freedom and lie awake. We wanted a third arrangement: one where people who add to a thing own a piece of what it earns.',
        'Machines made it urgent. When a tool does in a minute what used to be billed by the day, you can fight over the minutes or share the result. We share the result.',
      ],
    },
    looking: {
      title: 'Who we look for',
      text: 'No degree, no age, no postcode. One of these is plenty:',
      list: [
        { who: 'Makers', what: 'who draw, write, film, cut, code, compose, or train a model on their own hand.' },
        { who: 'Finders', what: 'who hear a problem at a wedding and come home with a brief.' },
        { who: 'Closers', what: 'who get from a nice chat to a signed page without anybody feeling sold to.' },
        { who: 'Managers', what: 'who know where the project is, where it should be, and who needs a biscuit.' },
        { who: 'Idea people', what: 'whose first sentence makes the room go quiet.' },
      ],
    },
    pay: {
      title: 'How members are paid',
      text: 'One project’s profit, cut the same way every time.',
    },
    timing: {
      title: 'When members are paid',
      text: 'Money moves when the client’s money does. How often depends on how long the project runs.',
      list: [
        {
          project: 'Short projects (under 3 months)',
          paid: '50% after the first client payment and 50% after the final one',
        },
        { project: 'Monthly projects', paid: 'From month 2' },
        { project: 'Longer projects', paid: 'At start, at milestones and at the end' },
      ],
    },
    code: {
      title: 'The playground code',
      list: [
        'If you build on a castle, you name who built the castle.',
        'No hitting with seniority. The best argument gets the bucket.',
        'Machine-made is said to be machine-made. Always, to everybody.',
        'No one’s work, face or voice goes into a model without their yes.',
        'Feedback is about the work, is specific, and arrives in time to help.',
        'If it stops being fun for someone, the game pauses and we talk.',
      ],
    },
    pledge: {
      title: 'A pledge',
      lines: [
        'I will bring my own hand, even when a machine is faster.',
        'I will learn the machine, even when my hand is proud.',
        'I will share the credit as fairly as we share the profit.',
        'And I will leave the work better than I found it.',
      ],
    },
    how: {
      title: 'How to join',
      ways: [
        {
          way: 'By application',
          text: 'Fill in the form. It asks what you make, what you want to make, and what you would never make.',
        },
        {
          way: 'By earning keys',
          text: 'Work beside us. Members award Silver, Gold and Diamond keys to people they want in the house.',
        },
      ],
      keys: [
        { metal: 'Silver', count: '4' },
        { metal: 'Gold', count: '2' },
        { metal: 'Diamond', count: '1' },
      ],
      keysPerMember: 'Only one key per member.',
    },
  },
);
