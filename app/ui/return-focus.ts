export function focusLinkTo(address: string, within: ParentNode = document): boolean {
  const links = [...within.querySelectorAll<HTMLAnchorElement>('a[href]')];
  const link = links.find((one) => one.href === address && one.checkVisibility());
  link?.focus({ preventScroll: true });
  return link !== undefined;
}

/** Focuses the link that was followed. Browsers do this only for pages in the back/forward cache. */
export function returnFocus(): void {
  const { activation } = globalThis.navigation ?? {};
  if (activation?.navigationType !== 'traverse' || document.activeElement !== document.body) return;
  if (activation.from?.url) focusLinkTo(activation.from.url);
}
