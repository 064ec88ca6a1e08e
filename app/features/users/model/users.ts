import type { FunctionsClient } from '@supabase/functions-js';
import type { PostgrestClient } from '@supabase/postgrest-js';
import type { AccountRole } from '#lib/account-role.ts';
import { reasonOf } from '#lib/data/api-error.ts';
import { listParams, pageParam, type QuestionOf, textParam } from '#lib/data/list-params.ts';
import { PAGE_SIZE, pagesOf, type TablePage } from '#lib/data/page.ts';
import { added, type Embedded, embedded, readCount, readOne, requireChange, rows } from '#lib/data/rows.ts';
import { callFunction } from '#lib/data/server-function.ts';
import type { userActions } from '../words.ts';

export interface UserAccount {
  id: string;
  email: string | null;
  phone: string | null;
  name: string | null;
  factors: number;
  created_at: string;
  email_confirmed_at: string | null;
  phone_confirmed_at: string | null;
  invited_at: string | null;
  last_sign_in_at: string | null;
  banned_until: string | null;
  roles: string[];
}

export const userParams = listParams({ search: textParam, page: pageParam });
export type UserQuestion = QuestionOf<typeof userParams>;

type Row = { user_id: string; user_roles: { roles: Embedded<{ name: string }> }[] };

/** Newest first, found by address, number or name. @throws Error with the server's message; ApiError */
export async function listUsers(
  functions: FunctionsClient,
  data: PostgrestClient,
  { search, page }: UserQuestion,
): Promise<TablePage<UserAccount>> {
  const request = { action: 'list', page, per_page: PAGE_SIZE, search };
  const { users, total } = await manage<{ users: Omit<UserAccount, 'roles'>[]; total: number }>(functions, request);
  const lastPage = Math.min(page - 1, Math.max(1, pagesOf(total)));
  if (users.length === 0 && page > 1) return listUsers(functions, data, { search, page: lastPage });
  if (users.length === 0) return { rows: [], total, page };
  const ids = users.map(({ id }) => id);
  const profiles = await rows<Row>(data.from('profiles').select('user_id,user_roles(roles(name))').in('user_id', ids));
  const namesIn = ({ user_roles }: Row) => user_roles.flatMap(({ roles }) => embedded(roles)?.name ?? []);
  const roles = new Map(profiles.map((row) => [row.user_id, namesIn(row)]));
  return { rows: users.map((account) => ({ ...account, roles: roles.get(account.id) ?? [] })), total, page };
}

export const nameOf = ({ email, name, phone }: Pick<UserAccount, 'email' | 'name' | 'phone'>): string =>
  email || name || (phone ? `+${phone}` : 'No address');

export const verifiedAt = ({ email_confirmed_at: email, phone_confirmed_at: phone }: UserAccount) => email ?? phone;

/** Null when the account is not banned, or no longer. */
export const bannedUntil = ({ banned_until: until }: UserAccount): string | null =>
  until && Date.parse(until) > Date.now() ? until : null;

export const roleOf = ({ roles }: Pick<UserAccount, 'roles'>): AccountRole | null =>
  roles.includes('admin') ? 'admin' : roles.includes('editor') ? 'editor' : null;

const PERMANENT_BAN_MS = 20 * 365 * 86_400_000;
export const isForGood = (bannedUntil: string, now = Date.now()) => Date.parse(bannedUntil) - now > PERMANENT_BAN_MS;

export type UserAction = keyof typeof userActions;

export type Invitation = { email: string; name: string; role: AccountRole | 'none' };

type Services = { functions: FunctionsClient; data: () => PostgrestClient };

const ROLE_CHANGES: Partial<Record<UserAction, [role: AccountRole, granted: boolean]>> = {
  make_editor: ['editor', true],
  make_admin: ['admin', true],
  withdraw_editor: ['editor', false],
  withdraw_admin: ['admin', false],
};

/** @param duration of a ban, forever without one. @throws Error or ApiError with the server's message */
export async function changeUser({ functions, data }: Services, id: string, action: UserAction, duration = '') {
  const change = ROLE_CHANGES[action];
  if (change) return setRole(data(), id, ...change);
  await manage(functions, { action, id, ...(duration && { duration }) });
}

/** @param withoutRole ids by address: a repeated call gives the missing role, without another email. @throws Error */
export async function inviteUser(
  { functions, data }: Services,
  { email, name, role }: Invitation,
  withoutRole = new Map<string, string>(),
): Promise<void> {
  const invite = () => manage<{ user: { id: string } }>(functions, { action: 'invite', email, name });
  const id = withoutRole.get(email) ?? (await invite()).user.id;
  withoutRole.delete(email);
  if (role === 'none') return;
  await setRole(data(), id, role, true).catch((error: unknown) => {
    withoutRole.set(email, id);
    throw new Error(`The invitation is sent, but without the role. ${reasonOf(error, 'Please try again.')}`);
  });
}

async function manage<Answer>(functions: FunctionsClient, body: Record<string, unknown>): Promise<Answer> {
  const { success, error, ...answer } = await callFunction<Answer & object>(functions, 'manage-users', body);
  if (!success) throw new Error(error ?? 'The server refused this and gave no reason.');
  return answer as Answer;
}

/** The database keeps the last admin, and replaces the other role. @throws ApiError with the database's message */
async function setRole(data: PostgrestClient, userId: string, role: AccountRole, granted: boolean): Promise<void> {
  const { id } = await readOne<{ id: string }>(data.from('roles').select('id').eq('name', role).single());
  if (granted) await added(data.from('user_roles').insert({ user_id: userId, role_id: id }));
  else await requireChange(data.from('user_roles').delete().eq('user_id', userId).eq('role_id', id));
}

/** Projects created by an account; they remain when it is deleted. @throws ApiError */
export const countProjectsOf = (data: PostgrestClient, userId: string): Promise<number> =>
  readCount(data.from('projects').select('id', { count: 'exact', head: true }).eq('created_by', userId));
