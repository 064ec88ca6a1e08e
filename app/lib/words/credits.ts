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

export const creditFormWords = {
  optional: 'Who made what (optional)',
  help: 'Choose for each part of the work whether people made it, machines, or both. By machine: a model or program made what you see; a person chose it. Together: both worked on it. Ordinary tools such as a camera, a drawing program or a spell checker count as by hand.',
  strip: 'Each part counts the same, and what was made together counts half. The percentages are calculated.',
  nothingYet: 'No credits yet. Add a part and the bar fills in.',
  suggestions: ['Idea', 'Writing', 'Pictures', 'Film', 'Code', 'Sound'],
  addPart: (part: string) => `Add ${part}`,
  addOther: 'Add another part',
  part: 'Part of the work',
  rowName: (part: string, place: number) => part.trim() || `part ${place + 1}`,
  how: 'How was it made?',
  choose: { hand: 'By hand', together: 'Together', machine: 'By machine' } satisfies Record<Made, string>,
  names: 'People and tools',
  people: 'People',
  peopleHint: 'One name at a time. Enter adds it.',
  toolsLabel: 'Tools',
  toolsHint: 'Programs, models, instruments.',
  add: 'Add',
  addPerson: 'Add person',
  addTool: 'Add tool',
  removeName: (name: string) => `Remove ${name}`,
  remove: (name: string) => `Remove ${name}`,
  added: (name: string) => `${name} was added.`,
  removed: (name: string) => `${name} was removed.`,
  moved: (name: string, place: number, of: number) => `${name} is number ${place} of ${of} now.`,

  partMissing: 'Name this part of the work, or remove it.',
  partTooLong: (most: number) =>
    `The name of a part has at most ${most} characters. Shorten it, and nothing else is lost.`,
  madeMissing: 'Choose how this part was made, or remove it.',
  tooManyParts: (most: number) => `At most ${most} parts are kept. Remove this one, or put two into one.`,
  tooManyNames: (most: number) => `At most ${most} names are kept here. Remove some, and nothing else is lost.`,
  nameTooLong: (most: number) => `A name has at most ${most} characters. Shorten it, and nothing else is lost.`,
} as const;
