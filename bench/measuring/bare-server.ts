import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { freePort } from '../../tests/free-port.ts';

/** The limit of many measurements: a process that serves one body from memory with bare `node:http`. */
export async function startBareServer(body: Buffer | string, type: string, encoding = '') {
  const port = await freePort();
  const args = [import.meta.filename, String(port), type, encoding];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(body);
  await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}

if (import.meta.main) {
  const [port, type, encoding] = process.argv.slice(2);
  const body = await buffer(process.stdin);
  const encoded = encoding ? { 'content-encoding': encoding } : {};
  const headers = { 'content-type': type!, 'content-length': body.length, ...encoded };
  createServer((_, response) => response.writeHead(200, headers).end(body)).listen(Number(port), '127.0.0.1', () =>
    process.stdout.write('listening\n'),
  );
}
