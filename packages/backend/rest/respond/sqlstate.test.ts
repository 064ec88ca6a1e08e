import { expect, it } from 'vitest';
import { DatabaseError } from '../../database/database.ts';
import { fromDatabase } from './sqlstate.ts';

it('reports a full disk as out of disk space, without its details (D7)', () => {
  const diskFull = 'could not extend file "base/5/17671": No space left on device';
  const full = new DatabaseError({ code: '53100', message: diskFull, hint: 'Check free disk space.' });
  const { status, body, headers } = fromDatabase(full, true);
  expect([status, headers['retry-after']]).toEqual([507, '60']);
  const message = expect.stringMatching(/out of disk space/);
  expect(body).toEqual({ code: '53100', message, details: null, hint: null });
});

it('hides messages about the server', () => {
  for (const code of ['53200', '53300', '58030', 'XX000', '08006']) {
    const error = new DatabaseError({ code, message: 'file "base/5/1"', detail: '/var/lib' });
    expect(fromDatabase(error, true).body).toMatchObject({ message: 'The database could not respond', details: null });
  }
});
