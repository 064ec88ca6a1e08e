import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { encrypt, sealingId } from '../auth/encrypt.ts';
import type { BackendContext } from '../context.ts';
import type { Email } from './index.ts';

interface QueuedFile {
  message: Email & { from: string };
  template: string;
  /** Milliseconds since 1970. */
  queuedAt: number;
  attempts: number;
}

const INSERT = `insert into internal.mails (id, kind, content, sealed_by, queued_at, give_up_at, attempts, failed_at)
  values ($1, $2, $3, $4, $5, $5::timestamptz + interval '1 hour', $6, case when $7 then now() end) on conflict do nothing`;

export async function importQueuedFiles(context: BackendContext, folder: string): Promise<void> {
  for (const [source, failed] of [
    [folder, false],
    [join(folder, 'failed'), true],
  ] as const) {
    const names = await readdir(source).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    for (const name of names.filter((one) => one.endsWith('.json')))
      await importFile(context, join(source, name), failed);
  }
}

async function importFile({ db, keys, log }: BackendContext, file: string, failed: boolean): Promise<void> {
  const id = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/.exec(file)?.[1];
  try {
    if (!id) throw new Error('its name has no id');
    const { message, template, queuedAt, attempts } = JSON.parse(await readFile(file, 'utf8')) as QueuedFile;
    const { from: _, ...email } = message;
    const content = encrypt(keys, JSON.stringify({ message: email }));
    await db.query(INSERT, [id, template, content, sealingId(keys), new Date(queuedAt), attempts, failed]);
    await rm(file);
  } catch (err) {
    log.error({ err, name: basename(file) }, 'queued e-mail of an earlier release cannot be imported');
  }
}
