const days = (count: number) => (count === 0 ? 'less than a day' : count === 1 ? '1 day' : `${count} days`);

export const needs = {
  waiting: (count: string, age: number | null) =>
    `${count} ${count === '1' ? 'submission' : 'submissions'} waiting${age === null ? '' : `, oldest ${days(age)}`}`,
  messages: (count: number) => (count === 1 ? '1 new message' : `${count.toLocaleString('en')} new messages`),
  seeChecks: 'See the checks',
} as const;
