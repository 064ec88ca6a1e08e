export const MADE = ['hand', 'together', 'machine'] as const;
export type Made = (typeof MADE)[number];

export const LEADS = ['hand', 'half', 'machine'] as const;
export type Lead = (typeof LEADS)[number];

export const creditWords = {
  title: 'Who made what',
  /** In capitals on slips. The non-breaking space keeps number and word together. */
  share: (hand: number) => `Hand\u00a0${hand} Machine\u00a0${100 - hand}`,
  madeHow: {
    hand: 'by hand',
    together: 'by hand and machine together',
    machine: 'by machine',
  } satisfies Record<Made, string>,
  tools: (tools: readonly string[]) => `with ${tools.join(', ')}`,
  led: { hand: 'Mostly human', half: 'Half and half', machine: 'Mostly AI' } satisfies Record<Lead, string>,
  ledBy: { hand: 'mostly-human', half: 'half-and-half', machine: 'mostly-AI' } satisfies Record<Lead, string>,
  everyLead: 'Any mix',
} as const;
