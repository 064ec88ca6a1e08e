import { readStored, writeStored } from './stored.ts';

type Remembered = 'place' | 'keep';

const keyFor = (what: Remembered) => `madhouse-then-${what}`;

/** Stores the user's intention until sign-in, because an e-mail link opens another tab. */
export const remember = (what: Remembered, value: string): void =>
  writeStored('localStorage', keyFor(what), JSON.stringify({ value, until: Date.now() + 24 * 3600_000 }));

export function readRemembered(what: Remembered): string | null {
  const stored = readStored('localStorage', keyFor(what)) ?? '{}';
  const { value, until } = JSON.parse(stored) as { value?: string; until?: number };
  return value !== undefined && until !== undefined && Date.now() < until ? value : null;
}

export const forget = (what: Remembered): void => writeStored('localStorage', keyFor(what), null);
