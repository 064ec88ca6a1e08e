import { randomUUID } from 'node:crypto';
import { type AuthServer, bearer } from '../../auth-server.ts';
import { asOneBrowser } from '../../one-browser.ts';
import type { Employee, Form, IdentityProvider } from './identity-provider.ts';

/** A config.toml with company sign-in. */
export const SAML_ON = `
[auth.saml]
enabled = true
`;

export const newEmployee = (attributes: Record<string, unknown> = {}): Employee => {
  const nameId = randomUUID();
  return { nameId, attributes: { mail: `${nameId}@acme.example`, ...attributes } };
};

/** Registers a provider at the server. @returns its id */
export async function introduce(server: AuthServer, provider: IdentityProvider, fields: object = {}): Promise<string> {
  const response = await admin(server, 'POST', '', { type: 'saml', metadata_xml: provider.metadata, ...fields });
  if (response.status !== 201) throw new Error(JSON.stringify(response.body));
  return response.body.id;
}

/** A call with the service key to `/admin/sso/providers`. */
export async function admin(server: AuthServer, method: string, path = '', body?: object) {
  const headers = { ...bearer(server.keys.secret), 'x-supabase-api-version': '2024-01-01' };
  const [status, answer] = await server.answer(`/admin/sso/providers${path}`, { json: body, method, headers });
  // biome-ignore lint/suspicious/noExplicitAny: tests check the response.
  return { status, body: answer as any };
}

/**
 * Posts the SAML response without cookies, because another site sends it, and follows the redirect to our own URL with
 * cookies.
 * @param browser default: the browser in which the sign-in began
 * @returns `place`: its address without query and fragment
 */
export async function postResponse(
  server: Pick<AuthServer, 'url'>,
  form: Omit<Form, 'action'>,
  headers: Record<string, string> = {},
  browser: typeof fetch = asOneBrowser,
) {
  const body = new URLSearchParams({ SAMLResponse: form.response, RelayState: form.relayState });
  let response = await fetch(`${server.url}/sso/saml/acs`, { method: 'POST', redirect: 'manual', headers, body });
  const next = response.headers.get('location') ?? '';
  if (next.startsWith(`${server.url}/sso/saml/acs?`)) response = await browser(next, { redirect: 'manual', headers });
  const { origin, pathname, searchParams: query, hash } = new URL(response.headers.get('location') ?? 'about:nothing');
  return { status: response.status, place: origin + pathname, query, fragment: new URLSearchParams(hash.slice(1)) };
}

/** Starts a sign-in at the server. @returns the address at the provider, and what its response must contain */
export async function begin(server: AuthServer, body: object) {
  const response = await server.call('/sso', { json: { skip_http_redirect: true, ...body } });
  const { url } = (await response.json()) as { url: string };
  const relayState = new URL(url).searchParams.get('RelayState')!;
  const select = 'select request_id from auth.saml_relay_states where id = $1';
  const [row] = await server.rows<{ request_id: string }>(select, relayState);
  return { url, relayState, requestId: row!.request_id };
}

export const encoded = (xml: string) => Buffer.from(xml).toString('base64');
