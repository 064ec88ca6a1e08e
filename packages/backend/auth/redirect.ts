import type { AuthRequest } from './context.ts';
import type { ApiError } from './errors.ts';
import type { TokenResponse } from './sessions/session.ts';

const MAX_LENGTH = 2048;

/** The first allowed of body, header, query and Referer, else the site. Others are skipped without revealing the reason. */
export function redirectOf(c: AuthRequest, requested: string | null = null): string {
  const { config, project } = c.var.identity;
  const candidates = [requested, c.req.header('redirect_to'), c.req.query('redirect_to'), c.req.header('referer')];
  const { additional_redirect_urls: allowList } = project.auth;
  return candidates.find((candidate) => candidate && isAllowed(candidate, config.siteUrl, allowList)) ?? config.siteUrl;
}

export function isAllowed(address: string, siteUrl: string, allowList: readonly string[]): boolean {
  if (address.length > MAX_LENGTH || /[\\\s]/.test(address) || hasControl(address)) return false;
  const url = URL.parse(address);
  // Check the scheme first: a `blob:` URL has the origin of the page that created it.
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  if (url.username || url.password || url.pathname.includes('//')) return false;
  if (url.origin === siteUrl) return true;
  // A glob must never match an IP literal.
  if (isIpLiteral(url.hostname)) return false;
  const [plain] = url.href.split('#');
  return allowList.some((glob) => matches(glob, plain!) || matches(`${glob}/`, plain!));
}

const hasControl = (text: string) => [...text].some((letter) => letter < ' ' || letter === '\x7f');
// `URL` normalizes decimal, octal and hexadecimal spellings to dotted form.
const isIpLiteral = (host: string) => host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host);

/** `*` stops at `.` and `/`, `**` crosses them, `?` is one character. Takes at most glob × text steps. */
export function matches(glob: string, text: string): boolean {
  let positions = new Set([0]);
  for (let at = 0; at < glob.length; at++) {
    const next = new Set<number>();
    if (glob[at] === '*') {
      const isDouble = glob[at + 1] === '*';
      if (isDouble) at++;
      for (const start of positions) {
        for (let end = start; !next.has(end) && end <= text.length; end++) {
          next.add(end);
          if (!isDouble && (text[end] === '.' || text[end] === '/')) break;
        }
      }
    } else {
      for (const start of positions)
        if (start < text.length && (glob[at] === '?' || glob[at] === text[start])) next.add(start + 1);
    }
    positions = next;
  }
  return positions.has(text.length);
}

/** Redirect with the session in the fragment, which never reaches servers and their logs. */
export function withTokens(redirectTo: string, session: TokenResponse, extra: Record<string, string> = {}): string {
  const { access_token, refresh_token, expires_at, expires_in, token_type } = session;
  const times = { expires_at: String(expires_at), expires_in: String(expires_in) };
  return withFragment(redirectTo, { access_token, ...times, refresh_token, sb: '', token_type, ...extra });
}

export function withCode(redirectTo: string, code: string): string {
  const url = new URL(redirectTo);
  url.searchParams.set('code', code);
  return url.href;
}

/** Puts messages into query and fragment, for clients of the PKCE and the implicit flow. */
export function withParameters(redirectTo: string, parameters: Record<string, string>): string {
  const url = new URL(redirectTo);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return withFragment(url.href, { ...parameters, sb: '' });
}

export const withRefusal = (redirectTo: string, { status, code, message }: ApiError): string =>
  withParameters(redirectTo, { error: oauthError(status), error_code: code, error_description: message });

const oauthError = (status: number): string =>
  ({ 400: 'invalid_request', 401: 'unauthorized_client', 503: 'temporarily_unavailable' })[status] ??
  (status >= 500 ? 'server_error' : 'access_denied');

function withFragment(address: string, members: Record<string, string>): string {
  const url = new URL(address);
  url.hash = new URLSearchParams(members).toString();
  return url.href;
}

/** The page whose button redeems an e-mail link: scanners and prefetchers that follow links must not redeem it. */
export function confirmPage(siteUrl: string, link: { tokenHash: string; type: string; redirectTo: string }): string {
  const page = new URL('/confirm', siteUrl);
  page.searchParams.set('token_hash', link.tokenHash);
  page.searchParams.set('type', link.type);
  const target = new URL(link.redirectTo);
  const isOwnSite = target.origin === siteUrl;
  page.searchParams.set('next', isOwnSite ? target.pathname + target.search + target.hash : target.href);
  return page.href;
}
