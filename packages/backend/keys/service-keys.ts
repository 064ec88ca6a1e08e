import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { writeDurably } from '../data-dir/durable-file.ts';
import type { Database } from '../database/database.ts';
import { changeKeyFile, newServiceKey, readKeyFile, type ServiceKey } from './key-file.ts';

export const SERVER_KEY = 'server';

const NAME = /^[a-z0-9][a-z0-9 ._-]{0,62}$/i;
const HOUR_MS = 60 * 60 * 1000;

export async function serviceKeys(file: string): Promise<ServiceKey[]> {
  const { secret, secretMadeAt, services = [] } = await readKeyFile(file);
  return [{ name: SERVER_KEY, key: secret, madeAt: secretMadeAt ?? null }, ...services];
}

export async function addServiceKey(file: string, name: string): Promise<string> {
  if (!NAME.test(name)) throw new Error('A name has 1 to 63 letters, digits, spaces, dots, hyphens or underscores.');
  const key = newServiceKey();
  await readKeyFile(file);
  await changeKeyFile(file, (stored) => {
    const services = stored.services ?? [];
    if (name === SERVER_KEY || services.some((service) => service.name === name))
      throw new Error(`The service key name ${name} is or was in use. Choose another name.`);
    return { ...stored, services: [...services, { name, key, madeAt: new Date().toISOString() }] };
  });
  return key;
}

/** Revokes a key; the server's own is replaced instead. @throws Error when there is no such key */
export async function revokeServiceKey(file: string, name: string): Promise<void> {
  const now = new Date().toISOString();
  await readKeyFile(file);
  await changeKeyFile(file, (stored) => {
    if (name === SERVER_KEY) return { ...stored, secret: newServiceKey(), secretMadeAt: now };
    const services = stored.services ?? [];
    const revoked = services.find((service) => service.name === name && service.key !== undefined);
    if (!revoked) throw new Error(`No service key is named ${name}. "npm run keys -- list" shows them.`);
    const { key: _, ...rest } = revoked;
    const ended = { ...rest, endedAt: now };
    return { ...stored, services: services.map((service) => (service === revoked ? ended : service)) };
  });
}

const fileIn = (dataDir: string) => join(dataDir, 'key-uses.json');

/** @param store.db null where the uses are in a file */
export async function readKeyUses({ db, dataDir }: { db: Database | null; dataDir: string }) {
  if (db) {
    const { rows } = await db.query<{ name: string; used_at: Date }>('select name, used_at from internal.key_uses');
    return new Map(rows.map(({ name, used_at }) => [name, used_at.toISOString()]));
  }
  const text = await readFile(fileIn(dataDir), 'utf8').catch(() => '{}');
  return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
}

export function recordKeyUses({ db, dataDir }: { db: Database; dataDir: string }, log: Logger): (name: string) => void {
  const lastHours = new Map<string, number>();
  let writing: Promise<unknown> = Promise.resolve();
  const store = { db: db.engine === 'postgres' ? db : null, dataDir };
  const write = async (name: string, hour: number) => {
    const at = new Date(hour * HOUR_MS);
    if (store.db) {
      const text = `insert into internal.key_uses as uses (name, used_at) values ($1, $2)
         on conflict (name) do update set used_at = greatest(uses.used_at, excluded.used_at)`;
      await store.db.query(text, [name, at]);
    } else {
      const uses = (await readKeyUses(store)).set(name, at.toISOString());
      await writeDurably(fileIn(dataDir), JSON.stringify(Object.fromEntries(uses), null, 2));
    }
  };
  return (name) => {
    const hour = Math.floor(Date.now() / HOUR_MS);
    if (lastHours.get(name) === hour) return;
    lastHours.set(name, hour);
    writing = writing
      .then(() => new Promise(setImmediate))
      .then(() => write(name, hour))
      .catch((err: unknown) => log.debug({ err }, 'recording the use of a service key failed'));
  };
}
