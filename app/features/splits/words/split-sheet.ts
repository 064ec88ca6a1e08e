import { cuts, unallocatedPercent } from './terms.ts';

export const payments = {
  short: {
    label: 'Short project, under 3 months',
    rule: 'Half after the client’s first payment, half after the final one.',
  },
  monthly: { label: 'Monthly project', rule: 'Every month, from the second one on.' },
  long: { label: 'Longer project', rule: 'At the start, at milestones and at the end.' },
} as const;

export type Payment = keyof typeof payments;

export const instalmentNames = {
  first: 'After the client’s first payment',
  final: 'After the client’s final payment',
  month: (number: number) => `Month ${number}`,
  start: 'At the start',
  milestone: 'At the milestone',
  end: 'At the end',
} as const;

/** Terms printed on sheets and statements; frozen at issue. */
export const termsText = (investors: number, payment: Payment): string =>
  [
    `By the collective’s terms: finder’s fee ${cuts.referrer + cuts.closer}% (${cuts.referrer}% referrer, ${cuts.closer}% closer); manager ${cuts.manager}%; idea person ${cuts.idea}%, otherwise to the manager; work team ${cuts.team}% by recorded input; investors ${investors}%, and what is left of their ${cuts.investors}% to the work team; common pool ${cuts.companyPool + cuts.goalsPool + cuts.crisisFund}% (${cuts.companyPool}% company pool, ${cuts.goalsPool}% goals pool, ${cuts.crisisFund}% crisis fund). The terms do not allocate the remaining ${unallocatedPercent}%.`,
    payments[payment].rule,
  ].join(' ');

export const splitSheet = {
  title: 'Split sheet',
  back: 'Back to the project',
  intro: 'How this project’s fee is shared by the collective’s terms.',
  loading: 'Loading the split',
  failed: 'The split sheet could not be loaded.',
  noFee:
    'This project has no budget yet, so there is no fee to split. Add a budget, or type the amount into the sheet.',
  addFee: 'Add a budget',
  begin: 'Prepare a split sheet',
  beginHint: 'Nothing is sent and nothing is final until you issue it.',
  destinationUnset: (percent: number) =>
    `The terms leave ${percent}% of the fee unallocated. You can prepare this sheet, and issue it once the settings say who receives that part.`,
  destinationLink: 'Choose where it goes',
  amount: 'Amount to share',
  amountHint: (currency: string) =>
    `The terms share the profit: what the client pays, less what the project costs. In ${currency}.`,
  currency: 'Currency',
  currencyHint: 'One currency for the whole sheet. Amounts are not converted.',
  investors: 'Investors take, in percent',
  investorsHint: (most: number) => `0 to ${most}. What they leave goes to the work team.`,
  hint: {
    referrer: 'The person who brought the client.',
    closer: 'The person who closed the deal.',
    manager: 'The person who managed the project.',
    idea: 'Leave it empty if no one had the idea: the share then goes to the manager.',
    team: 'By recorded input: hours, or shares of 100. Only the proportions count.',
    investors: 'By each person’s input. Only the proportions count.',
  },
  name: 'Name',
  input: 'Input',
  member: 'On the team',
  add: (cut: string) => `Add to ${cut}`,
  remove: (name: string) => `Remove ${name || 'this line'}`,
  payment: 'How it is paid',
  instalments: 'Instalments',
  due: 'Due',
  words: 'When',
  part: 'Percent',
  addInstalment: 'Add an instalment',
  result: 'Result',
  resultWaits: 'The amounts show when this is filled in:',
  takeBudget: (amount: string) => `Use the budget, ${amount}`,
  instalment: (place: number) => `Instalment ${place}`,
  shares: 'Shares',
  columns: { share: 'Share', who: 'Who', amount: 'Amount' },
  total: 'Total',
  save: 'Save draft',
  saving: 'Saving...',
  saved: 'The draft is saved.',
  unsaved: 'Not saved yet',
  failedToSave: 'The draft could not be saved.',
  meanwhile:
    'Someone else changed this draft while you were here. Nothing of yours was saved. Reload the page to see theirs.',
  discard: 'Delete draft',
  discardTitle: 'Delete this draft?',
  discardQuestion: 'Its unsaved input will be lost. Issued sheets stay.',
  issue: 'Issue',
  issuing: 'Issuing...',
  issueTitle: 'Issue this split sheet?',
  issueQuestion: (people: number, amount: string) =>
    `It is numbered and frozen, and ${people === 1 ? 'one statement is' : `${people} statements are`} made for ${amount}. It can’t be changed afterwards; a new sheet that replaces it corrects mistakes.`,
  issueConfirm: 'Issue the sheet',
  failedToIssue: 'The sheet was not issued.',
  issued: (number: number) => `Sheet ${number} is issued.`,
  sheetName: (number: number) => `Split sheet ${number}`,
  statementName: (number: string) => `Statement ${number}`,
  statements: 'Statements',
  replaces: (number: number) => `Replaces sheet ${number}, which is no longer valid.`,
  replacedBy: (number: number) => `Superseded by sheet ${number}.`,
  correct: 'Correct it with a new sheet',
  correcting: (number: number) => `This draft will replace sheet ${number} when it is issued.`,
  all: 'Sheets of this project',
  print: 'Print the sheet',
  printStatements: 'Print the statements',
  csv: 'Save as CSV',
  issuedOn: 'Issued',
  forWhom: 'For',
} as const;

export const myStatements = {
  title: 'My statements',
  signIn: 'Sign in to see your share of the projects you worked on.',
  loading: 'Loading your statements',
  failed: 'Failed to load your statements',
  none: 'No statements yet. Your statement appears here when the split sheet of a project you worked on is issued.',
  number: (number: string) => `Statement ${number}`,
  replaced: 'Superseded',
  print: 'Print this statement',
} as const;

export const splitSheetProblems = {
  nothing: 'Please type an amount of more than 0',
  nobody: 'Please name someone',
  name: 'Please write a name',
  input: 'Please type a number of more than 0, such as 40 or 12.5',
  due: 'Please choose a day',
  order: 'This day is before the one above',
  words: 'Please say when this is paid',
  percent: 'Please type a percentage of more than 0',
  whole: (percent: string) => `Together the instalments are ${percent}%; they have to be 100%`,
  halves: 'Short projects are paid in two halves: 50% and 50%',
  monthTwo: (day: string) => `Monthly projects are paid from month 2 on: not before ${day}`,
  none: 'Please add an instalment',
  tooMany: (most: number) => `Please keep this to ${most}`,
} as const;
