import { randomUUID } from 'node:crypto';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import type { Service } from '../../packages/backend/context.ts';
import { swiftAt } from '../programs/swift.ts';

/** Services shared by all servers of a run with `--two-machines`. */
export interface Shared {
  /** `postgres://…` of a server whose database `postgres` is migrated and empty. */
  postgres: string;
  swift: string;
}

/** Environment variable through which `tests/run.ts` passes `Shared` to the test processes. */
export const SHARED_VARIABLE = 'TWO_MACHINES';
/** Null in other runs, where a server is one process. */
export const shared: Shared | null = JSON.parse(process.env[SHARED_VARIABLE] ?? 'null');

export interface NewDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Creates a database on the server. @param from template database; empty by default */
export async function newDatabase(services: Pick<Shared, 'postgres'>, from = 'template0'): Promise<NewDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const query = async (text: string) => {
    const sql = postgres(new URL('template1', services.postgres).href, { max: 1, onnotice: () => {} });
    await sql.unsafe(text).finally(() => sql.end());
  };
  await query(`create database ${name} template ${from}`);
  return { url: new URL(name, services.postgres).href, drop: () => query(`drop database ${name} with (force)`) };
}

/** Creates a bucket. @param from bucket whose objects are copied @returns the settings of a server that uses it */
export async function newBucket({ swift }: Shared, from?: string): Promise<Record<string, string>> {
  const server = swiftAt(swift);
  const settings = await server.settings();
  if (from) {
    const keys = [...(await (await server.fetch(from)).text()).matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key!);
    for (const key of keys) {
      const headers = { 'x-amz-copy-source': `/${from}/${key}` };
      const response = await server.fetch(`${settings['S3_BUCKET']}/${key}`, { method: 'PUT', headers });
      if (!response.ok) throw new Error(`Swift did not copy ${key}: ${response.status} ${await response.text()}`);
    }
  }
  return settings;
}

/** Links the outbox of the second machine to that of the first. The folders need not exist yet. */
export async function shareOutbox(first: string, second: string): Promise<void> {
  const outbox = join(first, 'outbox');
  await Promise.all([outbox, second].map((path) => mkdir(path, { recursive: true })));
  await symlink(outbox, join(second, 'outbox'));
}

/** Combines several instances of a service: requests are distributed in turn, and it is idle when all instances are. */
export function distribute<S extends Pick<Service, 'fetch' | 'close'> & { idle?(): Promise<void> }>(
  services: readonly S[],
): S {
  let turn = 0;
  return {
    ...services[0]!,
    fetch: (request, origin) => services[turn++ % services.length]!.fetch(request, origin),
    idle: async () => void (await Promise.all(services.map((one) => one.idle?.()))),
    close: async () => void (await Promise.all(services.map((one) => one.close()))),
  };
}
