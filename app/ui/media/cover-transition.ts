let disconnect = () => {};

/** View transition between the cover of a card and of its page. */
export function joinCovers(): void {
  addEventListener('pageswap', ({ viewTransition, activation }) => {
    if (viewTransition && activation && !goesBack(activation)) nameCover(activation.entry.url);
  });
  addEventListener('pagereveal', ({ viewTransition }) => {
    // Not every browser with these transitions has the Navigation API.
    const activation = globalThis.navigation?.activation;
    if (!viewTransition || !activation || !goesBack(activation)) return;
    nameCover(activation.from?.url);
    viewTransition.finished.then(disconnect);
  });
  addEventListener('pageshow', () => disconnect());
}

const goesBack = ({ navigationType, entry, from }: NavigationActivation) =>
  navigationType === 'traverse' && from !== null && entry.index < from.index;

function nameCover(address: string | null | undefined): void {
  disconnect();
  const link = [...document.links].find((one) => one.href === address && one.closest('h2, h3'));
  const card = link?.closest('li, .next')?.getElementsByTagName('img')[0];
  if (!card) return;
  const own = document.querySelector<HTMLElement>('.detail-cover img');
  card.style.setProperty('view-transition-name', 'cover');
  own?.style.setProperty('view-transition-name', 'none');
  disconnect = () => {
    for (const cover of [card, own]) cover?.style.removeProperty('view-transition-name');
  };
}
