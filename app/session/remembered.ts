const LIFETIME = 24 * 3600_000;

const keyFor = (what: Remembered) => `madhouse-then-${what}`;

type Remembered = 'place' | 'keep';

/** Stores an intent until sign-in, because a mail link opens another tab. Without storage nothing is stored. */
export function remember(what: Remembered, value: string): void {
  try {
    localStorage.setItem(keyFor(what), JSON.stringify({ value, until: Date.now() + LIFETIME }));
  } catch {}
}

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
  } catch {}
}
