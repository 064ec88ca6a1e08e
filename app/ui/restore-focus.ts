/** Moves the focus to `place` or the main element if the focused element is gone. */
export function restoreFocus(place?: HTMLElement | null): void {
  const active = document.activeElement;
  // A hidden element is still the active one until the next paint.
  if (active && active !== document.body && active.checkVisibility()) return;
  const target = place ?? document.querySelector('main');
  if (!target) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

export function focusLinkTo(address: string, within: Node = document): boolean {
  const links = [...document.links] as HTMLAnchorElement[];
  const link = links.find((one) => one.href === address && within.contains(one) && one.checkVisibility());
  link?.focus({ preventScroll: true });
  return link !== undefined;
}

/** Focuses the link that was followed. Browsers do this only for pages in the back/forward cache. */
export function returnFocus(): void {
  const { activation } = globalThis.navigation ?? {};
  if (activation?.navigationType !== 'traverse' || document.activeElement !== document.body) return;
  if (activation.from?.url) focusLinkTo(activation.from.url);
}
