import type { PagePath } from '../copy/page-path.ts';

/** Calls that the identity service lets only humans make, when it asks for a check. */
const GUARDED = /\/auth\/v1\/(signup|otp|magiclink|recover|resend|sso)$/;

function isGuarded({ pathname, searchParams }: URL): boolean {
  if (pathname.endsWith('/auth/v1/token')) return searchParams.get('grant_type') === 'password';
  return GUARDED.test(pathname);
}

/**
 * A `fetch` that has a human check solved before each call that needs one, so that no form has to know of it.
 * @param solve answers with the provider's token, or null when nobody solved it: then the service refuses in its own words
 */
export function withCaptcha(send: typeof fetch, solve: () => Promise<string | null>): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (init?.method !== 'POST' || typeof init.body !== 'string' || !isGuarded(url)) return send(input, init);
    const token = await solve();
    if (token === null) return send(input, init);
    const body = JSON.parse(init.body) as { gotrue_meta_security?: object };
    const security = { ...body.gotrue_meta_security, captcha_token: token };
    return send(input, { ...init, body: JSON.stringify({ ...body, gotrue_meta_security: security }) });
  };
}

/** Shows the check in a dialog, and closes it with the answer. Escape and Cancel leave it unsolved. Browser only. */
export function solveInDialog(): Promise<string | null> {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog';
  dialog.setAttribute('aria-labelledby', 'captcha-title');
  const title = document.createElement('h2');
  title.className = 'dialog-title';
  title.id = 'captcha-title';
  title.textContent = 'One moment: is it you?';
  const frame = document.createElement('iframe');
  frame.className = 'captcha-frame';
  frame.title = 'Check for humans';
  frame.src = '/captcha' satisfies PagePath;
  const actions = document.createElement('p');
  actions.className = 'dialog-actions';
  const cancel = document.createElement('button');
  cancel.type = 'button';
  cancel.className = 'button button-secondary';
  cancel.textContent = 'Cancel';
  cancel.onclick = () => dialog.close();
  actions.append(cancel);
  dialog.append(title, frame, actions);
  document.body.append(dialog);

  return new Promise((resolve) => {
    let token: string | null = null;
    const listen = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.contentWindow || origin !== location.origin) return;
      const answer = (data as { captcha?: { token?: unknown; grows?: true } } | null)?.captcha;
      if (!answer) return;
      // Pictures to choose from take more place than a box to tick.
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
