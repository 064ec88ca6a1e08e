const days = (count: number) => (count === 0 ? 'from today' : count === 1 ? '1 day' : `${count} days`);

export const needs = {
  title: 'Needs you',
  none: 'Nothing needs you right now.',
  checking: 'Checking mail, storage and backups',
  unknown: 'Some checks failed to load.',
  waiting: (count: string, age: number | null) =>
    `${count} ${count === '1' ? 'submission' : 'submissions'} waiting${age === null ? '' : `, oldest ${days(age)}`}`,
  review: 'Review now',
  messages: (count: number) => (count === 1 ? '1 new message' : `${count.toLocaleString('en')} new messages`),
  readMessages: 'Read messages',
  examples: 'Example contact details are public',
  replaceExamples: 'Replace them',
  attention: (part: string) => `${part} needs attention`,
  seeChecks: 'See the checks',
} as const;

export const firstSteps = {
  title: 'Getting started',
  loading: 'Loading the first steps',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  done: 'Done:',
  open: 'To do:',
  contacts: 'Replace the example contact details',
  contactsHint: 'The site shows example details until then, so visitors can’t reach you.',
  openSettings: 'Open Settings',
  mail: 'Set up mail',
  seeChecks: needs.seeChecks,
  publish: 'Publish the first experiment',
  publishHint: 'The portfolio and the home page are empty until then.',
  newProject: 'New Project',
  colleague: 'Invite a colleague and make them an admin',
  colleagueHint: 'Someone else can then manage the site when you’re away.',
  openUsers: 'Open Users',
} as const;

export const charts = {
  title: 'Submissions',
  loading: 'Loading the overview',
  failed: 'The overview could not be loaded.',
  weeks: 'Submissions by week',
  week: 'Week from',
  submissions: 'Submissions',
  asTable: 'Show the weeks as a table',
  byStatus: 'By status',
  byCategory: 'By category',
  categoryHint: 'Drafts count too; the links show what is published.',
  noCategory: 'No category',
} as const;
