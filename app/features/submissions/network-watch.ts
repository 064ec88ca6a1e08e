const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];

/** By a request to the server: `navigator.onLine` is true behind captive portals and while our server is down. */
export function watchNetwork(isReached: () => Promise<boolean>, onChecked: (isReached: boolean) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let checks = 0;
  let active: AbortController | null = null;

  function checkLater() {
    clearTimeout(timer);
    timer = setTimeout(() => void check(), PAUSES_MS[checks++] ?? PAUSES_MS.at(-1));
  }

  function setActive(isNeeded: boolean): void {
    if (isNeeded === (active !== null)) return;
    active?.abort();
    clearTimeout(timer);
    active = isNeeded ? new AbortController() : null;
    if (!active) return;
    checks = 0;
    const { signal } = active;
    addEventListener('online', () => void check(), { signal });
    const checkWhenVisible = () => document.visibilityState === 'visible' && void check();
    document.addEventListener('visibilitychange', checkWhenVisible, { signal });
    checkLater();
  }

  async function check(): Promise<void> {
    const checked = active;
    if (!checked) return;
    clearTimeout(timer);
    const reached = await isReached();
    if (active !== checked) return;
    if (reached) setActive(false);
    else checkLater();
    onChecked(reached);
  }

  return { setActive, check };
}
