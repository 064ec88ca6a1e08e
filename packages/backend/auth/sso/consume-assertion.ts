import { type Connection, hasRow } from '../../database/database.ts';
import { isUuid } from '../../http/caller.ts';
import { readText } from '../../http/limits.ts';
import { record, recordInBackground } from '../audit.ts';
import { emailAddressOrNull } from '../body.ts';
import type { AuthContext, AuthRequest } from '../context.ts';
import { asApiError } from '../error-response.ts';
import { type ApiError, errors } from '../errors.ts';
import { hasFlowCookie } from '../links/flow-cookie.ts';
import { consumeFlow, issueAuthCode } from '../providers/flow-state.ts';
import { countRequest } from '../rates.ts';
import { isAllowed, withCode, withRefusal, withTokens } from '../redirect.ts';
import { logIn, sessionResponse } from '../sessions/session.ts';
import { createAccount, findIdentityOwner, type NewIdentity, recordSignIn } from '../users/account.ts';
import { findUser, type UserRow } from '../users/user.ts';
import { type Assertion, BadResponse, decodeResponse, envelopeOf, readResponse } from './read-response.ts';
import { type AttributeMapping, findProvider, findProviderByEntityId, type SsoProvider } from './sso-provider.ts';
import { CONSUMER, consumeSignIn, findSignIn, startSignIn, storeResponse } from './start-sign-in.ts';

const MAX_FORM = 512 * 1024;

/** `POST /sso/saml/acs`: every outcome redirects to the site: signed in, or with the error in the URL. */
export async function consumeAssertion(c: AuthRequest) {
  return redirectErrors(c, async () => {
    await countRequest(c, 'samlAcs');
    const form = await readForm(c);
    if (!isUuid(form.relayState)) return c.redirect(await restartSignIn(c, form.relayState, form.response), 303);
    const pending = await findSignIn(c.var.identity.db, form.relayState);
    if (!pending) throw errors.relayStateNotFound();
    // A cross-site POST carries no SameSite=Lax cookie; the following GET to our own URL does.
    if (pending.byBrowser && !hasFlowCookie(c, { id: form.relayState, redirectTo: pending.redirectTo }, CONSUMER)) {
      await storeResponse(c.var.identity.db, form.relayState, form.response);
      return c.redirect(`${c.var.identity.config.siteUrl}${CONSUMER}?flow=${form.relayState}`, 303);
    }
    return c.redirect(await finishSignIn(c, form.relayState, form.response), 302);
  });
}

/** `GET /sso/saml/acs?flow=`: second step, which checks that the sign-in began in this browser. */
export async function finishInBrowser(c: AuthRequest) {
  if (c.req.method === 'HEAD') throw errors.methodNotAllowed('GET, POST');
  return redirectErrors(c, async () => {
    const { db } = c.var.identity;
    const flow = c.req.query('flow') ?? '';
    const pending = isUuid(flow) ? await findSignIn(db, flow) : null;
    if (!pending?.response) throw errors.relayStateNotFound();
    if (!hasFlowCookie(c, { id: flow, redirectTo: pending.redirectTo }, CONSUMER)) {
      await consumeSignIn(db, flow);
      throw errors.relayStateNotFound();
    }
    return c.redirect(await finishSignIn(c, flow, pending.response), 302);
  });
}

async function redirectErrors(c: AuthRequest, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    return c.redirect(withRefusal(c.var.identity.config.siteUrl, toRefusal(c, error)), 303);
  }
}

async function readForm(c: AuthRequest): Promise<{ response: string; relayState: string }> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? ''))
    throw errors.invalid('A SAML response has to be a form');
  const form = new URLSearchParams(await readText(c, MAX_FORM));
  const response = form.get('SAMLResponse');
  if (!response || form.getAll('SAMLResponse').length > 1 || form.getAll('RelayState').length > 1)
    throw errors.invalid('The form needs one SAMLResponse and at most one RelayState');
  return { response, relayState: form.get('RelayState') ?? '' };
}

async function finishSignIn(c: AuthRequest, relayState: string, response: string): Promise<string> {
  const { identity } = c.var;
  const pending = await consumeSignIn(identity.db, relayState);
  const provider = await findProvider(identity.db, pending.providerId);
  if (!provider) throw errors.noSuchIdp();
  if (provider.disabled) throw errors.ssoProviderDisabled();
  const assertion = await readResponse(identity, provider, pending.requestId, response);
  const person = personOf(assertion, provider);
  const outcome = await identity.db.transaction(async (tx) => {
    if (!(await isFirstUse(tx, provider, assertion))) throw new BadResponse('used before');
    const user = await findOrCreateAccount(tx, identity, provider, person);
    return pending.flowId ? issueCode(tx, c, pending.flowId, user.id) : logIn(tx, c, user.id, 'sso/saml');
  });
  return typeof outcome === 'string'
    ? withCode(pending.redirectTo, outcome)
    : withTokens(pending.redirectTo, await sessionResponse(identity, outcome));
}

function isFirstUse(tx: Connection, provider: SsoProvider, assertion: Assertion): Promise<boolean> {
  const text = `insert into auth.saml_assertions (sso_provider_id, assertion_id, expires_at) values ($1, $2, $3)
     on conflict do nothing returning assertion_id`;
  return hasRow(tx, text, [provider.id, assertion.id, assertion.expiresAt]);
}

async function issueCode(tx: Connection, c: AuthRequest, flowId: string, userId: string) {
  const flow = await consumeFlow(tx, flowId);
  if (!flow) throw errors.relayStateExpired();
  await record(tx, c, { action: 'sso_code_issued', actor: userId });
  return issueAuthCode(tx, c.var.identity.keys, flow, userId);
}

