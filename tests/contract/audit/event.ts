import { randomUUID } from 'node:crypto';
import { URI } from 'otpauth';
import { expect } from 'vitest';
import { newSecret } from '../../../app/lib/data/ids.ts';
import type { Issuer } from '../../../packages/backend/tests/auth/providers/peers.ts';
import type { IdentityProvider } from '../../../packages/backend/tests/auth/providers/saml/identity-provider.ts';
import type { SmsReceiver } from '../../../packages/backend/tests/auth/sms-receiver.ts';
import { png } from '../../../packages/backend/tests/storage/files.ts';
import type { Account, Client, Site } from './site.ts';

/** Callers that a line can name. `setup key` is a guest who sends the key; `creator` owns the draft. */
export type Role = 'guest' | 'member' | 'creator' | 'admin' | 'service' | 'setup key' | 'server';

export interface World {
  site: Site;
  admin: Account;
  member: Account;
  creator: Account;
  google: Issuer;
  acme: IdentityProvider;
  sms: SmsReceiver;
}

/** Values for `{it}` and `{role}` in the expected sentences, and the caller if it differs from the given one. */
export interface Known {
  me?: Client;
  it?: string;
  role?: string;
}

export interface AuditEvent {
  kinds: string[];
  by: Role[];
  /** Lines of the call, oldest first, as the screen shows them; `{me}` is the caller. */
  templates: string[];
  /** @returns `Known`, if needed */
  act(me: Client, world: World, role: Role): Promise<unknown>;
}

export const events: AuditEvent[] = [];
/**
 * Registers an event.
 * @param kinds expected kinds of lines, separated by spaces
 * @param by roles, separated by commas
 */
export const addEvent = (kinds: string, by: string, templates: string | string[], act: AuditEvent['act']) =>
  events.push({ kinds: kinds.split(' '), by: by.split(', ') as Role[], templates: [templates].flat(), act });
export const refused = (tried: string) => `{me} tried to ${tried} and was refused`;

export const as = (me: Client, name: string): Client => ({ ...me, name });

let count = 0;
/** A number that no other event uses. */
export const newNumber = () => ++count;
export const newTitle = () => `Lamp ${newNumber()}`;
export const quoted = (title: string) => `“${title}”`;

export async function ok<Answer extends { error: unknown }>(call: PromiseLike<Answer>): Promise<Answer> {
  const response = await call;
  if (response.error) throw Object.assign(new Error(JSON.stringify(response.error)), { cause: response.error });
  return response;
}

export async function expectError(call: PromiseLike<{ error: unknown }>): Promise<void> {
  expect((await call).error).toBeTruthy();
}

export async function project(world: World, more: object = {}): Promise<{ id: string; title: string }> {
  const row = { title: newTitle(), status: 'active', ...more };
  const { data } = await ok(world.site.service().data.from('projects').insert(row).select('id,title').single());
  return data as { id: string; title: string };
}

/** Stores a picture without a use, which the media library lists. */
export async function storedFile({ site }: World) {
  const name = `images/${randomUUID()}.png`;
  const body = new Uint8Array(await png());
  const headers = { 'content-type': 'image/png' };
  const { status } = await site
    .service()
    .call(`/storage/v1/object/case-studies/${name}`, { method: 'POST', headers, body });
  expect(status).toBe(200);
  const { data } = await ok(site.service().data.from('media_files').select('id,updated_at').eq('name', name).single());
  return { name, ...(data as { id: string; updated_at: string }) };
}

/** Creates a submission of a guest or user with a picture; `secret` gives access to the draft. */
export async function submission({ site }: World, client: Client | null = null) {
  const secret = newSecret();
  const sender = client ?? site.guest({ 'x-draft-secret': secret });
  const title = newTitle();
  const fields = { title, description: '<p>A lamp</p>', client: null, status: 'draft' };
  const { data: id } = await ok(sender.data.rpc('create_case_study', fields));
  const picture = { project_id: id, type: 'image', url: 'https://pictures.example/lamp.png', order: 0 };
  await ok(sender.data.from('project_media').insert(picture));
  const texts = { p_understanding: 'a', p_actions: 'b', p_impact: 'c' };
  await ok(sender.data.rpc('save_case_study_metadata', { p_id: id, ...texts }));
  return { id: id as string, title, secret, sender };
}

export async function answerReview({ admin }: World, me: Client | null, id: string, response: string) {
  const reader = await admin.again();
  const { data: version } = await ok(reader.data.rpc('review_version', { p_project: id }));
  const call = { p_project: id, p_answer: response, p_words: 'Because.', p_mail: false, p_seen: version };
  return (me ?? reader).data.rpc('answer_review', call);
}

/** Adds an authenticator app to the caller's account. */
export async function withApp(client: Client, friendlyName = 'Phone') {
  const { data } = await ok(client.auth.mfa.enroll({ factorType: 'totp', friendlyName }));
  const app = URI.parse(data!.totp.uri) as unknown as { generate(options?: { timestamp: number }): string };
  await ok(client.auth.mfa.challengeAndVerify({ factorId: data!.id, code: app.generate() }));
  // A code works once; that of the next half minute is accepted.
  return { id: data!.id, next: () => app.generate({ timestamp: Date.now() + 30_000 }) };
}
