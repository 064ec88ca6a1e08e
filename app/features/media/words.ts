export const uploadLimitWords = {
  filesLeft: (left: number, of: number, until: string | null) =>
    `${left} of ${of} uploads left${until ? ` until ${until}` : ''}.`,
  sizeLeft: (left: string, of: string, until: string | null) =>
    `${left} of ${of} left to upload${until ? ` until ${until}` : ''}.`,
  rest: (count: number) =>
    count === 1
      ? 'One picture doesn’t fit in. It’s uploaded automatically after that.'
      : `${count} pictures don’t fit in. They’re uploaded automatically after that.`,
  reached: (files: number, size: string) =>
    `You’ve reached the upload limit of ${files === 1 ? 'one picture' : `${files} pictures`} or ${size}.`,
  paused: (count: number, at: string | null) =>
    `${count === 1 ? 'The last picture is' : `${count} pictures are`} uploaded automatically${at ? ` from ${at}` : ' soon'}.`,
  continues: 'Your uploads continue.',
  waits: 'Waiting for the upload limit',
  in: 'In',
  sending: 'Your experiment is sent right after them.',
  sendingSaved: 'You can close this page: it continues the next time you open it.',
  sendingUnsaved: 'This browser keeps no drafts, so leave this page open.',
} as const;
