const hovers = matchMedia('(hover: hover)');

const FILM = { muted: true, loop: true, playsInline: true, preload: 'none', tabIndex: -1, ariaHidden: 'true' };

/**
 * Plays the loops of covers: while a pointer or the focus is on one, and as soon as one is in view where nothing hovers or
 * where it leads the page. With reduced motion or saved data only when its button is pressed.
 */
export function playLoops(): void {
  for (const box of document.querySelectorAll<HTMLElement>('.loop:not(:has(> video))')) watch(box);
}

function watch(box: HTMLElement): void {
  const { loops = '', name, leads } = box.dataset;
  const film = Object.assign(document.createElement('video'), FILM);
  film.append(...loops.split(' ').map(sourceOf));
  const button = Object.assign(document.createElement('button'), { type: 'button', className: 'play-button' });
  let userChoice: boolean | null = null;
  let isVisible = false;
  let inView = false;

  function update() {
    const shouldPlay = userChoice ?? (mayMove() && (isVisible || leads !== undefined || !hovers.matches));
    if (!shouldPlay || !inView) return film.pause();
    film.play().catch(() => {
      if (film.networkState === HTMLMediaElement.NETWORK_NO_SOURCE) button.remove();
    });
  }
  function show() {
    button.ariaLabel = `${film.paused ? 'Play' : 'Pause'} the video of “${name}”`;
    button.toggleAttribute('data-playing', !film.paused);
  }
  function approach(now: boolean) {
    isVisible = now;
    update();
  }

  film.addEventListener('playing', () => box.toggleAttribute('data-shown', true));
  for (const change of ['play', 'pause']) film.addEventListener(change, show);
  button.addEventListener('click', () => {
    userChoice = film.paused;
    update();
  });
  const card = box.closest('li') ?? box;
  card.addEventListener('pointerenter', ({ pointerType }) => pointerType === 'mouse' && approach(true));
  card.addEventListener('pointerleave', () => approach(card.matches(':focus-within')));
  card.addEventListener('focusin', () => approach(true));
  card.addEventListener('focusout', ({ relatedTarget }) => approach(card.contains(relatedTarget as Node | null)));
  const onIntersect = ([entry]: { isIntersecting: boolean }[]) => {
    inView = entry!.isIntersecting;
    update();
  };
  new IntersectionObserver(onIntersect, { threshold: 0.5 }).observe(box);
  show();
  box.append(film, button);
}

const sourceOf = (address: string): HTMLSourceElement =>
  Object.assign(document.createElement('source'), { src: address, type: `video/${address.split('.').at(-1)}` });

function mayMove(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return !connection?.saveData && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}
