export type UserName = { name: string | null; email: string | null };

export const nameOfUser = (person: UserName | null, otherwise = 'Someone'): string =>
  person?.name || person?.email || otherwise;
