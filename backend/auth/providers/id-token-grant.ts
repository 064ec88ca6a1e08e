import type { Context } from 'hono';
import * as z from 'zod';
import { record } from '../audit.ts';
import { optional, read } from '../body.ts';
import type { Env } from '../context.ts';
import { errors } from '../errors.ts';
import { requireLinking } from '../linking/require-linking.ts';
import { countRequest } from '../rates.ts';
import { redirectOf } from '../redirect.ts';
import { signedIn } from '../sessions/bearer.ts';
import { sessionAnswer, startSession } from '../sessions/session.ts';
import { askOwner, decide, refusedAs } from './decide.ts';
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

type Given = z.output<typeof Body>;

export async function idTokenGrant(c: Context<Env>) {
  await countRequest(c, 'signIn');
  const given = await read(c, Body);
  const linkingUser = given.link_identity ? await whoLinks(c) : null;
  try {
    const { name, idTokens } = issuerOf(c, given);
    const claims = await idTokens.verify(given.id_token!, { nonce: given.nonce, accessToken: given.access_token });
    const login = {
      provider: name,
      profile: profileFromClaims(claims),
      tokens: { accessToken: null, refreshToken: null },
    };
    return await signInWith(c, login, linkingUser);
  } catch (problem) {
    if (!(problem instanceof BadIdToken || problem instanceof BadProfile)) throw problem;
    await record(c.var.identity.db, c, { ...refusedAs(linkingUser), reason: 'id_token' });
    // This grant uses the OAuth error format in every API version.
    return c.json({ error: 'invalid_request', error_description: problem.message }, 400);
  }
}

async function whoLinks(c: Context<Env>): Promise<string> {
  await signedIn(c, async () => {});
  requireLinking(c);
  return c.var.user.id;
}

function issuerOf(c: Context<Env>, given: Given): { name: string; idTokens: IdTokenIssuer } {
  const { providers, project } = c.var.identity;
  if (!given.id_token) throw new BadIdToken('id_token required');
  if (!given.provider && !(given.client_id && given.issuer))
    throw new BadIdToken('provider or client_id and issuer required');
  const settings = given.provider && Object.hasOwn(project.auth.external, given.provider);
  if (given.provider && !settings && given.provider !== 'google')
    throw new BadIdToken(`Custom OIDC provider "${given.provider.slice(0, 100)}" not allowed`);
  const provider = given.provider ? providers.find(given.provider) : providers.issuing(given.issuer!, given.client_id!);
  if (!provider) throw errors.providerDisabled((given.provider ?? given.issuer)!.slice(0, 200));
  if (!provider.idTokens) throw new BadIdToken(`${provider.name} issues no id tokens`);
  return { name: provider.name, idTokens: provider.idTokens };
}

async function signInWith(c: Context<Env>, login: ProviderLogin, linkingUser: string | null) {
  const { identity } = c.var;
  // A refusal is returned, not thrown, so that its changes are committed.
  const outcome = await identity.db.transaction(async (tx) => {
    const decision = await decide(tx, c, login, linkingUser);
    if (decision.kind === 'refused') {
      await askOwner(tx, c, decision, redirectOf(c));
      return { refusal: decision.error };
    }
    const started = await startSession(tx, c, decision.user.id, 'oauth');
    const session = started.session.id;
    await record(tx, c, { action: 'login', outcome: 'success', actor: decision.user.id, session });
    return { started };
  });
  if (outcome.refusal) throw outcome.refusal;
  return c.json(await sessionAnswer(identity, outcome.started!));
}
