/** Replaces a project's status anywhere in query data; all other objects keep their identity. */
export function withStatus(read: unknown, id: string, status: string): unknown {
  if (Array.isArray(read)) {
    const updated = read.map((each) => withStatus(each, id, status));
    return updated.some((each, index) => each !== read[index]) ? updated : read;
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
