import type { PagePath } from '#lib/words/page-path.ts';

/** Calls for which the identity service may require a captcha. */
const GUARDED = /\/auth\/v1\/(signup|otp|magiclink|recover|resend|sso)$/;

const isGuarded = ({ pathname, searchParams }: URL): boolean =>
  pathname.endsWith('/auth/v1/token') ? searchParams.get('grant_type') === 'password' : GUARDED.test(pathname);

/** Solves a captcha before each guarded call. @param solve returns the token, or null when unsolved */
export const withCaptcha =
  (send: typeof fetch, solve: () => Promise<string | null>): typeof fetch =>
  async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (init?.method !== 'POST' || typeof init.body !== 'string' || !isGuarded(url)) return send(input, init);
    const token = await solve();
    if (token === null) return send(input, init);
    const body = JSON.parse(init.body) as { gotrue_meta_security?: object };
    const security = { ...body.gotrue_meta_security, captcha_token: token };
    return send(input, { ...init, body: JSON.stringify({ ...body, gotrue_meta_security: security }) });
  };

export function solveInDialog(): Promise<string | null> {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog';
  dialog.setAttribute('aria-labelledby', 'captcha-title');
  dialog.innerHTML = `
    <h2 class="size-1" id="captcha-title">One moment: please confirm you’re human</h2>
    <iframe class="captcha-frame full gap-above" title="Check for humans" src="${'/captcha' satisfies PagePath}"></iframe>
    <form class="cluster end above-5" method="dialog"><button class="button button-secondary">Cancel</button></form>`;
  const frame = dialog.children[1] as HTMLIFrameElement;
  document.body.append(dialog);

  return new Promise((resolve) => {
    let token: string | null = null;
    const listen = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.contentWindow || origin !== location.origin) return;
      const answer = (data as { captcha?: { token?: unknown; grows?: true } } | null)?.captcha;
      if (!answer) return;
      if (answer.grows) return frame.classList.add('captcha-frame-grown');
      token = typeof answer.token === 'string' ? answer.token : null;
      dialog.close();
    };
    addEventListener('message', listen);
    dialog.addEventListener('close', () => {
      removeEventListener('message', listen);
      dialog.remove();
      resolve(token);
    });
    dialog.showModal();
  });
}