// IdP-initiated, such as a tile on the company’s start page. Security: the assertion is not used, because an attacker
// could have injected their own. It only selects the provider, where a new sign-in is started.
async function restartSignIn(c: AuthRequest, relayState: string, response: string): Promise<string> {
  const { config, project, db } = c.var.identity;
  const { issuer, inResponseTo } = await envelopeOf(decodeResponse(response));
  // A response to a request must name it; starting over could loop forever.
  if (inResponseTo) throw errors.relayStateNotFound();
  const provider = issuer ? await findProviderByEntityId(db, issuer) : null;
  if (!provider) throw errors.noSuchIdp();
  if (provider.disabled) throw errors.ssoProviderDisabled();
  const redirectTo = isAllowed(relayState, config.siteUrl, project.auth.additional_redirect_urls)
    ? relayState
    : config.siteUrl;
  return startSignIn(c, provider, { redirectTo, challenge: null });
}

function toRefusal(c: AuthRequest, error: unknown): ApiError {
  const { log } = c.var.identity;
  const refusal = error instanceof BadResponse ? errors.invalid('SAML Assertion is not valid') : asApiError(error);
  if (refusal.status >= 500) log.error({ err: error, request: c.env.id }, 'SAML sign-in failed');
  else log.info({ request: c.env.id, reason: (error as Error).message }, 'SAML sign-in refused');
  recordInBackground(c, { action: 'login', outcome: 'refused', reason: refusal.code });
  return refusal;
}

type Person = ReturnType<typeof personOf>;

const SUBJECT_ID = 'urn:oasis:names:tc:SAML:attribute:subject-id';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const EMAIL_NAMES = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/EmailAddress',
  'mail',
  'Mail',
  'email',
];
const MAX_ID = 512;
const MAX_DATA_BYTES = 8 * 1024;
const STANDARD_CLAIMS = new Set(
  `name family_name given_name middle_name nickname preferred_username profile picture website gender birthdate zoneinfo
   locale full_name avatar_url user_name slug`.split(/\s+/),
);

/** @throws ApiError saml_assertion_no_user_id, saml_assertion_no_email */
function personOf(assertion: Assertion, provider: SsoProvider) {
  const id = persistentId(assertion);
  if (!id || id.length > MAX_ID) throw errors.assertionWithoutUserId();
  const mapped = applyMapping(assertion, provider.attribute_mapping);
  const email = emailAddressOrNull(mapped.get('email') ?? firstValue(assertion, EMAIL_NAMES));
  if (!email) throw errors.assertionWithoutEmail();
  const standard = [...mapped].filter(([name]) => STANDARD_CLAIMS.has(name));
  const custom = [...mapped].filter(([name]) => !STANDARD_CLAIMS.has(name) && name !== 'email');
  const data = {
    ...Object.fromEntries(standard),
    ...(custom.length ? { custom_claims: Object.fromEntries(custom) } : {}),
    iss: provider.entity_id,
    sub: id,
    email,
    email_verified: true,
    phone_verified: false,
  };
  // Limited because all of it is part of every access token.
  if (Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES)
    throw errors.invalid('The SAML assertion has too much in mapped attributes');
  return { id, email, data };
}

function persistentId(assertion: Assertion): string | null {
  const subjectId = firstValue(assertion, [SUBJECT_ID]);
  if (subjectId) return subjectId;
  if (assertion.nameIdFormat === TRANSIENT) return null;
  return assertion.nameIdFormat === EMAIL_FORMAT ? (assertion.nameId?.toLowerCase() ?? null) : assertion.nameId;
}

function applyMapping(assertion: Assertion, mapping: AttributeMapping | null): Map<string, unknown> {
  const mapped = new Map<string, unknown>();
  for (const [key, attribute] of Object.entries(mapping?.keys ?? {})) {
    const names = attribute.name ? [attribute.name] : (attribute.names ?? []);
    const values = names.map((name) => valuesOf(assertion, name)).find((found) => found.length) ?? [];
    if (values.length) mapped.set(key, attribute.array ? values : values[0]);
    else if (attribute.default !== undefined && attribute.default !== null) mapped.set(key, attribute.default);
  }
  return mapped;
}

const valuesOf = ({ attributes }: Assertion, name: string): string[] =>
  attributes
    .filter((attribute) => attribute.name === name || attribute.friendlyName === name)
    .flatMap(({ values }) => values);

const firstValue = (assertion: Assertion, names: string[]): string | null =>
  names.flatMap((name) => valuesOf(assertion, name))[0] ?? null;

// Security: never matched by e-mail address, because one company’s claim about an address must not open other accounts.
async function findOrCreateAccount(tx: Connection, { project }: AuthContext, provider: SsoProvider, person: Person) {
  const identity = { provider: `sso:${provider.id}`, providerId: person.id, data: person.data };
  let user = await findByIdentity(tx, identity);
  if (!user) {
    if (!project.auth.enable_signup) throw errors.signUpDisabled();
    const account = { email: person.email, userMetadata: {}, emailConfirmed: true, isSsoUser: true };
    const created = await createAccount(tx, { ...account, identities: [identity] });
    user = created ?? (await findByIdentity(tx, identity));
  }
  if (!user || user.deleted_at) throw errors.userNotFound();
  if (user.is_banned) throw errors.banned(403);
  await recordSignIn(tx, identity);
  const text = `update auth.users set email = $2, email_confirmed_at = coalesce(email_confirmed_at, now()),
       updated_at = now(), raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || $3::jsonb
     where id = $1`;
  await tx.query(text, [user.id, person.email, person.data]);
  return user;
}

async function findByIdentity(tx: Connection, identity: NewIdentity): Promise<UserRow | null> {
  const owner = await findIdentityOwner(tx, identity);
  return owner === null ? null : findUser(tx, owner);
}
