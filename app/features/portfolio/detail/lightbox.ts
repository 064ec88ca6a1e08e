/** Native scrolling and snapping, so that touch works without a script. Closes on back navigation too. */

const STAGE = 80;
const MAX_WIDTH = 1920;

const ICONS = { close: 'M5 5l14 14M19 5 5 19', previous: 'M20 12H5M11 5l-7 7 7 7', next: 'M4 12h15M13 5l7 7-7 7' };

export function openLightbox(pressed: HTMLAnchorElement): void {
  // The cover is linked twice when it is also part of a comparison.
  const allLinks = [...pressed.closest('.detail')!.getElementsByClassName('enlarge')] as HTMLAnchorElement[];
  const links = allLinks.filter(({ href }, at) => allLinks.findIndex((other) => other.href === href) === at);
  let current = links.findIndex(({ href }) => href === pressed.href);

  const dialog = document.createElement('dialog');
  dialog.className = 'lightbox full ink paper';
  dialog.ariaLabel = `Pictures of ${document.title.split(' | ')[0]}`;
  dialog.toggleAttribute('data-single', links.length === 1);
  dialog.innerHTML = `${button('close', 'Close')}${button('previous', 'Previous picture')}
    <div class="lightbox-track" tabindex="0" role="group" aria-label="Picture"></div>${button('next', 'Next picture')}
    <p class="lightbox-caption cluster baseline" aria-live="polite" aria-atomic="true">
      <span class="slip quiet"></span> <span></span>
    </p>`;
  const [close, previous, next] = elementsIn(dialog, 'button');
  const [track] = elementsIn(dialog, 'div');
  const [count, words] = elementsIn(dialog, 'span');
  const images = links.map(imageOf);
  const slides = links.map((link, at) => slideOf(link, images[at]!));
  track.append(...slides);

  function show(index: number) {
    current = index;
    count.textContent = links.length > 1 ? `${index + 1} of ${links.length}` : '';
    words.textContent = captionOf(links[index]!);
    previous.setAttribute('aria-disabled', String(index === 0));
    next.setAttribute('aria-disabled', String(index === links.length - 1));
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

  close.onclick = () => dialog.close();
  previous.onclick = () => goTo(current - 1);
  next.onclick = () => goTo(current + 1);
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
  const slide = document.createElement('div');
  slide.className = `lightbox-slide rigid full pad-top-5 center ${isAnimated ? 'moving' : ''}`;
  slide.append(image);
  if (isAnimated) slide.append(link.nextElementSibling!.cloneNode(true));
  return slide;
}

const captionOf = (link: HTMLElement) =>
  link.closest('figure')?.getElementsByTagName('figcaption')[0]?.textContent ||
  (link.firstElementChild as HTMLImageElement).alt;

const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

const elementsIn = (parent: Element, tag: keyof HTMLElementTagNameMap) =>
  [...parent.getElementsByTagName(tag)] as [HTMLElement, HTMLElement, HTMLElement];

const button = (kind: keyof typeof ICONS, label: string) =>
  `<button class="lightbox-button center marked lightbox-${kind}" type="button" aria-label="${label}"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[kind]}"/></svg></button>`;
