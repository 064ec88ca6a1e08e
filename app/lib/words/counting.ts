export const counting = {
  title: 'Reading',
  off: 'Page views are not counted. You can switch on counting without cookies in Settings.',
  switchOn: 'Switch it on in the settings',
  asTable: 'Show as a table',
} as const;
