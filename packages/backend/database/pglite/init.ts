/** Run as a child process, whose 600 MB of memory are freed when it ends. */
import { PGlite } from '@electric-sql/pglite';
import { engineOptions } from './settings.ts';

const folder = process.argv[2];
if (!folder) throw new Error('Usage: init.ts FOLDER');
const pg = await PGlite.create(engineOptions(folder));
await pg.exec('checkpoint');
await pg.close();
