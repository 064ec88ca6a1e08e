import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const EACH = 2_000;
/** Below the ephemeral range, with a range per test worker, so that no other process takes the port first. */
const first = 12_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 10) * EACH;
let next = randomInt(EACH);

export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (next++ % EACH);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    server.close();
    return true;
  } catch {
    return false;
  }
}
