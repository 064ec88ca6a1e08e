import type { GoTrueClient } from '@supabase/auth-js';
import { type TOTP, URI } from '../../../../../tests/packages/packages.ts';
import { type AuthServer, bearer as bearerOf, newEmail, openAuthServer, PASSWORD, WIDE } from '../auth-server.ts';
import { identityClient } from '../identity-client.ts';

const TOTP_ON = '\n[auth.mfa.totp]\nenroll_enabled = true\nverify_enabled = true\n';

export const openFactorsServer = (settings = '') => openAuthServer(WIDE + TOTP_ON + settings);

/** The official client with its experimental methods. */
const fullClient = (server: AuthServer, headers: Record<string, string> = {}) =>
  identityClient(server.url, server.keys.publishable, { headers, experimental: { recoveryCodes: true } });

/** Creates a user with a signed-in client. */
export async function createUser(server: AuthServer) {
  const client = fullClient(server);
  const { data, error } = await client.signUp({ email: newEmail(), password: PASSWORD });
  if (error) throw error;
  return { id: data.user!.id, email: data.user!.email!, client };
}

export async function signInAgain(server: AuthServer, { email }: { email: string }, headers?: Record<string, string>) {
  const client = fullClient(server, headers);
  const { error } = await client.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  return client;
}

/** Enrols an authenticator app, which is unverified until its first code. */
export async function enrolled(client: GoTrueClient, friendlyName?: string) {
  const name = friendlyName === undefined ? {} : { friendlyName };
  const { data, error } = await client.mfa.enroll({ factorType: 'totp', ...name });
  if (error) throw error;
  const app = URI.parse(data.totp.uri) as TOTP;
  return { factorId: data.id, secret: data.totp.secret, code: () => app.generate() };
}

export async function createUserWithApp(server: AuthServer) {
  const person = await createUser(server);
  const app = await enrolled(person.client, 'Phone');
  const { error } = await person.client.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });
  if (error) throw error;
  await nextStep(server, person);
  return { ...person, app };
}

/** Allows another code in the same half minute. */
export const nextStep = ({ db }: AuthServer, { id }: { id: string }) =>
  db.query('update auth.mfa_factors set last_used_step = null where user_id = $1', [id]);

export const bearer = async (client: GoTrueClient) => bearerOf((await client.getSession()).data.session!.access_token);

/** Audit log of the identity service about a user, oldest first. */
export async function eventsOf(server: AuthServer, id: string): Promise<string[]> {
  const entries = `select concat_ws(' ', payload->>'action', payload->>'outcome', payload->>'reason') as event
    from auth.audit_log_entries where payload->>'actor_id' = $1 or payload->>'object_id' = $1 order by created_at`;
  return (await server.rows<{ event: string }>(entries, id)).map(({ event }) => event);
}
