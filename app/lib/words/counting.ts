export const counting = {
  title: 'Reading',
  off: 'Reading is not counted. It can be, without cookies and without knowing who reads.',
  switchOn: 'Switch it on in the settings',
  asTable: 'Show as a table',
} as const;
