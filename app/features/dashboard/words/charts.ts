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
