const days = (count: number) => (count === 0 ? 'from today' : count === 1 ? '1 day' : `${count} days`);

export const needs = {
  title: 'Needs you',
  none: 'Nothing needs you right now.',
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

export const due = {
  title: 'Scheduled',
  publish: 'Goes live',
  unpublish: 'Back to draft',
  refused: (title: string, kind: string) => `“${title}” was not ${kind}ed at its date`,
} as const;

export const firstSteps = {
  title: 'Getting started',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  open: 'To do:',
  contacts: 'Replace the example contact details',
  mail: 'Set up mail',
  publish: 'Publish the first experiment',
  colleague: 'Invite a colleague and make them an admin',
} as const;

export const charts = {
  title: 'Submissions',
  weeks: 'Submissions by week',
} as const;
