import type { Context } from 'hono';
import * as z from 'zod';
import { record } from '../audit.ts';
import { optional, readBody } from '../body.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { requireLinking } from '../linking/identities.ts';
import { countRequest } from '../rates.ts';
import { redirectOf } from '../redirect.ts';
import { signedIn } from '../sessions/bearer.ts';
import { sessionResponse, startSession } from '../sessions/session.ts';
import { refusalEvent, resolveLogin, sendConfirmation } from './callback.ts';
import { BadIdToken, type IdTokenIssuer } from './id-token.ts';
import { profileFromClaims } from './oidc.ts';
import { BadProfile } from './profile.ts';
import type { ProviderLogin } from './provider.ts';

const Body = z.object({
  provider: optional(z.string()),
  client_id: optional(z.string()),
  issuer: optional(z.string()),
  id_token: optional(z.string()),
  access_token: optional(z.string()),
  nonce: optional(z.string()),
  link_identity: optional(z.boolean()),
});

type GrantBody = z.output<typeof Body>;

export async function idTokenGrant(c: Context<Env>) {
  await countRequest(c, 'signIn');
  const body = await readBody(c, Body);
  const linkingUser = body.link_identity ? await requireLinkingUser(c) : null;
  try {
    const { name, idTokens } = findIssuer(c, body);
    const claims = await idTokens.verify(body.id_token!, { nonce: body.nonce, accessToken: body.access_token });
    const login = {
      provider: name,
      profile: profileFromClaims(claims),
      tokens: { accessToken: null, refreshToken: null },
    };
    return await signInWith(c, login, linkingUser);
  } catch (error) {
    if (!(error instanceof BadIdToken || error instanceof BadProfile)) throw error;
    await record(c.var.identity.db, c, { ...refusalEvent(linkingUser), reason: 'id_token' });
    // This grant uses the OAuth error format in every API version.
    return c.json({ error: 'invalid_request', error_description: error.message }, 400);
  }
}

async function requireLinkingUser(c: Context<Env>): Promise<string> {
  await signedIn(c, async () => {});
  requireLinking(c);
  return c.var.user.id;
}

function findIssuer(c: Context<Env>, body: GrantBody): { name: string; idTokens: IdTokenIssuer } {
  const { providers, project } = c.var.identity;
  if (!body.id_token) throw new BadIdToken('id_token required');
  if (!body.provider && !(body.client_id && body.issuer))
    throw new BadIdToken('provider or client_id and issuer required');
  const settings = body.provider && Object.hasOwn(project.auth.external, body.provider);
  if (body.provider && !settings && body.provider !== 'google')
    throw new BadIdToken(`Custom OIDC provider "${body.provider.slice(0, 100)}" not allowed`);
  const provider = body.provider ? providers.find(body.provider) : providers.issuing(body.issuer!, body.client_id!);
  if (!provider) throw errors.providerDisabled((body.provider ?? body.issuer)!.slice(0, 200));
  if (!provider.idTokens) throw new BadIdToken(`${provider.name} issues no id tokens`);
  return { name: provider.name, idTokens: provider.idTokens };
}

async function signInWith(c: Context<Env>, login: ProviderLogin, linkingUser: string | null) {
  const { identity } = c.var;
  // A refusal is returned, not thrown, so that its changes are committed.
  const outcome = await identity.db.transaction(async (tx) => {
    const decision = await resolveLogin(tx, c, login, linkingUser);
    if (decision.kind === 'refused') {
      await sendConfirmation(tx, c, decision, redirectOf(c));
      return { refusal: decision.error };
    }
    const started = await startSession(tx, c, decision.user.id, 'oauth');
    const session = started.session.id;
    await record(tx, c, { action: 'login', outcome: 'success', actor: decision.user.id, session });
    return { started };
  });
  if (outcome.refusal) throw outcome.refusal;
  return c.json(await sessionResponse(identity, outcome.started!));
}
