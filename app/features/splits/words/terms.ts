export const cuts = {
  referrer: 5,
  closer: 10,
  manager: 15,
  idea: 5,
  team: 25,
  investors: 25,
  companyPool: 2,
  goalsPool: 2,
  crisisFund: 1,
} as const;

/** The cuts do not add up to 100; the rest is unallocated until the collective decides. */
export const unallocatedPercent = 100 - Object.values(cuts).reduce<number>((sum, percent) => sum + percent, 0);

export const cutNames = {
  referrer: 'Referrer',
  closer: 'Closer',
  manager: 'Manager',
  idea: 'Idea person',
  team: 'Work team',
  investors: 'Investors',
  companyPool: 'Company pool',
  goalsPool: 'Goals pool',
  crisisFund: 'Crisis fund',
  unallocated: 'Not allocated by the terms',
} as const;

export const calculator = {
  title: 'What would you earn?',
  text: 'Enter a profit and your role. These are the terms in rupees, not a promise about any project.',
  profit: 'Profit of the project',
  roles: {
    referrer: 'I referred the client',
    closer: 'I closed the deal',
    manager: 'I managed the project',
    team: 'I worked in the team',
    investor: 'I invested',
  },
  teamPart: 'My part of the team’s share',
  investorPart: 'My part of the investors’ share',
  idea: { me: 'me', other: 'someone else', nobody: 'no one' },
  investors: 'Investors take',
  submit: 'Calculate',
  yours: 'Your share',
  whole: 'Total',
  caption: 'The project’s profit, line by line',
  columns: { share: 'Share', percent: 'Percent', amount: 'Amount', mine: 'Yours' },
} as const;

export const splitProblems = {
  notANumber: 'Please type an amount such as 5,00,000 or 1250.50',
  negative: 'Please type 0 or more: the terms share a profit, not a loss',
  tooLarge: (digits: number) => `Please keep this to ${digits} digits`,
  part: 'Please type a percentage from 0 to 100',
  investors: (most: number) => `Please choose a whole number from 0 to ${most}`,
} as const;
