import { describe, expect } from 'vitest';
import { admin, creator, guest, otherUser, sessionlessAdmin, staleAdmin } from './actors.ts';
import type { Stage } from './stage.ts';

const BEGIN = 'select begin_archive_download() as answer';
const LINES = `select outcome, reason from audit_log where action = 'archive.download' order by id`;

export const archiveDownloads = ({ test }: Stage) =>
  describe('archive downloads', () => {
    test('are refused to all others and to a sign-in long ago, and logged', async ({ as, server }) => {
      for (const [actor, code, reason] of [
        ...[guest, otherUser, creator].map((one) => [one, '42501', 'not an admin'] as const),
        ...[staleAdmin, sessionlessAdmin].map((one) => [one, 'PT403', 'signed in too long ago'] as const),
      ]) {
        expect(await as(actor).answer(BEGIN)).toMatchObject({ code });
        expect((await server.rows(LINES)).at(-1)).toEqual({ outcome: 'refused', reason });
      }
    });

    test('are for admins who have just signed in, at most ten in a quarter of an hour', async ({ as, server }) => {
      for (let time = 0; time < 10; time++) expect(await as(admin).answer(BEGIN)).toEqual({ begun: true });
      expect(await as(admin).answer(BEGIN)).toMatchObject({ code: 'PT429' });
      const rows = await server.rows(LINES);
      expect(rows).toHaveLength(11);
      expect(rows.at(-1)).toEqual({ outcome: 'refused', reason: 'too often' });
    });
  });
