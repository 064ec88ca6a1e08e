/**
 * Leads the keyboard to the beginning of the screen when what it was on is gone; otherwise it stays where it is.
 * @param place where to go instead; it must be able to hold the focus
 */
export function restoreFocus(place?: HTMLElement | null): void {
  const active = document.activeElement;
  // What was hidden just now is still active until the browser draws.
  if (active && active !== document.body && active.checkVisibility()) return;
  const to = place ?? document.querySelector('main');
  if (!to) return;
  // The attribute is what makes it focusable.
  if (to.tabIndex < 0) to.tabIndex = -1;
  to.focus({ preventScroll: true });
}
