import type { PagePath } from '#lib/words/page-path.ts';
import { backendOf, hasStoredSession } from './session/stored.ts';
import { joinCovers } from './ui/media/cover-transition.ts';
import { dropPlaceholders } from './ui/media/placeholder.ts';
import { returnFocus } from './ui/restore-focus.ts';
import { watchScroll } from './ui/scroll.ts';

// Providers return to the site's root; only the sign-in page handles their answer. Not kept in the history.
if (/[#?&](access_token|error(_code|_description)?)=/.test(location.search + location.hash))
  location.replace(`${'/sign-in' satisfies PagePath}${location.search}${location.hash}`);

/** A browser does not report that loading was stopped. */
const STOPPED_MS = 10_000;

watchScroll();
joinCovers();
dropPlaceholders();
returnFocus();

// biome-ignore lint/suspicious/noExplicitAny: each function knows the element that its selector finds
type Action = (element: any, event: Event) => unknown;

/** Adds behaviour to static pages, which work without it. Listed by selector; larger parts are loaded when needed. */
function on(types: string, acts: Record<string, Action>): void {
  for (const type of types.split(' '))
    addEventListener(type, (event) => {
      for (const [selector, act] of Object.entries(acts)) {
        const element = (event.target as Element).closest?.(selector);
        if (element) act(element, event);
      }
    });
}

function start(selector: string, act: (element: Parameters<Action>[0]) => unknown): void {
  const element = document.querySelector(selector);
  if (element) act(element);
}

/** Limits an action to clicks that open the link in this tab. */
const inThisTab =
  (act: Action): Action =>
  (link, event) => {
    const { defaultPrevented, button, metaKey, ctrlKey, shiftKey } = event as MouseEvent;
    if (!(defaultPrevented || button || metaKey || ctrlKey || shiftKey)) act(link, event);
  };

/** Replaces the default action of a link, which is followed if the replacement fails. */
const replaceLink = (act: (link: HTMLAnchorElement) => unknown) =>
  inThisTab(async (link, event) => {
    event.preventDefault();
    try {
      await act(link);
    } catch {
      location.assign(link.href);
    }
  });

function showLoading() {
  document.body.toggleAttribute('data-loading', true);
  setTimeout(endLoading, STOPPED_MS);
}
function endLoading() {
  document.body.removeAttribute('data-loading');
  start('.postcard-form', (form) => form.removeAttribute('aria-busy'));
}
const lightbox = () => import('#features/portfolio/detail/lightbox.ts');

on('click', {
  '#menu a': (link) => link.closest('#menu').hidePopover(),
  '[data-go-back]': () => (history.length > 1 ? history.back() : location.assign('/' satisfies PagePath)),
  '[data-share]': ({ dataset }) => share(dataset.share, dataset.copied),
  '[data-rows]': (button) => {
    for (const row of button.closest('.join-terms').children) row.open = button.dataset.rows === 'open';
  },
  '[data-player]': replaceLink(play),
  '.enlarge': replaceLink(async (link) => (await lightbox()).openLightbox(link)),
  '.list-pages [rel=next]': replaceLink(async (link) =>
    (await import('#features/portfolio/list/load-more.ts')).loadMore(link),
  ),
  '.chip, .list-pages [rel=prev]': inThisTab(showLoading),
});

on('pointerover focusin', { '.enlarge': lightbox, '.join-terms': () => import('#features/pages/join/live.ts') });

on('input', { '.comparison input': ({ parentElement, value }) => parentElement.style.setProperty('--split', value) });

on('submit', {
  '.list-search form': showLoading,
  '.postcard-form': (form, event) => {
    if (form.ariaBusy) event.preventDefault();
    form.ariaBusy = 'true';
    setTimeout(endLoading, STOPPED_MS);
  },
});

start('.postcard-form', ({ elements }) => (elements.opened.value ||= Date.now()));
function startParts() {
  start('.section-index, .legal-contents', async (index) =>
    (await import('#features/portfolio/detail/section-index.ts')).followSections(index),
  );
  start('.loop', async () => (await import('#features/media/loops.ts')).playLoops());
}
start('meta[name=counting]', async () => (await import('./session/page-views.ts')).countPageView(backendOf()));
startParts();
addEventListener('content-added', startParts);
addEventListener('pageshow', endLoading);
if (hasStoredSession()) import('#features/portfolio/signed-in.tsx').then(({ showSignedInParts: begin }) => begin());

async function share(title: string, copied: string) {
  try {
    if (navigator.share) return await navigator.share({ title, url: location.href });
  } catch (error) {
    if ((error as Error).name === 'AbortError') return;
  }
  try {
    await navigator.clipboard.writeText(location.href);
    alert(copied);
  } catch {
    // The clipboard needs TLS: otherwise the address is shown for copying.
    prompt(title, location.href);
  }
}

function play(link: HTMLElement) {
  const frame = document.createElement('iframe');
  frame.src = link.dataset['player']!;
  frame.title = link.dataset['title'] ?? '';
  frame.allow = 'autoplay; fullscreen; picture-in-picture';
  frame.allowFullscreen = true;
  // Players require a referrer; draft pages send none by default.
  frame.referrerPolicy = 'strict-origin';
  frame.className = 'media-player full';
  link.replaceWith(frame);
  frame.focus();
}
