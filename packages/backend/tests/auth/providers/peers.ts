import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { decodeJwt } from 'jose';
import { freePort } from '../../../../../tests/free-port.ts';
import {
  Events,
  type MutableResponse,
  type MutableToken,
  OAuth2Server,
  type TokenRequestIncomingMessage,
} from '../../../../../tests/packages/packages.ts';
import { startHttpServer } from '../../../../../tests/programs/http-server.ts';
import type { AuthServer } from '../auth-server.ts';
import { identityClient } from '../identity-client.ts';
import { asOneBrowser } from '../one-browser.ts';

/** Real identity providers on loopback, and a browser that follows redirects between them and the server. */

export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  picture?: string;
  preferred_username?: string;
  /** Claims of the userinfo endpoint besides `sub`. */
  userinfo?: Record<string, unknown>;
  [claim: string]: unknown;
}

export type Issuer = Awaited<ReturnType<typeof startIssuer>>;

export async function startIssuer() {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  server.issuer.url = url;
  await server.start(port, '127.0.0.1');
  const people = new Map<string, Person>();
  const byCode = new Map<string, Person>();
  server.service.on(Events.BeforeAuthorizeRedirect, ({ url: target }: { url: URL }, request: IncomingMessage) => {
    const person = people.get(new URL(request.url!, url).searchParams.get('login_hint') ?? '');
    if (person) byCode.set(target.searchParams.get('code')!, person);
  });
  server.service.on(Events.BeforeTokenSigning, (token: MutableToken, request: TokenRequestIncomingMessage) => {
    Object.assign(token.payload, byCode.get(String(request.body.code)));
  });
  server.service.on(Events.BeforeUserinfo, (response: MutableResponse, request: IncomingMessage) => {
    const { sub, userinfo } = decodeJwt<{ userinfo?: object }>(request.headers.authorization!.split(' ')[1]!);
    response.body = { sub, ...userinfo };
  });
  return {
    url,
    server,
    /** Adds a user. @returns the `login_hint` that signs them in */
    addAccount(person: Person) {
      const hint = randomUUID();
      people.set(hint, person);
      return hint;
    },
    sign: (claims: Record<string, unknown>) =>
      server.issuer.buildToken({ scopesOrTransform: (_header, payload) => Object.assign(payload, claims) }),
    stop: () => server.stop(),
  };
}

export interface GitHubPerson {
  id: number;
  login: string;
  name: string | null;
  avatar_url: string;
  emails: { email: string; primary: boolean; verified: boolean }[];
}

/** GitHub's endpoints and response formats, in front of an OAuth server that checks code and verifier. */
export async function startGitHub() {
  const oauth = await startIssuer();
  const people = new Map<string, GitHubPerson>();
  const byToken = new Map<string, GitHubPerson>();
  let nextResponse: { status: number; body: object } | null = null;
  const byCode = new Map<string, GitHubPerson>();
  oauth.server.service.on(Events.BeforeAuthorizeRedirect, ({ url: target }: { url: URL }, request: IncomingMessage) => {
    const person = people.get(new URL(request.url!, oauth.url).searchParams.get('login_hint') ?? '');
    if (person) byCode.set(target.searchParams.get('code')!, person);
    // GitHub has sent `iss` since 2026.
    target.searchParams.set('iss', `${url}/login/oauth`);
  });

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<unknown> | unknown> = {
    'GET /login/oauth/authorize': (request, response) =>
      response.writeHead(302, { location: `${oauth.url}/authorize?${request.url!.split('?')[1]}` }).end(),
    'POST /login/oauth/access_token': async (request, response) => {
      const form = new URLSearchParams(await text(request));
      const tokenResponse = await fetch(`${oauth.url}/token`, { method: 'POST', body: form });
      if (!tokenResponse.ok) return send(response, 200, { error: 'bad_verification_code' });
      const { access_token: token } = (await tokenResponse.json()) as { access_token: string };
      byToken.set(token, byCode.get(form.get('code')!)!);
      const success = { status: 200, body: { access_token: token, token_type: 'bearer', scope: 'user:email' } };
      const { status, body } = nextResponse ?? success;
      nextResponse = null;
      return send(response, status, body);
    },
    'GET /api/v3/user': (request, response) => {
      const { emails: _, ...user } = callerOf(request) ?? { emails: [] };
      return send(response, 'id' in user ? 200 : 401, user);
    },
    'GET /api/v3/user/emails': (request, response) => send(response, 200, callerOf(request)?.emails ?? []),
  };
  const callerOf = ({ headers }: IncomingMessage) => byToken.get(headers.authorization?.split(' ')[1] ?? '');
  const { url, close } = await startHttpServer((request, response) => {
    const route = routes[`${request.method} ${request.url!.split('?')[0]}`];
    if (!route) return response.writeHead(404).end();
    return Promise.resolve(route(request, response)).catch((problem: Error) =>
      response.writeHead(500).end(String(problem)),
    );
  });
  return {
    url,
    addAccount(person: GitHubPerson) {
      const hint = randomUUID();
      people.set(hint, person);
      return hint;
    },
    answerNext(status: number, body: object) {
      nextResponse = { status, body };
    },
    async stop() {
      await close();
      await oauth.stop();
    },
  };
}

const send = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** An official client with the PKCE flow, which stores the verifier. */
export const pkceClient = (authServer: AuthServer) =>
  identityClient(authServer.url, authServer.keys.publishable, { fetch: asOneBrowser, flowType: 'pkce' });

/** Opens a URL. @returns the target of its redirect */
export async function follow(address: string | URL, init: RequestInit = {}): Promise<URL> {
  const response = await asOneBrowser(address, { redirect: 'manual', ...init });
  await response.body?.cancel();
  const location = response.headers.get('location');
  if (!location) throw new Error(`${address} returned ${response.status} instead of a redirect`);
  return new URL(location, address);
}

/** Follows redirects from our authorize endpoint through the provider. @returns our callback URL, not yet opened */
export const toCallback = async (authServer: AuthServer, start: string | URL): Promise<URL> => {
  let url = new URL(start);
  do url = await follow(url);
  while (!url.href.startsWith(`${authServer.url}/callback`));
  return url;
};

/** Follows all redirects up to the page of the site. */
export const followAll = async (authServer: AuthServer, start: string | URL): Promise<URL> =>
  follow(await toCallback(authServer, start));

export const fragmentOf = (address: URL): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(address.hash.slice(1)));
