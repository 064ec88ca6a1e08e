export const counting = {
  title: 'Reading',
  off: 'Page views are not counted. You can switch on counting without cookies in Settings.',
  switchOn: 'Switch it on in the settings',
  none: 'Nothing has been counted in the last 30 days.',
  visits: 'Visits per day, last 30 days',
  pages: 'Most read pages',
  depth: 'How far people read',
  sections: 'Sections seen',
  asTable: 'Show as a table',
  failed: 'Failed to load what is read',
} as const;
