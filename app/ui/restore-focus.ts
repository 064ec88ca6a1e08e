/** Moves the focus to `place` or the main element if the focused element is gone. */
export function restoreFocus(place?: HTMLElement | null): void {
  const active = document.activeElement;
  // An element hidden just now is still active until the next paint.
  if (active && active !== document.body && active.checkVisibility()) return;
  const to = place ?? document.querySelector('main');
  if (!to) return;
  if (to.tabIndex < 0) to.tabIndex = -1;
  to.focus({ preventScroll: true });
}
