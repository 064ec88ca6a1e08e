/** How a part of the work, or a picture, was made. */
export const MADE = ['hand', 'together', 'machine'] as const;
export type Made = (typeof MADE)[number];

/** Who made more of it. */
export const LEADS = ['hand', 'half', 'machine'] as const;
export type Lead = (typeof LEADS)[number];

/** Words about who made what: plain, because people are credited with them. */
export const creditWords = {
  title: 'Who made what',
  /** In capitals on slips. */
  share: (hand: number) => `Hand ${hand} Machine ${100 - hand}`,
  percent: 'percent',
  /** At the end of a sentence. */
  madeHow: {
    hand: 'by hand',
    together: 'by hand and machine together',
    machine: 'by machine',
  } satisfies Record<Made, string>,
  tools: (tools: readonly string[]) => `with ${tools.join(', ')}`,
  led: { hand: 'Hand-led', half: 'Half and half', machine: 'Machine-led' } satisfies Record<Lead, string>,
  /** After a number of experiments. */
  ledBy: { hand: 'led by hand', half: 'made half and half', machine: 'led by machine' } satisfies Record<Lead, string>,
  everyLead: 'However made',
  filter: 'Who led',
} as const;
