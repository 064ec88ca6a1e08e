export function moveTo(ids: readonly string[], id: string, place: number): readonly string[] {
  const from = ids.indexOf(id);
  if (from < 0 || place < 0 || place >= ids.length || place === from) return ids;
  return ids.toSpliced(from, 1).toSpliced(place, 0, id);
}

/** This order without ids that are gone, and those that are new at the end. */
export const withArrivals = (order: readonly string[], ids: readonly string[]): readonly string[] => [
  ...order.filter((id) => ids.includes(id)),
  ...ids.filter((id) => !order.includes(id)),
];

/** The index before the first row whose middle is below the pointer. @param middles of the other rows, in order */
export const indexAt = (middles: readonly number[], y: number): number => {
  const indexBelow = middles.findIndex((middle) => y < middle);
  return indexBelow < 0 ? middles.length : indexBelow;
};
