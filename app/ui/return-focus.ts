export function focusLinkTo(address: string, within: Node = document): boolean {
  const link = ([...document.links] as HTMLAnchorElement[]).find(
    (one) => one.href === address && within.contains(one) && one.checkVisibility(),
  );
  link?.focus({ preventScroll: true });
  return link !== undefined;
}

/** Focuses the link that was followed. Browsers do this only for pages in the back/forward cache. */
export function returnFocus(): void {
  const { activation } = globalThis.navigation ?? {};
  if (activation?.navigationType !== 'traverse' || document.activeElement !== document.body) return;
  if (activation.from?.url) focusLinkTo(activation.from.url);
}
