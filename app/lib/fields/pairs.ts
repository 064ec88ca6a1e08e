/** Entries with two fields: `pairs('name', 'text', { Humans: 'They draw.', Machines: 'They repeat.' })`. */
export const pairs = <One extends string, Other extends string>(
  one: One,
  other: Other,
  table: Record<string, string>,
) => Object.entries(table).map(([key, value]) => ({ [one]: key, [other]: value }) as Record<One | Other, string>);
