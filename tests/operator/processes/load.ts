import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { childrenOf } from '../../child-processes.ts';
import { newAddress, type RunningServer } from '../../server.ts';

/** What went wrong with a request: its status, or how its connection ended. */
interface Lost {
  what: string;
  when: number;
}

export interface Load {
  /** Titles of experiments that were acknowledged. */
  acknowledged: string[];
  lost: Lost[];
  answered: number;
  stop(): Promise<void>;
}

/** The keys in a data folder. */
export const keysIn = (dataDir: string) =>
  JSON.parse(readFileSync(join(dataDir, 'keys.json'), 'utf8')) as { publishable: string; secret: string };

/** The workers of a server, which answer its requests. */
export const workersOf = (server: RunningServer) => childrenOf(server.process.pid!);

/** How many processes hear what a database tells: as many as answer requests. */
export async function listeningOn(url: string): Promise<number> {
  const sql = postgres(url, { max: 1 });
  const found =
    await sql`select from pg_stat_activity where query like '%still listening%' and pid <> pg_backend_pid()`;
  await sql.end();
  return found.length;
}

/**
 * Reads pages and writes experiments without a pause, each time on a new connection or on kept ones, until it is stopped.
 * Every answer that is not the expected one is lost.
 */
export function loadOn(base: string, secret: string, { clients = 6, kept = false } = {}): Load {
  let stopped = false;
  const load: Load = { acknowledged: [], lost: [], answered: 0, stop };
  const agents = Array.from({ length: clients }, () => new Agent({ keepAlive: kept, maxSockets: 1 }));
  const running = agents.map(async (agent, number) => {
    for (let turn = number; !stopped; turn++) {
      const title = randomUUID();
      const asked =
        turn % 3
          ? send(agent, `${base}/case-studies`, { expected: 200 })
          : send(agent, `${base}/rest/v1/projects`, { secret, body: { title, status: 'draft' }, expected: 201 });
      await asked.then(
        () => {
          load.answered++;
          if (turn % 3 === 0) load.acknowledged.push(title);
        },
        (error: Error) => load.lost.push({ what: error.message, when: Date.now() }),
      );
      await sleep(10);
    }
    agent.destroy();
  });
  return load;
  async function stop() {
    stopped = true;
    await Promise.all(running);
  }
}

function send(
  agent: Agent,
  address: string,
  { secret, body, expected }: { secret?: string; body?: unknown; expected: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      'x-forwarded-for': newAddress(),
      ...(secret && { apikey: secret, 'content-type': 'application/json' }),
    };
    const sent = request(address, { agent, method: body ? 'POST' : 'GET', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        if (answer.statusCode === expected) resolve();
        else reject(new Error(`${answer.statusCode} ${text.slice(0, 200)}`));
      });
    });
    sent.setTimeout(20_000, () => sent.destroy(new Error('No answer in 20 s')));
    sent.once('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}
