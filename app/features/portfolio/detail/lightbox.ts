/** Native scrolling and snapping, so that touch works without a script. Closes on back navigation too. */

const STAGE = 80;
const MAX_WIDTH = 1920;

const ICONS = { close: 'M5 5l14 14M19 5 5 19', previous: 'M20 12H5M11 5l-7 7 7 7', next: 'M4 12h15M13 5l7 7-7 7' };

export function openLightbox(pressed: HTMLAnchorElement): void {
  // The cover is linked twice when it is also part of a comparison.
  const allLinks = [...pressed.closest('.detail')!.getElementsByClassName('enlarge')] as HTMLAnchorElement[];
  const links = allLinks.filter(({ href }, at) => allLinks.findIndex((other) => other.href === href) === at);
  let current = links.findIndex(({ href }) => href === pressed.href);

  const dialog = createElement('dialog', 'lightbox full ink paper');
  const track = createElement('div', 'lightbox-track');
  const images = links.map(imageOf);
  const slides = links.map((link, at) => slideOf(link, images[at]!));
  const caption = createElement('p', 'lightbox-caption cluster baseline');
  const count = createElement('span', 'slip quiet');
  const words = createElement('span');
  const previous = button('Previous picture', 'previous', () => goTo(current - 1));
  const nextButton = button('Next picture', 'next', () => goTo(current + 1));
  const close = button('Close', 'close', () => dialog.close());
  dialog.setAttribute('aria-label', `Pictures of ${document.title.split(' | ')[0]}`);
  track.tabIndex = 0;
  track.setAttribute('role', 'group');
  track.setAttribute('aria-label', 'Picture');
  caption.setAttribute('aria-live', 'polite');
  caption.setAttribute('aria-atomic', 'true');
  caption.append(count, ' ', words);
  track.append(...slides);
  dialog.append(close, previous, track, nextButton, caption);
  dialog.toggleAttribute('data-single', links.length === 1);

  function show(index: number) {
    current = index;
    count.textContent = links.length > 1 ? `${index + 1} of ${links.length}` : '';
    words.textContent = captionOf(links[index]!);
    previous.setAttribute('aria-disabled', String(index === 0));
    nextButton.setAttribute('aria-disabled', String(index === links.length - 1));
    slides.forEach((slide, place) => {
      slide.setAttribute('aria-hidden', String(place !== index));
      if (Math.abs(place - index) <= 1) images[place]!.loading = 'eager';
    });
  }

  function goTo(index: number) {
    if (index < 0 || index >= slides.length || index === current) return;
    show(index);
    slides[index]!.scrollIntoView({ behavior: 'instant', block: 'nearest', inline: 'start' });
    slides[index]!.animate({ opacity: [0, 1] }, { duration: reducedMotion() ? 0 : 140 });
  }

  track.addEventListener('scroll', () => {
    const index = Math.round(track.scrollLeft / track.clientWidth);
    if (index !== current && slides[index]) show(index);
  });
  dialog.addEventListener('keydown', (event) => {
    const index = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: slides.length - 1 }[event.key];
    if (index === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    goTo(index);
  });
  track.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLImageElement || (target as Element).closest('summary'))) dialog.close();
  });

  let hasHistoryEntry = true;
  const back = () => {
    hasHistoryEntry = false;
    dialog.close();
  };
  dialog.addEventListener('close', () => {
    removeEventListener('popstate', back);
    if (hasHistoryEntry) history.back();
    dialog.remove();
    pressed.focus({ preventScroll: true });
  });
  document.body.append(dialog);
  dialog.showModal();
  show(current);
  slides[current]!.scrollIntoView({ behavior: 'instant', block: 'nearest', inline: 'start' });
  history.pushState(null, '');
  addEventListener('popstate', back);
}

function imageOf(link: HTMLAnchorElement): HTMLImageElement {
  const image = link.firstElementChild!.cloneNode() as HTMLImageElement;
  const [width = 0, height = 0] = ['width', 'height'].map((side) => Number(image.getAttribute(side)));
  image.removeAttribute('fetchpriority');
  image.loading = 'lazy';
  if (image.srcset) {
    const [widest = ''] = image.srcset.split(',').slice(-1);
    if (!widest.endsWith(` ${MAX_WIDTH}w`))
      image.srcset += `,${widest.replace(/width=\d+ \d+w$/, `width=${MAX_WIDTH} ${MAX_WIDTH}w`)}`;
    image.sizes = height ? `min(100vw, ${Math.round((STAGE * width) / height)}vh)` : '100vw';
  } else {
    image.src = link.href;
  }
  return image;
}

function slideOf(link: HTMLAnchorElement, image: HTMLImageElement): HTMLElement {
  const isAnimated = link.closest('.moving') !== null;
  const slide = createElement('div', `lightbox-slide rigid full pad-top-5 center ${isAnimated ? 'moving' : ''}`);
  slide.append(image);
  if (isAnimated) slide.append(link.nextElementSibling!.cloneNode(true));
  return slide;
}

const captionOf = (link: HTMLElement) =>
  link.closest('figure')?.getElementsByTagName('figcaption')[0]?.textContent ||
  (link.firstElementChild as HTMLImageElement).alt;

const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

function createElement<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, className = ''): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}

function button(label: string, kind: keyof typeof ICONS, act: () => void): HTMLButtonElement {
  const element = createElement('button', `lightbox-button center marked lightbox-${kind}`);
  element.type = 'button';
  element.setAttribute('aria-label', label);
  element.innerHTML = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[kind]}"/></svg>`;
  element.addEventListener('click', act);
  return element;
}
