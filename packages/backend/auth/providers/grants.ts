import * as z from 'zod';
import { commitRefusal, record } from '../audit.ts';
import { optional, readBody, texts } from '../body.ts';
import type { AuthRequest } from '../context.ts';
import { ApiError, errors, transactOrRefuse } from '../errors.ts';
import { requireLinking } from '../linking/identities.ts';
import { countRequest } from '../rates.ts';
import { redirectOf } from '../redirect.ts';
import { signedIn } from '../sessions/bearer.ts';
import { logIn, type SignInMethod, sessionResponse } from '../sessions/session.ts';
import { findUser } from '../users/user.ts';
import { refusalEvent, resolveLogin } from './callback.ts';
import { exchangeAuthCode, shownTokens } from './flow-state.ts';
import { BadIdToken, type IdTokenIssuer } from './id-token.ts';
import { profileFromClaims } from './oidc.ts';
import { BadProfile } from './profile.ts';
import type { ProviderLogin } from './provider.ts';

const PkceBody = z.object(texts('auth_code', 'code_verifier'));

export async function pkceGrant(c: AuthRequest) {
  await countRequest(c, 'refresh');
  const { auth_code: code, code_verifier: verifier } = await readBody(c, PkceBody);
  if (!code || !verifier) throw errors.invalid('invalid request: both auth code and code verifier should be non-empty');
  const { db, keys } = c.var.identity;
  const { started, tokens } = await transactOrRefuse(db, async (tx) => {
    const exchanged = await exchangeAuthCode(tx, keys, code, verifier);
    if (exchanged instanceof ApiError) return commitRefusal(tx, c, { action: 'code_exchanged' }, exchanged);
    const user = await findUser(tx, exchanged.userId);
    const event = { action: 'code_exchanged', actor: user?.id ?? null } as const;
    if (!user || user.deleted_at) return commitRefusal(tx, c, event, errors.unknownFlow());
    if (user.is_banned) return commitRefusal(tx, c, event, errors.banned(400));
    const started = await logIn(tx, c, exchanged.userId, exchanged.method as SignInMethod);
    return { started, tokens: exchanged.tokens };
  });
  return c.json(await sessionResponse(c.var.identity, started, shownTokens(tokens)));
}

const IdTokenBody = z.object({
  ...texts('provider', 'client_id', 'issuer', 'id_token', 'access_token', 'nonce'),
  link_identity: optional(z.boolean()),
});

export async function idTokenGrant(c: AuthRequest) {
  await countRequest(c, 'signIn');
  const body = await readBody(c, IdTokenBody);
  const linkingUser = body.link_identity ? await requireLinkingUser(c) : null;
  try {
    const { name, idTokens } = findIssuer(c, body);
    const claims = await idTokens.verify(body.id_token!, { nonce: body.nonce, accessToken: body.access_token });
    const tokens = { accessToken: null, refreshToken: null };
    return await signInWith(c, { provider: name, profile: profileFromClaims(claims), tokens }, linkingUser);
  } catch (error) {
    if (!(error instanceof BadIdToken || error instanceof BadProfile)) throw error;
    await record(c.var.identity.db, c, { ...refusalEvent(linkingUser), reason: 'id_token' });
    // This grant uses the OAuth error format in every API version.
    return c.json({ error: 'invalid_request', error_description: error.message }, 400);
  }
}

async function requireLinkingUser(c: AuthRequest): Promise<string> {
  await signedIn(c, async () => {});
  requireLinking(c);
  return c.var.user.id;
}

function findIssuer(c: AuthRequest, body: z.output<typeof IdTokenBody>): { name: string; idTokens: IdTokenIssuer } {
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

async function signInWith(c: AuthRequest, login: ProviderLogin, linkingUser: string | null) {
  const { identity } = c.var;
  const started = await transactOrRefuse(identity.db, async (tx) => {
    const user = await resolveLogin(tx, c, login, linkingUser, redirectOf(c));
    return user instanceof ApiError ? user : logIn(tx, c, user.id, 'oauth');
  });
  return c.json(await sessionResponse(identity, started));
}
