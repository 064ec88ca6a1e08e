const FOCUSABLE = ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not(:disabled)';

/** When the focused element is removed or disabled, a neighbour gets the focus. */
export function keepFocus(root: HTMLElement | null): (() => void) | undefined {
  if (!root) return undefined;
  let path: { element: HTMLElement; at: number }[] = [];
  let byKeyboard = false;
  const isLost = (element: HTMLElement) => !element.isConnected || element.matches(':disabled');
  const rememberFocus = ({ target }: FocusEvent) => {
    path = [];
    byKeyboard = (target as HTMLElement).matches(':focus-visible');
    for (let element = target as HTMLElement | null; element && root.contains(element); element = element.parentElement)
      path.push({ element, at: [...(element.parentElement?.children ?? [])].indexOf(element) });
  };
  const onFocusOut = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null) return;
    // Some browsers fire it just before the element is removed.
    queueMicrotask(() => {
      if (path[0]?.element === target && !isLost(path[0].element)) path = [];
    });
  };
  const moveFocus = () => {
    const removed = path[0]?.element;
    const { activeElement } = document;
    if (!removed || !isLost(removed) || (activeElement !== removed && activeElement !== document.body)) return;
    const level = path.findIndex(({ element }) => element !== removed && element.isConnected);
    const [below, here] = [path[level - 1], path[level]?.element];
    if (!below || !here) return;
    const next = here.children[Math.min(below.at, here.children.length - 1)];
    const candidates = [next, ...(next?.querySelectorAll(FOCUSABLE) ?? [])];
    // Focusing a field would open the on-screen keyboard of a phone.
    const target = (byKeyboard && candidates.find((one) => one?.matches(FOCUSABLE))) || here;
    if (target === here && here.tabIndex < 0) here.tabIndex = -1;
    (target as HTMLElement).focus({ preventScroll: true });
  };
  const observer = new MutationObserver(moveFocus);
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  root.addEventListener('focusin', rememberFocus);
  root.addEventListener('focusout', onFocusOut);
  return () => {
    observer.disconnect();
    root.removeEventListener('focusin', rememberFocus);
    root.removeEventListener('focusout', onFocusOut);
  };
}
