import { cutNames, cuts, unallocatedPercent } from '#features/splits/words/terms.ts';

export const shares = [
  {
    name: 'Finder’s fee',
    short: 'Finders',
    percent: cuts.referrer + cuts.closer,
    plate: 'hand',
    to: `${cuts.referrer}% to the referrer, ${cuts.closer}% to the closer`,
  },
  { name: 'Manager', short: 'Manager', percent: cuts.manager, plate: 'machine', to: 'The person who runs the project' },
  {
    name: 'Idea person',
    short: 'Idea',
    percent: cuts.idea,
    plate: 'overprint',
    to: 'Without an idea person, it goes to the manager',
  },
  {
    name: 'Work team',
    short: 'Work team',
    percent: cuts.team,
    plate: 'hand',
    to: 'Shared by input and anonymous peer rating',
  },
  {
    name: 'Investors',
    short: 'Investors, or the work team',
    percent: cuts.investors,
    least: 0,
    plate: 'striped',
    to: 'What investors do not take goes to the work team',
  },
  {
    name: 'Common pool',
    short: 'Pool',
    percent: cuts.companyPool + cuts.goalsPool + cuts.crisisFund,
    plate: 'overprint',
    to: `${cuts.companyPool}% company pool, ${cuts.goalsPool}% goals pool, ${cuts.crisisFund}% crisis fund`,
  },
] as const;

export const percentText = (share: { percent: number; least?: number }): string =>
  share.least === undefined ? `${share.percent}%` : `${share.least}–${share.percent}%`;

export const unallocated = {
  name: cutNames.unallocated,
  short: 'Not allocated',
  percent: unallocatedPercent,
  to: 'Held back until the collective decides',
} as const;
