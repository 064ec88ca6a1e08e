import type { PostgrestClient } from '@supabase/postgrest-js';
import { ApiError } from '#lib/data/api-error.ts';
import { anyContains } from '#lib/data/page.ts';
import { first, requireChange, rows } from '#lib/data/rows.ts';
import type { UserName } from '#lib/data/user-name.ts';
import type { ProjectMember } from './read.ts';

const FULL = 100;
const SHARE = /^\d{1,3}([.,]\d{1,2})?$/;
const PEOPLE_AT_ONCE = 10;

/** A typed share in percent; null for none, NaN when invalid. A comma counts as a point. */
export function typedShare(text: string): number | null {
  const share = text.trim().replace(/%$/, '').trim();
  if (share === '') return null;
  return SHARE.test(share) ? Number(share.replace(',', '.')) : Number.NaN;
}

/** The sum in percent, computed in hundredths so that 0.1 and 0.2 give 0.3. */
export const sumOfShares = (shares: readonly (number | null)[]): number =>
  shares.reduce<number>((sum, share) => sum + Math.round((share ?? 0) * 100), 0) / 100;

export function problemWithShare(text: string, others: readonly (number | null)[]): string | null {
  const share = typedShare(text);
  if (share === null) return null;
  if (Number.isNaN(share) || share > FULL) return 'A share is a number from 0 to 100, with at most two decimals';
  const total = sumOfShares([...others, share]);
  return total > FULL ? `The shares together would make ${total}%; ${sumOfShares([total, -FULL])}% too much` : null;
}

export function standOf(shares: readonly (number | null)[]): string {
  const sum = sumOfShares(shares);
  if (sum > FULL) return `The shares make ${sum}%; ${sumOfShares([sum, -FULL])}% too much`;
  return sum === FULL ? 'All 100% are given' : `${sum}% given, ${sumOfShares([FULL, -sum])}% left`;
}

export const linesOfTeam = (team: readonly Pick<ProjectMember, 'name' | 'role'>[]): string[] => [
  ...new Set(team.map(({ name, role }) => [name, role].filter(Boolean).join(', ')).filter(Boolean)),
];

export const nameOfMember = (member: Pick<ProjectMember, 'name' | 'user'>): string =>
  member.name || member.user?.name || member.user?.email || 'Unnamed person';

export type Profile = UserName & { id: string };
type PeoplePage = { people: Profile[]; more: boolean };

export async function findPeople(data: PostgrestClient, words: string, page: number): Promise<PeoplePage> {
  const from = page * PEOPLE_AT_ONCE;
  const to = from + PEOPLE_AT_ONCE;
  const matches = anyContains(['email', 'name'], words);
  const found = data.from('profiles').select('id,email,name').or(matches);
  const people = await rows<Profile>(found.order('email').order('id').range(from, to));
  return { people: people.slice(0, PEOPLE_AT_ONCE), more: people.length > PEOPLE_AT_ONCE };
}

export type MemberToAdd = Omit<NewMember, 'project_id'> & { key: string; email: string | null };

export interface NewMember {
  project_id: string;
  user_id: string | null;
  name: string | null;
  role: string | null;
  contribution_percentage: number | null;
  created_at?: string;
}

export type MemberFields = Pick<NewMember, 'name' | 'role' | 'contribution_percentage'>;

/** @throws ApiError also when the shares would exceed 100 % */
export const addMember = (data: PostgrestClient, member: NewMember): Promise<void> =>
  requireChange(data.from('project_members').insert(member));

/** @returns the row that adds the member again. @throws ApiError */
export async function removeMember(data: PostgrestClient, id: string): Promise<NewMember> {
  const columns = 'project_id,user_id,name,role,contribution_percentage,created_at';
  const removed = await first<NewMember>(data.from('project_members').delete().eq('id', id).select(columns));
  if (!removed) throw new ApiError('This member was already removed.');
  return removed;
}
