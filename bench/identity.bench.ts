import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash, verify } from '@node-rs/argon2';
import { verifyToken } from '../packages/backend/http/caller.ts';
import { type Keys, loadKeys } from '../packages/backend/keys/keys.ts';
import { freePort } from '../tests/free-port.ts';
import { newAddress, type RunningServer, startServer } from '../tests/server.ts';
import { interleaved, load, loadSequentially, median, type RequestSpec, workPerSecond } from './measuring/load.ts';
import { ratio } from './measuring/report.ts';

const ROUNDS = 5;
const ROUND_MS = 1_000;
const CONCURRENCY = 8;
const PASSWORD = 'a-long-walk-by-the-sea';
/** The argon2id parameters and the concurrency of `password/hash.ts`. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const HASH_CONCURRENCY = availableParallelism() > 2 ? 2 : 1;

interface User {
  email: string;
  access: string;
  refresh: string;
}

/**
 * The identity service over HTTP. Compares sign-ins with argon2 alone; refreshes, `GET /user` and the key set with the
 * same bytes from bare `node:http`; and token verification with its signature check alone.
 */
export default async function identity(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'madhouse-bench-'));
  const server = await startServer({ SEED: 'none', TRUST_PROXY: '1', LOG_LEVEL: 'silent' }, folder);
  try {
    const keys = await loadKeys(join(folder, 'keys.json'), { publishableKey: null, secretKey: null, jwtSecret: null });
    const auth = new AuthRequests(server, keys);
    const users = await Promise.all(Array.from({ length: CONCURRENCY }, () => auth.person()));
    await compareSignIn(auth, users);
    await compareRefresh(auth, users, folder);
    await compareRequests(auth, users[0]!, folder);
    await compareVerification(keys, users[0]!.access);
  } finally {
    await server.stop({ keep: true });
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each request has its own client address, so that no rate limit applies. */
class AuthRequests {
  readonly base: string;
  readonly #keys: Keys;
  #count = 0;
  constructor({ base }: RunningServer, keys: Keys) {
    this.base = `${base}/auth/v1`;
    this.#keys = keys;
  }

  request(path: string, body?: unknown, token?: string): RequestSpec {
    const headers = {
      apikey: this.#keys.publishable,
      'x-forwarded-for': newAddress(),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
    return { url: this.base + path, headers, ...(body === undefined ? {} : { body }) };
  }

  async person(): Promise<User> {
    const email = `person-${++this.#count}@bench.example`;
    const creation = this.request('/admin/users', { email, password: PASSWORD, email_confirm: true });
    await fetchText({ ...creation, headers: { ...creation.headers, apikey: this.#keys.secret } });
    const session = await fetchText(this.request('/token?grant_type=password', { email, password: PASSWORD }));
    const { access_token: access, refresh_token: refresh } = JSON.parse(session) as Record<string, string>;
    return { email, access: access!, refresh: refresh! };
  }
}

async function fetchText({ url, headers, body }: RequestSpec): Promise<string> {
  const response = await fetch(url, {
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return response.text();
}

async function compareSignIn(auth: AuthRequests, users: User[]): Promise<void> {
  const stored = await hash(PASSWORD, COST);
  const results = await interleaved(ROUNDS, {
    ours: async () => {
      const signIn = (connection: number) =>
        auth.request('/token?grant_type=password', { email: users[connection]!.email, password: PASSWORD });
      return (await loadSequentially(signIn, ROUND_MS, CONCURRENCY)).perSecond;
    },
    bare: () => workPerSecond(() => verify(stored, PASSWORD), ROUND_MS, HASH_CONCURRENCY),
  });
  ratio('sign in, compared with argon2id alone', median(results['ours']!), median(results['bare']!), 'per s');
}

async function compareRefresh(auth: AuthRequests, users: User[], folder: string): Promise<void> {
  const tokens = users.map(({ refresh }) => refresh);
  const refresh = (connection: number, last: string | null) => {
    if (last) tokens[connection] = (JSON.parse(last) as { refresh_token: string }).refresh_token;
    return auth.request('/token?grant_type=refresh_token', { refresh_token: tokens[connection] });
  };
  const user = await auth.person();
  const sample = await fetchText(auth.request('/token?grant_type=refresh_token', { refresh_token: user.refresh }));
  await compareWithBare('refresh', sample, folder, async (url) => {
    // The bare server returns the same session every time; ours needs a new token for each request.
    const next = url ? () => ({ url, headers: {}, body: { refresh_token: user.refresh } }) : refresh;
    const round = await loadSequentially(next, ROUND_MS, CONCURRENCY);
    // The last responses of a round are unknown here, so each chain starts with a new sign-in.
    if (!url)
      for (const [at, { email }] of users.entries()) {
        const session = await fetchText(auth.request('/token?grant_type=password', { email, password: PASSWORD }));
        tokens[at] = (JSON.parse(session) as { refresh_token: string }).refresh_token;
      }
    return round.perSecond;
  });
}

async function compareRequests(auth: AuthRequests, { access }: User, folder: string): Promise<void> {
  for (const [label, path, token] of [
    ['GET /user', '/user', access],
    ['GET /.well-known/jwks.json', '/.well-known/jwks.json', undefined],
  ] as const) {
    const sample = await fetchText(auth.request(path, undefined, token));
    await compareWithBare(label, sample, folder, async (url) => {
      const { url: ours, headers } = auth.request(path, undefined, token);
      const { perSecond: rate } = await load(
        url ?? ours,
        () => ({ ...headers, 'x-forwarded-for': newAddress() }),
        ROUND_MS,
        CONCURRENCY,
      );
      return rate;
    });
  }
}

async function compareVerification(keys: Keys, token: string): Promise<void> {
  const [{ publicKey }] = keys.signing;
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const signed = Buffer.from(`${header}.${payload}`);
  const signatureBytes = Buffer.from(signature, 'base64url');
  const ecdsa = { name: 'ECDSA', hash: 'SHA-256' };
  const results = await interleaved(ROUNDS, {
    ours: () => workPerSecond(() => verifyToken(token, keys), ROUND_MS, 1),
    bare: () => workPerSecond(() => crypto.subtle.verify(ecdsa, publicKey, signatureBytes, signed), ROUND_MS, 1),
  });
  ratio(
    'verify a token, compared with its signature alone',
    median(results['ours']!),
    median(results['bare']!),
    'per s',
  );
}

/**
 * Runs a load alternately against our server and against bare `node:http` with the same bytes.
 * @param run gets the URL of the bare server, or null for ours; returns requests per second
 */
async function compareWithBare(
  label: string,
  bytes: string,
  folder: string,
  run: (bare: string | null) => Promise<number>,
): Promise<void> {
  const file = join(folder, 'bench-answer.json');
  await writeFile(file, bytes);
  const port = await freePort();
  const bare = spawn(
    process.execPath,
    [join(import.meta.dirname, 'measuring', 'bare-server.ts'), String(port), file, 'application/json', ''],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  await once(bare.stdout, 'data');
  try {
    const results = await interleaved(ROUNDS, {
      ours: () => run(null),
      bare: () => run(`http://127.0.0.1:${port}/`),
    });
    ratio(`${label}, compared with node:http`, median(results['ours']!), median(results['bare']!), 'per s');
  } finally {
    bare.kill();
  }
}
