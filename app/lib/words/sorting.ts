export const sortingWords = {
  grabbed: (name: string, place: number, all: number) =>
    `${name} picked up. Place ${place} of ${all}. Move it with the arrow keys, drop it with Space, put it back with Escape.`,
  movedTo: (name: string, place: number, all: number) => `${name}: place ${place} of ${all}.`,
  dropped: (name: string, place: number, all: number) => `${name} dropped at place ${place} of ${all}.`,
} as const;
