/**
 * Usage: `writer-process.ts FOLDER ROUND`. Prints the numbers of the previous round in the database as one line of JSON;
 * then 32 concurrent writers insert numbers, and each number is printed when its insert is acknowledged.
 */
import { openDatabase } from '../../../packages/backend/database/open-database.ts';
import { silent } from '../../database.ts';

const WRITERS = 32;
const [folder, word] = process.argv.slice(2);
const round = Number(word);

const db = await openDatabase({ kind: 'embedded', folder: folder! }, { log: silent });
await db.script('create table if not exists written (round int, number int, primary key (round, number))');
const { rows } = await db.query<{ number: number }>('select number from written where round = $1', [round - 1]);
console.log(JSON.stringify(rows.map(({ number }) => number)));
let number = 0;
const write = async () => {
  for (;;) {
    const own = ++number;
    await db.batch([{ text: 'insert into written values ($1, $2)', values: [round, own] }]);
    // Writing to a pipe is synchronous, so every insert acknowledged before a kill is printed before it.
    console.log(own);
  }
};
await Promise.all(Array.from({ length: WRITERS }, write));
