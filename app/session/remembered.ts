/** How long a browser remembers it, in ms. A mail that is opened later than that leads to the usual place. */
const LIFETIME = 24 * 3600_000;

const keyFor = (what: Remembered) => `madhouse-then-${what}`;

/** `place`: where a new account wanted to go; `keep`: the draft that is to go into the account. */
type Remembered = 'place' | 'keep';

/**
 * Notes what this browser is about to do once somebody is signed in: a mail's link opens another tab, and says nothing
 * about it. Without storage nothing is remembered.
 */
export function remember(what: Remembered, value: string): void {
  try {
    localStorage.setItem(keyFor(what), JSON.stringify({ value, until: Date.now() + LIFETIME }));
  } catch {
    // Then the way leads to the usual place.
  }
}

/** What was noted; null when nothing was, or too long ago. */
export function recall(what: Remembered): string | null {
  try {
    const { value, until } = JSON.parse(localStorage.getItem(keyFor(what)) ?? '{}') as {
      value?: string;
      until?: number;
    };
    return value !== undefined && until !== undefined && Date.now() < until ? value : null;
  } catch {
    return null;
  }
}

export function forget(what: Remembered): void {
  try {
    localStorage.removeItem(keyFor(what));
  } catch {
    // Nothing was noted.
  }
}
