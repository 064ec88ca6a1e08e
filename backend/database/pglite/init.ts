/** Run as a process of its own: makes a new database in the folder that is given, and closes it. Its 600 MB end with it. */
import { PGlite } from '@electric-sql/pglite';
import { engineOptions } from './settings.ts';

const folder = process.argv[2];
if (!folder) throw new Error('Usage: init.ts FOLDER');
const pg = await PGlite.create(engineOptions(folder));
await pg.exec('checkpoint');
await pg.close();
