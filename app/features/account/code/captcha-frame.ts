import { siteContext } from '#context/site-context.ts';
import { privatePage } from '#lib/page-headers.ts';
import { hashSource } from '#session/inline-code.ts';
import type { Route } from './+types/captcha-frame';

const PROVIDERS = {
  turnstile: {
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit&onload=ready',
    hosts: 'https://challenges.cloudflare.com',
  },
  hcaptcha: {
    script: 'https://js.hcaptcha.com/1/api.js?render=explicit&onload=ready',
    hosts: 'https://hcaptcha.com https://*.hcaptcha.com',
  },
};

const WIDGET = `
const { key, name, script } = document.body.dataset;
const tell = (answer) => parent.postMessage({ captcha: answer }, location.origin);
const failed = () => tell({ token: null });
globalThis.ready = () => globalThis[name].render('widget', {
  sitekey: key,
  theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  callback: (token) => tell({ token }),
  'error-callback': failed,
  'open-callback': () => tell({ grows: true }),
});
const element = document.createElement('script');
element.src = script;
element.onerror = failed;
document.head.append(element);
`;

/** The only page that loads a third-party script, framed by our forms. The token goes only to the parent page. */
export function loader({ context }: Route.LoaderArgs) {
  const { captcha } = context.get(siteContext).settings;
  if (!captcha) throw new Response('Not found', { status: 404 });
  const { script, hosts } = PROVIDERS[captcha.provider];
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Check for humans</title></head><body data-key="${captcha.siteKey}" data-name="${captcha.provider}" data-script="${script.replaceAll('&', '&amp;')}"><div id="widget"></div><script>${WIDGET}</script></body></html>`;
  return new Response(html, {
    headers: {
      ...privatePage,
      'content-type': 'text/html; charset=utf-8',
      // The referrer policy sends only the site's origin, which the provider requires.
      'referrer-policy': 'strict-origin',
      'content-security-policy': `default-src 'none'; script-src ${hashSource(WIDGET)} ${hosts}; frame-src ${hosts}; connect-src 'self' ${hosts}; style-src 'unsafe-inline' ${hosts}; img-src ${hosts} data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
    },
  });
}
