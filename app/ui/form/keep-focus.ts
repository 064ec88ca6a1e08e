const FOCUSABLE = ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not(:disabled)';

/** When the focused element is removed or disabled, a neighbour gets the focus. */
export function keepFocus(root: HTMLElement | null): (() => void) | undefined {
  if (!root) return undefined;
  let path: { element: HTMLElement; at: number }[] = [];
  let byKeyboard = false;
  const isLost = (element: HTMLElement) => !element.isConnected || element.matches(':disabled');
  const note = ({ target }: FocusEvent) => {
    path = [];
    byKeyboard = (target as HTMLElement).matches(':focus-visible');
    for (let element = target as HTMLElement | null; element && root.contains(element); element = element.parentElement)
      path.push({ element, at: [...(element.parentElement?.children ?? [])].indexOf(element) });
  };
  const leave = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null) return;
    // Some browsers fire it just before the element is removed.
    queueMicrotask(() => {
      if (path[0]?.element === target && !isLost(path[0].element)) path = [];
    });
  };
  const look = () => {
    const lost = path[0]?.element;
    const { activeElement } = document;
    if (!lost || !isLost(lost) || (activeElement !== lost && activeElement !== document.body)) return;
    const up = path.findIndex(({ element }) => element !== lost && element.isConnected);
    const [below, here] = [path[up - 1], path[up]?.element];
    if (!below || !here) return;
    const next = here.children[Math.min(below.at, here.children.length - 1)];
    const inside = [next, ...(next?.querySelectorAll(FOCUSABLE) ?? [])];
    // Focusing a field would open the on-screen keyboard of a phone.
    const to = (byKeyboard && inside.find((one) => one?.matches(FOCUSABLE))) || here;
    if (to === here && here.tabIndex < 0) here.tabIndex = -1;
    (to as HTMLElement).focus({ preventScroll: true });
  };
  const observer = new MutationObserver(look);
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  root.addEventListener('focusin', note);
  root.addEventListener('focusout', leave);
  return () => {
    observer.disconnect();
    root.removeEventListener('focusin', note);
    root.removeEventListener('focusout', leave);
  };
}
