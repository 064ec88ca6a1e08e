export const tooLong = (most: number) =>
  `Too long: at most ${most} characters. Nothing was cut off; please shorten it.`;
