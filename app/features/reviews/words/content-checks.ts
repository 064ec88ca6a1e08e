export const contentWords = {
  title: (count: number) => (count === 1 ? '1 thing could be better' : `${count} things could be better`),
  goThere: 'Go there',
  fix: 'Fix it',
} as const;
