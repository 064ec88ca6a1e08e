import { cutNames, cuts, unallocatedPercent } from '#features/splits/words/terms.ts';

/** Percentages of one project's profit. */
export const terms = {
  doYouHours: '10 hrs per week',
  projects: 'At least one project a year',
  keys: '4 Silver = 2 Gold = 1 Diamond',
  keysPerMember: 'Only one key per member.',
} as const;

export const shares = [
  {
    name: 'Finder’s fee',
    short: 'Finders',
    percent: cuts.referrer + cuts.closer,
    plate: 'hand',
    to: `${cuts.referrer}% to the referrer, ${cuts.closer}% to the closer`,
  },
  { name: 'Manager', short: 'Manager', percent: cuts.manager, plate: 'machine', to: 'The person who runs the project' },
  {
    name: 'Idea person',
    short: 'Idea',
    percent: cuts.idea,
    plate: 'overprint',
    to: 'Without an idea person, it goes to the manager',
  },
  {
    name: 'Work team',
    short: 'Work team',
    percent: cuts.team,
    plate: 'hand',
    to: 'Shared by input and anonymous peer rating',
  },
  {
    name: 'Investors',
    short: 'Investors, or the work team',
    percent: cuts.investors,
    least: 0,
    plate: 'striped',
    to: 'What investors do not take goes to the work team',
  },
  {
    name: 'Common pool',
    short: 'Pool',
    percent: cuts.companyPool + cuts.goalsPool + cuts.crisisFund,
    plate: 'overprint',
    to: `${cuts.companyPool}% company pool, ${cuts.goalsPool}% goals pool, ${cuts.crisisFund}% crisis fund`,
  },
] as const;

/** The six shares do not add up to 100; the rest is unallocated until the collective decides. */
export const unallocated = {
  name: cutNames.unallocated,
  short: 'Not allocated',
  percent: unallocatedPercent,
  to: 'Held back until the collective decides',
} as const;

export const paymentTimes = [
  {
    project: 'Short projects (under 3 months)',
    paid: '50% after the first client payment and 50% after the final one',
  },
  { project: 'Monthly projects', paid: 'From month 2' },
  { project: 'Longer projects', paid: 'At start, at milestones and at the end' },
] as const;

export const collective = {
  headline: ['Join', 'the collective'],
  linkTo: (title: string) => `Link to “${title}”`,
  vibe: {
    title: 'Vibe check list',
    legend: 'Tick what is true of you',
    verdicts: {
      three: 'Three ticks: keep reading.',
      all: 'Six: apply now and read the rest on the way.',
    },
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
      { metal: 'Silver', count: 4 },
      { metal: 'Gold', count: 2 },
      { metal: 'Diamond', count: 1 },
    ],
  },
} as const;
