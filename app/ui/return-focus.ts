/** Puts the keyboard on the link that leads to an address, without moving the page; false when there is none in sight. */
export function focusLinkTo(address: string, within: ParentNode = document): boolean {
  const links = [...within.querySelectorAll<HTMLAnchorElement>('a[href]')];
  const link = links.find((one) => one.href === address && one.checkVisibility());
  link?.focus({ preventScroll: true });
  return link !== undefined;
}

/**
 * Whoever comes back by history goes on at the link they had left by. A browser that kept the page does so by itself;
 * one that had to load it again begins at its top.
 */
export function returnFocus(): void {
  const { activation } = globalThis.navigation ?? {};
  if (activation?.navigationType !== 'traverse' || document.activeElement !== document.body) return;
  if (activation.from?.url) focusLinkTo(activation.from.url);
}
