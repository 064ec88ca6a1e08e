export const uploadLimitWords = {
  rest: (count: number) =>
    count === 1
      ? 'One picture doesn’t fit in. It’s uploaded automatically after that.'
      : `${count} pictures don’t fit in. They’re uploaded automatically after that.`,
  reached: (files: number, size: string) =>
    `You’ve reached the upload limit of ${files === 1 ? 'one picture' : `${files} pictures`} or ${size}.`,
  paused: (count: number, at: string | null) =>
    `${count === 1 ? 'The last picture is' : `${count} pictures are`} uploaded automatically${at ? ` from ${at}` : ' soon'}.`,
  continues: 'Your uploads continue.',
} as const;
