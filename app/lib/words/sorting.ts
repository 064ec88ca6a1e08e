export const sortingWords = {
  grabHint: 'Space or Enter picks it up, the arrow keys move it, Space drops it, Escape puts it back.',
  grabbed: (name: string, place: number, all: number) =>
    `${name} picked up. Place ${place} of ${all}. Move it with the arrow keys, drop it with Space, put it back with Escape.`,
  movedTo: (name: string, place: number, all: number) => `${name}: place ${place} of ${all}.`,
  dropped: (name: string, place: number, all: number) => `${name} dropped at place ${place} of ${all}.`,
  putBack: (name: string, place: number) => `${name} put back at place ${place}.`,
} as const;
