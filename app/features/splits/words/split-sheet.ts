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

/** Terms printed on sheets and statements; frozen at issue. */
export const termsText = (investors: number, payment: Payment): string =>
  [
    `By the collective’s terms: finder’s fee ${cuts.referrer + cuts.closer}% (${cuts.referrer}% referrer, ${cuts.closer}% closer); manager ${cuts.manager}%; idea person ${cuts.idea}%, otherwise to the manager; work team ${cuts.team}% by recorded input; investors ${investors}%, and what is left of their ${cuts.investors}% to the work team; common pool ${cuts.companyPool + cuts.goalsPool + cuts.crisisFund}% (${cuts.companyPool}% company pool, ${cuts.goalsPool}% goals pool, ${cuts.crisisFund}% crisis fund). The terms do not allocate the remaining ${unallocatedPercent}%.`,
    payments[payment].rule,
  ].join(' ');

export const splitSheet = {
  title: 'Split sheet',
  loading: 'Loading the split',
  failed: 'The split sheet could not be loaded.',
  amount: 'Amount to share',
  investors: 'Investors take, in percent',
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
  remove: (name: string) => `Remove ${name || 'this line'}`,
  instalments: 'Instalments',
  due: 'Due',
  words: 'When',
  columns: { share: 'Share', who: 'Who', amount: 'Amount' },
  total: 'Total',
  failedToSave: 'The draft could not be saved.',
  meanwhile:
    'Someone else changed this draft while you were here. Nothing of yours was saved. Discard your changes to see theirs.',
  discard: 'Delete draft',
  sheetName: (number: number) => `Split sheet ${number}`,
  statementName: (number: string) => `Statement ${number}`,
  replaces: (number: number) => `Replaces sheet ${number}, which is no longer valid.`,
  replacedBy: (number: number) => `Superseded by sheet ${number}.`,
  issuedOn: 'Issued',
} as const;

export const splitSheetProblems = {
  nothing: 'Please type an amount of more than 0',
  nobody: 'Please name someone',
  input: 'Please type a number of more than 0, such as 40 or 12.5',
  order: 'This day is before the one above',
  whole: (percent: string) => `Together the instalments are ${percent}%; they have to be 100%`,
  halves: 'Short projects are paid in two halves: 50% and 50%',
  monthTwo: (day: string) => `Monthly projects are paid from month 2 on: not before ${day}`,
  tooMany: (most: number) => `Please keep this to ${most}`,
} as const;
