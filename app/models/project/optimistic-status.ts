/**
 * What was read, with another status for one project wherever it stands in it: rows of a page, pages of a list, or the
 * project itself. Everything else stays the very same object.
 */
export function withStatus(read: unknown, id: string, status: string): unknown {
  if (Array.isArray(read)) {
    const changed = read.map((each) => withStatus(each, id, status));
    return changed.some((each, index) => each !== read[index]) ? changed : read;
  }
  if (typeof read !== 'object' || read === null) return read;
  if ('id' in read && read.id === id && 'status' in read) return { ...read, status };
  for (const part of ['rows', 'pages'] as const) {
    if (!(part in read)) continue;
    const before = (read as Record<string, unknown>)[part];
    const after = withStatus(before, id, status);
    if (after !== before) return { ...read, [part]: after };
  }
  return read;
}
