import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** Baseline: serves one buffer from memory with bare `node:http`. Usage: PORT FILE CONTENT-TYPE ENCODING */
const [port, file, type, encoding] = process.argv.slice(2);
const body = readFileSync(file!);
const headers = {
  'content-type': type!,
  'content-length': body.length,
  ...(encoding ? { 'content-encoding': encoding } : {}),
};
createServer((_, response) => response.writeHead(200, headers).end(body)).listen(Number(port), '127.0.0.1', () =>
  process.stdout.write('listening\n'),
);
