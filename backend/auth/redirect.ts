import type { Context } from 'hono';
import type { Env } from './context.ts';
import type { ApiError } from './errors.ts';
import type { TokenResponse } from './sessions/session.ts';

const MAX_LENGTH = 2048;

/**
 * Where a mail link may lead in the end: the first acceptable of header, query and Referer, else the site itself.
 * What is not acceptable is skipped silently, so the check tells nothing to who tries it.
 */
export function redirectOf(c: Context<Env>): string {
  const { config, project } = c.var.identity;
  const candidates = [c.req.header('redirect_to'), c.req.query('redirect_to'), c.req.header('referer')];
  for (const candidate of candidates) {
    if (candidate && isAllowed(candidate, config.siteUrl, project.auth.additional_redirect_urls)) return candidate;
  }
  return config.siteUrl;
}

/** Whether an address has the site's own origin or is on the allow list (globs); compared after one parse. */
export function isAllowed(address: string, siteUrl: string, allowList: readonly string[]): boolean {
  if (address.length > MAX_LENGTH || /[\\\s]/.test(address) || hasControl(address)) return false;
  const url = URL.parse(address);
  // The scheme comes first: a `blob:` has the origin of the page that made it.
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  if (url.username || url.password || url.pathname.includes('//')) return false;
  if (url.origin === siteUrl) return true;
  // A glob must never be able to let in an IP literal.
  if (isIpLiteral(url.hostname)) return false;
  const [plain] = url.href.split('#');
  return allowList.some((glob) => matches(glob, plain!) || matches(`${glob}/`, plain!));
}

const hasControl = (text: string) => [...text].some((letter) => letter < ' ' || letter === '\x7f');
// `URL` has already turned decimal, octal and hexadecimal spellings into dotted form.
const isIpLiteral = (host: string) => host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host);

/** `*` stops at `.` and `/`, `**` crosses them, `?` is one character. Costs glob × text, never more. */
export function matches(glob: string, text: string): boolean {
  // Positions of the text that the part of the glob read so far can reach.
  let reached = new Set([0]);
  for (let at = 0; at < glob.length; at++) {
    const next = new Set<number>();
    if (glob[at] === '*') {
      const crosses = glob[at + 1] === '*';
      if (crosses) at++;
      for (const start of reached) {
        for (let end = start; !next.has(end) && end <= text.length; end++) {
          next.add(end);
          if (!crosses && (text[end] === '.' || text[end] === '/')) break;
        }
      }
    } else {
      for (const start of reached)
        if (start < text.length && (glob[at] === '?' || glob[at] === text[start])) next.add(start + 1);
    }
    reached = next;
  }
  return reached.has(text.length);
}

/** The address a browser is sent to with a session in the fragment, where servers and their logs never see it. */
export function withTokens(redirectTo: string, answer: TokenResponse, more: Record<string, string> = {}): string {
  const { access_token, refresh_token, expires_at, expires_in, token_type } = answer;
  return withFragment(redirectTo, {
    access_token,
    expires_at: String(expires_at),
    expires_in: String(expires_in),
    refresh_token,
    sb: '',
    token_type,
    ...more,
  });
}

/** The address a browser is sent to with a code that only its own client can exchange. */
export function withCode(redirectTo: string, code: string): string {
  const url = new URL(redirectTo);
  url.searchParams.set('code', code);
  return url.href;
}

export interface RedirectedError {
  /** Of OAuth: `access_denied`, `invalid_request`, `server_error` … */
  error: string;
  /** Of our catalogue. */
  error_code?: string;
  error_description: string;
}

/** The address a browser is sent to when it did not work: the words stand in the query and in the fragment. */
export function withError(redirectTo: string, problem: RedirectedError): string {
  const url = new URL(redirectTo);
  for (const [name, value] of Object.entries(problem)) url.searchParams.set(name, value);
  return withFragment(url.href, { ...problem, sb: '' });
}

/** As `withError`, for a refusal of our catalogue. */
export const withRefusal = (redirectTo: string, { status, code, message }: ApiError): string =>
  withError(redirectTo, { error: oauthError(status), error_code: code, error_description: message });

/** The OAuth word for an HTTP status. */
export const oauthError = (status: number): string =>
  ({ 400: 'invalid_request', 401: 'unauthorized_client', 403: 'access_denied', 503: 'temporarily_unavailable' })[
    status
  ] ?? (status >= 500 ? 'server_error' : 'access_denied');

function withFragment(address: string, members: Record<string, string>): string {
  const url = new URL(address);
  url.hash = new URLSearchParams(members).toString();
  return url.href;
}

/** The page of the site whose button redeems a mail link, so that scanners and prefetchers that follow links consume nothing. */
export function confirmPage(siteUrl: string, link: { tokenHash: string; type: string; redirectTo: string }): string {
  const page = new URL('/confirm', siteUrl);
  page.searchParams.set('token_hash', link.tokenHash);
  page.searchParams.set('type', link.type);
  const target = new URL(link.redirectTo);
  const own = target.origin === siteUrl;
  page.searchParams.set('next', own ? target.pathname + target.search + target.hash : target.href);
  return page.href;
}
