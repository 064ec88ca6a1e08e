/** Replaces a project's status anywhere in query data. */
export const withStatus = <Read>(read: Read, id: string, status: string): Read =>
  JSON.parse(
    JSON.stringify(read, (_, value) => (value?.id === id && 'status' in value ? { ...value, status } : value)),
  ) as Read;
