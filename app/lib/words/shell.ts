export const shell = {
  commandTitle: 'Go to a screen, a project or an action',
  commandLabel: 'Screen, project or action',
} as const;

export const keySheet: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['j', 'k'], does: 'Next and previous row; the arrow keys too, once you are in a row' },
  { keys: ['Enter', 'o'], does: 'Open the row' },
  { keys: ['e'], does: 'Edit the row' },
  { keys: ['p', 'r', 'd'], does: 'Publish, ask for changes, decline: while you read a submission' },
  { keys: ['/'], does: 'Go to the search field' },
  { keys: ['u'], does: 'Undo what was just done, while it is offered' },
  { keys: ['?'], does: 'This sheet' },
];
export const commandKeys = { keys: ['Ctrl K', '⌘ K'], does: 'Go to a screen, a project or an action' } as const;
