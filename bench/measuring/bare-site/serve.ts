import { createServer } from 'node:http';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { createRequestHandler } from 'react-router';

/** Serves the built site of a folder with the framework alone. Usage: PORT FOLDER; ROWS is the path of a file. */
const [port, folder] = process.argv.slice(2);
const handle = createRequestHandler(await import(join(folder!, 'build', 'server', 'index.js')), 'production');
createServer(getRequestListener((request) => handle(request), { overrideGlobalObjects: false })).listen(
  Number(port),
  '127.0.0.1',
  () => process.stdout.write('listening\n'),
);
