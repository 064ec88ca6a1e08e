import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { databaseTime } from '../database/clock.ts';
import { repeat } from '../database/schedule.ts';
import { type KeyPlaces, readSigningKeys, type StoredKey, writeSigningKeys } from './key-file.ts';
import { type Keys, type NamedKey, usableServiceKeys } from './keys.ts';
import { endOf, newSigningKey, retired, usableKeys } from './signing-key.ts';

/** Old keys verify until their tokens expire, with `revoke` (compromised key) no longer. @returns the new one first */
export async function rotateSigningKey(places: KeyPlaces, { revoke }: { revoke: boolean }): Promise<StoredKey[]> {
  const now = new Date();
  const stored = places.signingFile && !existsSync(places.signingFile) ? [] : await readSigningKeys(places);
  const old = revoke ? [] : await Promise.all(stored.map((key) => retired(key, now)));
  const stillValid = old.filter((key) => endOf(key, places.tokenSeconds)! > now.getTime());
  const signing = [await newSigningKey(), ...stillValid];
  await writeSigningKeys(places, signing);
  return signing;
}

/** Called again until it succeeds. @param valid ids or names of the keys now valid */
export type KeysChanged = (action: 'signing_keys_changed' | 'service_keys_changed', valid: string[]) => Promise<void>;

/** Applies changes of the key file without a restart. @param secretKey from the environment @returns stops and waits */
export function followKeys(
  keys: Keys,
  places: KeyPlaces,
  log: Logger,
  onChange: KeysChanged,
  { everyMs = 2_000, secretKey = null }: { everyMs?: number; secretKey?: string | null } = {},
): () => Promise<void> {
  let lastState = '';
  let lastError = '';
  const unrecorded: Parameters<KeysChanged>[] = [];
  const poll = async () => {
    try {
      const now = (await Promise.all([places.file, places.signingFile].map(stateOf))).join();
      const hasExpired = keys.signing.some(({ endsAt }) => endsAt !== null && endsAt <= databaseTime());
      if (now === lastState && !hasExpired && !unrecorded.length) return;
      const [signing, services] = await Promise.all([
        readSigningKeys(places).then((stored) => usableKeys(stored, places.tokenSeconds)),
        usableServiceKeys(places.file, secretKey),
      ]);
      lastState = now;
      const kids = signing.map(({ kid }) => kid);
      const signingChanged = kids.join() !== keys.signing.map(({ kid }) => kid).join();
      const servicesChanged = valuesOf(services) !== valuesOf(keys.services);
      keys.signing.splice(0, keys.signing.length, ...signing);
      keys.services.splice(0, keys.services.length, ...services);
      keys.secret = services[0].key;
      const names = services.map(({ name }) => name);
      if (signingChanged) log.info({ kids }, 'signing keys changed');
      if (servicesChanged) log.info({ names }, 'service keys changed');
      if (signingChanged) unrecorded.push(['signing_keys_changed', kids]);
      if (servicesChanged) unrecorded.push(['service_keys_changed', names]);
      for (; unrecorded[0]; unrecorded.shift()) await onChange(...unrecorded[0]);
      lastError = '';
    } catch (error) {
      // With an invalid file the previous keys stay in use; logged once per error.
      if (lastError !== (error as Error).message)
        log.error({ err: error }, 'key file ignored, or its change not recorded yet');
      lastError = (error as Error).message;
    }
  };
  return repeat(poll, everyMs);
}

const valuesOf = (services: readonly NamedKey[]) => services.map(({ key }) => key).join();

async function stateOf(file: string | null): Promise<string> {
  if (file === null) return '';
  const { mtimeMs, size, ino } = await stat(file);
  return `${mtimeMs} ${size} ${ino}`;
}
