import type { PagePath } from '#lib/words/page-path.ts';
import { backendOf, hasStoredSession } from './session/stored.ts';
import { watchPostcard } from './ui/form/postcard-form.ts';
import { joinCovers } from './ui/media/cover-transition.ts';
import { dropPlaceholders } from './ui/media/placeholder.ts';
import { returnFocus } from './ui/restore-focus.ts';
import { watchScroll } from './ui/scroll.ts';

// Providers return to the site's root; only the sign-in page handles their answer. Not kept in the history.
if (/[#?&](access_token|error(_code|_description)?)=/.test(location.search + location.hash))
  location.replace(`${'/sign-in' satisfies PagePath}${location.search}${location.hash}`);

watchScroll();
watchPostcard();
joinCovers();
dropPlaceholders();
returnFocus();

addEventListener('click', (event) => {
  const target = event.target as Element;
  const pressed = target.closest<HTMLElement>('a, button');
  if (!pressed) return;
  if (pressed.matches('#menu a')) document.getElementById('menu')?.hidePopover();
  if (pressed.dataset['goBack'] !== undefined) history.back();
  if (pressed.dataset['share'] !== undefined) share(pressed.dataset['share'], pressed.dataset['copied'] ?? '');
  if (pressed.dataset['rows']) openRows(pressed.dataset['rows'] === 'open');
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (pressed.dataset['player']) {
    event.preventDefault();
    play(pressed, pressed.dataset['player']);
  }
  if (pressed.matches('.enlarge')) {
    event.preventDefault();
    enlarge(pressed as HTMLAnchorElement);
  }
  if (pressed.matches('.list-pages [rel=next]')) {
    event.preventDefault();
    more(pressed as HTMLAnchorElement);
  } else if (pressed.matches('.chip, .list-pages a')) document.body.toggleAttribute('data-loading', true);
});

// Scripts for the lightbox and the /join calculator are loaded on first hover or focus.
for (const near of ['pointerover', 'focusin'])
  addEventListener(near, ({ target }) => {
    const close = (selector: string) => (target as Element).closest?.(selector);
    if (close('.enlarge')) lightbox();
    if (close('.join-terms')) import('#features/pages/join/live.ts');
  });

addEventListener('submit', ({ target }) => {
  if ((target as Element).matches('.list-search form')) document.body.toggleAttribute('data-loading', true);
});

// The slider of a comparison moves the seam between its two pictures.
addEventListener('input', ({ target }) => {
  const { parentElement, value } = target as HTMLInputElement;
  if (parentElement?.matches('.comparison')) parentElement.style.setProperty('--split', value);
});

addEventListener('pageshow', () => document.body.removeAttribute('data-loading'));

const more = (link: HTMLAnchorElement) =>
  import('#features/portfolio/list/load-more.ts').then(
    ({ loadMore }) => loadMore(link),
    () => location.assign(link.href),
  );

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

function play(link: HTMLElement, player: string) {
  const frame = document.createElement('iframe');
  frame.src = player;
  frame.title = link.dataset['title'] ?? '';
  frame.allow = 'autoplay; fullscreen; picture-in-picture';
  frame.allowFullscreen = true;
  // Players require a referrer; draft pages send none by default.
  frame.referrerPolicy = 'strict-origin';
  frame.className = 'media-player full';
  link.replaceWith(frame);
  frame.focus();
}

function openRows(open: boolean) {
  for (const row of document.querySelectorAll('details')) row.open = open;
}

const lightbox = () => import('#features/portfolio/detail/lightbox.ts');

const enlarge = (link: HTMLAnchorElement) =>
  lightbox().then(
    ({ openLightbox }) => openLightbox(link),
    () => location.assign(link.href),
  );

const loops = () =>
  document.querySelector('.loop') && import('#features/media/loops.ts').then(({ playLoops }) => playLoops());
loops();
addEventListener('cards-added', loops);

const index = document.querySelector('.section-index, .legal-contents');
if (index) import('#features/portfolio/detail/section-index.ts').then(({ followSections }) => followSections(index));
if (hasStoredSession()) import('#features/portfolio/signed-in.tsx').then(({ begin }) => begin());
if (document.querySelector('meta[name=counting]'))
  import('./session/page-views.ts').then(({ countPageView }) => countPageView(backendOf(document)));
