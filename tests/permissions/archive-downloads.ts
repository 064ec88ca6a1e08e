import { describe, expect, it } from 'vitest';
import { type Actor, admin, creator, guest, otherUser, type Stage, sessionlessAdmin, staleAdmin } from './stage.ts';

const BEGIN = 'select begin_archive_download() as answer';
const LINES = `select outcome, reason from public.audit_log where action = 'archive.download' order by id`;

export const archiveDownloads = (stage: Stage) =>
  describe('archive downloads', () => {
    it.each<[string, Actor]>([
      ['a guest', guest],
      ['another user', otherUser],
      ['a creator', creator],
    ])('are refused to %s and logged', (_, actor) =>
      stage.play(async ({ as, server }) => {
        const { answer } = await as(actor).call(BEGIN);
        expect(answer).toMatchObject({ code: '42501', message: 'Only an admin can download everything.' });
        expect(await server.rows(LINES)).toEqual([{ outcome: 'refused', reason: 'not an admin' }]);
      }),
    );

    it.each<[string, Actor]>([
      ['who signed in long ago', staleAdmin],
      ['whose token has no session', sessionlessAdmin],
    ])('are refused to an admin %s', (_, actor) =>
      stage.play(async ({ as, server }) => {
        expect(await as(actor).answer(BEGIN)).toMatchObject({ code: 'PT403' });
        expect(await server.rows(LINES)).toEqual([{ outcome: 'refused', reason: 'signed in too long ago' }]);
      }),
    );

    stage.it('are for admins who have just signed in, at most ten in a quarter of an hour', async ({ as, server }) => {
      for (let time = 0; time < 10; time++) expect(await as(admin).answer(BEGIN)).toEqual({ begun: true });
      expect(await as(admin).answer(BEGIN)).toMatchObject({ code: 'PT429' });
      const rows = await server.rows(LINES);
      expect(rows).toHaveLength(11);
      expect(rows.at(-1)).toEqual({ outcome: 'refused', reason: 'too often' });
    });
  });
