import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import type { EntryContext, HandleErrorFunction, RouterContextProvider } from 'react-router';
import { isRouteErrorResponse, ServerRouter } from 'react-router';
import { isFramed, isStaticPage } from '#context/page-handle.ts';
import { type SiteSettings, siteContext } from './context/site-context.ts';
import { inlineStyles, markedScripts } from './session/inline-code.ts';

const RENDER_LIMIT = 5_000;

/** Renders a complete document without streaming: the CSP header lists the hash of each inline script and style. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: RouterContextProvider,
) {
  const { settings } = loadContext.get(siteContext);
  const routes = context.staticHandlerContext.matches.map(({ route }) => route);
  const { html, scripts, styles } = isStaticPage(routes)
    ? staticPage(request, context, settings)
    : await appPage(request, context);
  headers.set('content-type', 'text/html; charset=utf-8');
  // Hot reload injects style elements and inline scripts of its own.
  if (!import.meta.env.DEV) headers.set('content-security-policy', policy(scripts, styles, settings, isFramed(routes)));
  return new Response(html, { status, headers });
}

type Page = { html: string; scripts: string[]; styles: string[] };

/** A page without hydration needs neither scripts nor loader data. */
function staticPage({ url, headers }: Request, entry: EntryContext, { styleSheet }: SiteSettings): Page {
  const { serverHandoffStream, ...context } = entry;
  void serverHandoffStream?.cancel();
  const page = `<!DOCTYPE html>${renderToString(<ServerRouter context={context} url={url} />)}`;
  // A visitor with a draft cookie has the style sheets in the browser cache, and the response is not shared.
  return { ...(headers.has('cookie') ? { html: page, styles: [] } : inlineStyles(page, styleSheet)), scripts: [] };
}

/**
 * A nonce cannot be used with a cached page. The framework marks its own scripts with a nonce that is removed before
 * sending, so a script injected through user content cannot match.
 */
async function appPage({ url }: Request, context: EntryContext): Promise<Page> {
  const nonce = randomBytes(16).toString('base64url');
  const page = await renderDocument(<ServerRouter context={context} url={url} nonce={nonce} />, nonce);
  return { ...markedScripts(page, nonce), styles: [] };
}

const renderDocument = (tree: React.ReactNode, nonce: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let failure: unknown;
    const { pipe, abort } = renderToPipeableStream(tree, {
      nonce,
      onAllReady() {
        clearTimeout(limit);
        if (failure) return reject(failure);
        resolve(text(pipe(new PassThrough())));
      },
      onShellError: reject,
      onError(error) {
        failure = error;
      },
    });
    const giveUp = () => abort(new Error(`The page took longer than ${RENDER_LIMIT} ms to render`));
    const limit = setTimeout(giveUp, RENDER_LIMIT);
  });

function policy(scripts: string[], styles: string[], { supabase }: SiteSettings, isFramed: boolean): string {
  const { origin } = new URL(supabase.url);
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    ["style-src 'self'", ...styles].join(' '),
    `connect-src 'self' ${origin}`,
    `img-src 'self' ${origin} https: data: blob:`,
    `media-src 'self' ${origin} https:`,
    // Of our own pages, the captcha and the preview of an edited page may be framed.
    `frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com`,
    `frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
    ...FIXED_POLICY,
  ].join('; ');
}

const FIXED_POLICY = [
  // Images reserve their space with an inline aspect ratio.
  "style-src-attr 'unsafe-inline'",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
];

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  // An aborted request and a 404 are not server errors.
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.get(siteContext).settings.onError(error, new URL(request.url).pathname);
};
