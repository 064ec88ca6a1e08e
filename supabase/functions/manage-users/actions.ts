import { asService, messageOf, type Reply } from '../_shared/backend.ts';
import type { Context } from '../_shared/context.ts';
import { emailIn } from '../_shared/respond.ts';

export class Refusal extends Error {}

interface ActionRequest {
  context: Context;
  body: Record<string, unknown>;
  id: string;
  admin: string;
}

type Action = (request: ActionRequest) => Promise<{ object?: string; [member: string]: unknown }>;

interface User {
  id: string;
  email: string;
  phone: string;
  created_at: string;
  is_anonymous: boolean;
  email_confirmed_at?: string;
  phone_confirmed_at?: string;
  invited_at?: string;
  last_sign_in_at?: string;
  banned_until?: string;
  user_metadata: Record<string, unknown>;
  app_metadata: Record<string, unknown>;
  factors?: { status: string }[];
}

const MAX_PER_PAGE = 100;
const FOREVER = '876000h';
const MAX_TEXT_LENGTH = 200;

export const ACTIONS: Record<string, Action> = {
  list,
  invite,
  ban,
  unban: (request) => update(request, { ban_duration: 'none' }),
  confirm,
  remove_factors: removeFactors,
  reset_password: resetPassword,
  delete: remove,
};

async function list({ context, body }: ActionRequest) {
  const page = wholeNumber(body['page'], 1, 1_000_000);
  const perPage = wholeNumber(body['per_page'], 50, MAX_PER_PAGE);
  const filter = typeof body['search'] === 'string' ? body['search'].slice(0, MAX_TEXT_LENGTH) : '';
  const query = new URLSearchParams({ page: String(page), per_page: String(perPage), filter });
  const reply = requireOk(await asService(context, 'GET', `/auth/v1/admin/users?${query}`));
  const { users } = reply.body as { users: User[] };
  return { users: users.map(showUser), total: Number(reply.headers.get('x-total-count')), page, per_page: perPage };
}

const showUser = (user: User) => ({
  id: user.id,
  email: user.email,
  phone: user.phone,
  name: typeof user.user_metadata['name'] === 'string' ? user.user_metadata['name'].slice(0, MAX_TEXT_LENGTH) : '',
  providers: user.app_metadata['providers'] ?? [],
  factors: (user.factors ?? []).filter(({ status }) => status === 'verified').length,
  is_anonymous: user.is_anonymous,
  created_at: user.created_at,
  email_confirmed_at: user.email_confirmed_at ?? null,
  phone_confirmed_at: user.phone_confirmed_at ?? null,
  invited_at: user.invited_at ?? null,
  last_sign_in_at: user.last_sign_in_at ?? null,
  banned_until: user.banned_until ?? null,
});

async function invite({ context, body }: ActionRequest) {
  const email = emailIn(body['email']);
  if (!email) throw new Refusal('Please enter a valid email address');
  const name = typeof body['name'] === 'string' ? body['name'].trim().slice(0, MAX_TEXT_LENGTH) : '';
  const reply = await asService(context, 'POST', `/auth/v1/invite?${redirect(context)}`, {
    email,
    ...(name ? { data: { name } } : {}),
  });
  const user = requireOk(reply).body as User;
  return { object: user.id, user: showUser(user) };
}

/** `duration` in hours or minutes, such as `24h`; default: permanent. */
async function ban(request: ActionRequest) {
  const { duration = FOREVER } = request.body;
  if (typeof duration !== 'string' || !/^\d{1,6}[hm]$/.test(duration))
    throw new Refusal('Please choose for how long, such as 24h.');
  if (request.id === request.admin) throw new Refusal('You cannot ban yourself.');
  return update(request, { ban_duration: duration });
}

async function confirm(request: ActionRequest) {
  const { email, phone } = await find(request);
  return update(request, { ...(email ? { email_confirm: true } : {}), ...(phone ? { phone_confirm: true } : {}) });
}

async function removeFactors({ context, id, admin }: ActionRequest) {
  // Removing one's own factors must require the second factor, which the service key bypasses.
  if (id === admin) throw new Refusal('You can remove your own second factors at /account.');
  const path = `/auth/v1/admin/users/${id}/factors`;
  const factors = requireOk(await asService(context, 'GET', path)).body as { id: string }[];
  for (const factor of factors) requireOk(await asService(context, 'DELETE', `${path}/${factor.id}`));
  return { removed: factors.length };
}

async function resetPassword(request: ActionRequest) {
  const { context } = request;
  const { email, banned_until: until } = await find(request);
  if (!email) throw new Refusal('This account has no email address.');
  if (until && Date.parse(until) > Date.now()) throw new Refusal('This account is banned. Lift the ban first.');
  requireOk(await asService(context, 'POST', `/auth/v1/recover?${redirect(context)}`, { email }));
  return {};
}

/** Soft delete: experiments keep referring to the row. */
async function remove({ context, id, admin }: ActionRequest) {
  if (id === admin) throw new Refusal('You cannot delete yourself.');
  requireOk(await asService(context, 'DELETE', `/auth/v1/admin/users/${id}`, { should_soft_delete: true }));
  return {};
}

const find = async ({ context, id }: ActionRequest): Promise<User> =>
  requireOk(await asService(context, 'GET', `/auth/v1/admin/users/${id}`)).body as User;

async function update({ context, id }: ActionRequest, change: object) {
  const reply = requireOk(await asService(context, 'PUT', `/auth/v1/admin/users/${id}`, change));
  return { user: showUser(reply.body as User) };
}

// Messages of 4xx responses are meant for users; other errors must not be shown.
function requireOk(reply: Reply): Reply {
  if (reply.ok) return reply;
  if (reply.status >= 400 && reply.status < 500) throw new Refusal(messageOf(reply));
  throw new Error(`the identity service returned ${reply.status}`);
}

const redirect = ({ siteUrl }: Context) => new URLSearchParams({ redirect_to: `${siteUrl}/reset-password` });

const wholeNumber = (value: unknown, fallback: number, maximum: number): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 ? Math.min(value, maximum) : fallback;
