/** The ids with one of them at another place; the same list when it is there already or there is no such place. */
export function movedTo(ids: readonly string[], id: string, place: number): readonly string[] {
  const from = ids.indexOf(id);
  if (from < 0 || place < 0 || place >= ids.length || place === from) return ids;
  return ids.toSpliced(from, 1).toSpliced(place, 0, id);
}

/**
 * Where something that is dragged belongs: before the first whose middle lies below the pointer.
 * @param middles of the rows in their order, without the dragged one, from top to bottom
 */
export const placeAt = (middles: readonly number[], y: number): number => {
  const below = middles.findIndex((middle) => y < middle);
  return below < 0 ? middles.length : below;
};
