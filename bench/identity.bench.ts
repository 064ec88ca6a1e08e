import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { hash, verify } from '@node-rs/argon2';
import { verifyToken } from '../packages/backend/http/caller.ts';
import { loadKeys } from '../packages/backend/keys/keys.ts';
import { newAddress, type RunningServer } from '../tests/server.ts';
import { authRequest, createAccount, PASSWORD } from './measuring/accounts.ts';
import { startBareServer } from './measuring/bare-server.ts';
import { interleaved, load, loadSequentially, median, workPerSecond } from './measuring/load.ts';
import { ratio } from './measuring/report.ts';
import { withServer } from './measuring/with-server.ts';

const ROUNDS = 5;
const ROUND_MS = 1_000;
const CONCURRENCY = 8;
/** The argon2id parameters and the concurrency of `password/hash.ts`. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const HASH_CONCURRENCY = availableParallelism() > 2 ? 2 : 1;
const emailOf = (number: number) => `person-${number}@bench.example`;

/**
 * The identity service over HTTP. Compares sign-ins with argon2 alone; `GET /user` and the key set with the same bytes from
 * bare `node:http`; and token verification with its signature check alone. `writing` measures refreshes.
 */
export default async function identity(): Promise<void> {
  await withServer({ SEED: 'none', TRUST_PROXY: '1' }, async (server) => {
    const emails = Array.from({ length: CONCURRENCY }, (_, number) => emailOf(number));
    const sessions = await Promise.all(emails.map((email) => createAccount(server, email)));
    const token = sessions[0]!.access_token;
    await compareSignIn(server);
    await compareRequests(server, token);
    await compareVerification(server, token);
  });
}

async function compare(label: string, ours: () => Promise<number>, bare: () => Promise<number>): Promise<void> {
  const results = await interleaved(ROUNDS, { ours, bare });
  ratio(label, median(results['ours']!), median(results['bare']!), 'per s');
}

async function compareSignIn(server: RunningServer): Promise<void> {
  const stored = await hash(PASSWORD, COST);
  const signIn = (connection: number) =>
    authRequest(server, '/token?grant_type=password', { email: emailOf(connection), password: PASSWORD });
  const ours = async () => (await loadSequentially(signIn, ROUND_MS, CONCURRENCY)).perSecond;
  const bare = () => workPerSecond(() => verify(stored, PASSWORD), ROUND_MS, HASH_CONCURRENCY);
  await compare('sign in, compared with argon2id alone', ours, bare);
}

async function compareRequests(server: RunningServer, access: string): Promise<void> {
  for (const [path, token] of [['/user', access], ['/.well-known/jwks.json']] as const) {
    const { url, headers } = authRequest(server, path, undefined, token);
    const bare = await startBareServer(await (await fetch(url, { headers })).text(), 'application/json');
    const perSecond = async (address: string) =>
      (await load(address, () => ({ ...headers, 'x-forwarded-for': newAddress() }), ROUND_MS, CONCURRENCY)).perSecond;
    const ours = () => perSecond(url);
    await compare(`GET ${path}, compared with node:http`, ours, () => perSecond(bare.url));
    bare.stop();
  }
}

async function compareVerification({ dataDir }: RunningServer, token: string): Promise<void> {
  const keys = await loadKeys(join(dataDir, 'keys.json'), { publishableKey: null, secretKey: null, jwtSecret: null });
  const [{ publicKey }] = keys.signing;
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const signed = Buffer.from(`${header}.${payload}`);
  const signatureBytes = Buffer.from(signature, 'base64url');
  const ecdsa = { name: 'ECDSA', hash: 'SHA-256' };
  const ours = () => workPerSecond(() => verifyToken(token, keys), ROUND_MS, 1);
  const check = () => crypto.subtle.verify(ecdsa, publicKey, signatureBytes, signed);
  await compare('verify a token, compared with its signature alone', ours, () => workPerSecond(check, ROUND_MS, 1));
}
