import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type KeyPlaces, readSigningKeys, type StoredKey, writeSigningKeys } from './key-file.ts';
import type { Keys } from './keys.ts';
import { endOf, newSigningKey, retired, usableKeys } from './signing-key.ts';

const LOOK_EVERY_MS = 2_000;

/**
 * Puts a new signing key in front. The old ones verify until the tokens they signed have ended, or with `revoke` no
 * more at all: for a key that somebody else may have.
 * @returns the stored keys, the new one first
 */
export async function rotateSigningKey(places: KeyPlaces, { revoke }: { revoke: boolean }): Promise<StoredKey[]> {
  const now = new Date();
  // A project may name its file before there is one.
  const first = places.signingFile !== null && !existsSync(places.signingFile);
  const stored = first ? [] : await readSigningKeys(places);
  const old = revoke ? [] : await Promise.all(stored.map((key) => retired(key, now)));
  const kept = old.filter((key) => endOf(key, places.tokenSeconds)! > now.getTime());
  const signing = [await newSigningKey(), ...kept];
  await writeSigningKeys(places, signing);
  return signing;
}

/**
 * Follows the key file while the server runs: a new key signs a moment after it was put there, without a restart.
 * @param changed told the ids of the keys that are good from now on, the signing one first
 * @returns a function that stops it and waits for what runs
 */
export function followKeys(
  keys: Keys,
  places: KeyPlaces,
  log: Logger,
  changed: (kids: string[]) => Promise<void>,
  everyMs = LOOK_EVERY_MS,
): () => Promise<void> {
  let seen = '';
  let complaint = '';
  const look = async () => {
    try {
      const { mtimeMs, size, ino } = await stat(places.signingFile ?? places.file);
      const now = `${mtimeMs} ${size} ${ino}`;
      const over = keys.signing.some(({ endsAt }) => endsAt !== null && endsAt <= Date.now());
      if (now === seen && !over) return;
      const next = await usableKeys(await readSigningKeys(places), places.tokenSeconds);
      seen = now;
      complaint = '';
      const kids = next.map(({ kid }) => kid);
      if (kids.join() === keys.signing.map(({ kid }) => kid).join()) return;
      keys.signing.splice(0, keys.signing.length, ...next);
      log.info({ kids }, 'the signing keys changed');
      await changed(kids);
    } catch (error) {
      // Whatever is wrong with the file, what was good before it goes on being good. Said once.
      if (complaint !== (error as Error).message) log.error({ err: error }, 'the changed key file is not used');
      complaint = (error as Error).message;
    }
  };
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(look);
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
