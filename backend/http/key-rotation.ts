import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { houseTime } from '../clock.ts';
import { type KeyPlaces, readSigningKeys, type StoredKey, writeSigningKeys } from './key-file.ts';
import { type Keys, type NamedKey, usableServiceKeys } from './keys.ts';
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

/** What became different, as the audit log calls it, and what is good from now on: ids of keys, or names. */
export type KeysChanged = (action: 'signing_keys_changed' | 'service_keys_changed', good: string[]) => Promise<void>;

/**
 * Follows the key file while the server runs: a new key is good a moment after it was put there, without a restart, and one
 * that was taken out is refused.
 * @param changed told when keys of one kind became others, the leading one first
 * @param options.secretKey the house's service key when the environment gives it
 * @returns a function that stops it and waits for what runs
 */
export function followKeys(
  keys: Keys,
  places: KeyPlaces,
  log: Logger,
  changed: KeysChanged,
  { everyMs = LOOK_EVERY_MS, secretKey = null }: { everyMs?: number; secretKey?: string | null } = {},
): () => Promise<void> {
  let seen = '';
  let complaint = '';
  const look = async () => {
    try {
      const now = (await Promise.all([places.file, places.signingFile].map(stateOf))).join();
      const over = keys.signing.some(({ endsAt }) => endsAt !== null && endsAt <= houseTime());
      if (now === seen && !over) return;
      const [signing, services] = await Promise.all([
        readSigningKeys(places).then((stored) => usableKeys(stored, places.tokenSeconds)),
        usableServiceKeys(places.file, secretKey),
      ]);
      seen = now;
      complaint = '';
      const kids = signing.map(({ kid }) => kid);
      const otherSigning = kids.join() !== keys.signing.map(({ kid }) => kid).join();
      const otherServices = valuesOf(services) !== valuesOf(keys.services);
      keys.signing.splice(0, keys.signing.length, ...signing);
      keys.services.splice(0, keys.services.length, ...services);
      keys.secret = services[0].key;
      const names = services.map(({ name }) => name);
      if (otherSigning) log.info({ kids }, 'signing keys changed');
      if (otherServices) log.info({ names }, 'service keys changed');
      if (otherSigning) await changed('signing_keys_changed', kids);
      if (otherServices) await changed('service_keys_changed', names);
    } catch (error) {
      // Whatever is wrong with the file, what was good before it goes on being good. Said once.
      if (complaint !== (error as Error).message) log.error({ err: error }, 'changed key file ignored');
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

const valuesOf = (services: readonly NamedKey[]) => services.map(({ key }) => key).join();

async function stateOf(file: string | null): Promise<string> {
  if (file === null) return '';
  const { mtimeMs, size, ino } = await stat(file);
  return `${mtimeMs} ${size} ${ino}`;
}
