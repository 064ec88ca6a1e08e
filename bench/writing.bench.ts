import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { openDatabase } from '../packages/backend/database/open-database.ts';
import { migratedTemplate } from '../tests/database.ts';
import { folderOnDisk } from '../tests/scratch.ts';
import { keysIn, newAddress, startServer } from '../tests/server.ts';
import { authRequest, createAccount, type Tokens } from './measuring/accounts.ts';
import { interleaved, loadSequentially, median, type NextRequest, workPerSecond } from './measuring/load.ts';
import { ratio } from './measuring/report.ts';

const ROUNDS = 5;
const ROUND_MS = 1_000;
const CONCURRENCY = [1, 8, 32];
/** Limit of submissions per account in ten minutes. */
const PER_ACCOUNT = 20;
const ACCOUNTS = 100;
const TEXT = `<p>${'A brief of ordinary length, with <strong>some</strong> markup. '.repeat(20)}</p>`;

/**
 * Writes that are forced to a real disk before their response: creating an experiment with the secret key and refreshing a
 * session, 1, 8 and 32 concurrently, compared with sequential inserts into a plain table, each with its own fsync; and the
 * first step of a submission by a signed-in user, compared with an insert of the same row by the owner.
 */
export default async function writing(): Promise<void> {
  const folder = folderOnDisk();
  const log = pino({ level: 'silent' });
  const choice = { kind: 'embedded' as const, folder: join(folder, 'bare') };
  const db = await openDatabase(choice, { log, template: await migratedTemplate() });
  const server = await startServer({ SEED: 'none', TRUST_PROXY: '1', LOG_LEVEL: 'silent' }, join(folder, 'ours'));
  const { publishable, secret } = keysIn(server.dataDir);
  const post = (path: string, apikey: string, body: unknown, token = apikey) => {
    const headers = { apikey, authorization: `Bearer ${token}`, 'x-forwarded-for': newAddress() };
    return { url: server.base + path, headers, body };
  };
  const compare = async (label: string, table: string, next: NextRequest, wanted: [number, number, number?]) => {
    const [concurrency, status, goal] = wanted;
    const insert = `insert into ${table} (title, description) values ('Written by a bench', $1)`;
    const results = await interleaved(ROUNDS, {
      ours: async () => (await loadSequentially(next, ROUND_MS, concurrency, status)).perSecond,
      bare: () => workPerSecond(() => db.query(insert, [TEXT]), ROUND_MS, 1),
    });
    ratio(label, median(results['ours']!), median(results['bare']!), 'per s', goal);
  };
  try {
    const columns = 'id uuid primary key default gen_random_uuid(), title text, description text';
    await db.script(`create table written (${columns})`);
    const project = { title: 'Written by a bench', description: '<p>Hands and machines</p>', status: 'active' };
    const create = () => post('/rest/v1/projects', secret, project);
    for (const concurrency of CONCURRENCY)
      await compare(`create, durable, ${concurrency} concurrent`, 'written', create, [concurrency, 201]);
    for (const concurrency of CONCURRENCY) {
      const emails = Array.from({ length: concurrency }, (_, n) => `writer-${concurrency}-${n}@bench.example`);
      const sessions = await Promise.all(emails.map((email) => createAccount(server, email)));
      const refresh = (connection: number, last: string | null) => {
        if (last) sessions[connection] = JSON.parse(last) as Tokens;
        const { refresh_token } = sessions[connection]!;
        return authRequest(server, '/token?grant_type=refresh_token', { refresh_token });
      };
      // The last response of a round is unknown here; presenting its token again returns the same successor.
      await compare(`refresh, durable, ${concurrency} concurrent`, 'written', refresh, [concurrency, 200]);
    }
    const tokens: string[] = [];
    for (let n = 0; n < ACCOUNTS; n++)
      tokens.push((await createAccount(server, `creator-${n}@bench.example`)).access_token);
    const submission = { title: 'Bench', description: TEXT, client: '', status: 'draft', submitter_id: null };
    let created = 0;
    const submit = () => {
      const token = tokens[Math.floor(created++ / PER_ACCOUNT) % ACCOUNTS];
      return post('/rest/v1/rpc/create_case_study', publishable, submission, token);
    };
    await compare('create, signed in, sanitized, durable', 'public.projects', submit, [1, 200, 0.35]);
  } finally {
    await server.stop({ keep: true });
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}
