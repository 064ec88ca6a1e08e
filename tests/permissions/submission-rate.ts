import { expect, it } from 'vitest';
import { type Actor, admin, creator, guest, ids, newSecret, otherUser, theService, withSecret } from './actors.ts';
import { comeFrom, endsOf, onStage, type Scene } from './stage.ts';

const SUBMIT = `insert into projects (title) select 'Submitted ' || n from generate_series(1, $1::int) n`;

export const submissionRate = onStage('limit of twenty submissions in ten minutes', (stage) => {
  const { test } = stage;
  const submit = ({ as }: Scene, actor: Actor, rows: number) => as(actor).write(SUBMIT, [rows]);
  const refused = ({ as }: Scene, actor: Actor, rows: number) => as(actor).refusal(SUBMIT, [rows]);

  test('counts case studies, not requests: a hundred in one request are rejected, and none is stored (C9)', async (scene) => {
    await comeFrom(scene, '203.0.113.1');
    const before = await scene.server.rows('select from projects');
    expect(await refused(scene, otherUser, 100)).toBe('PGRST');
    expect(await scene.server.rows('select from projects')).toHaveLength(before.length);
    const repeated = withSecret(newSecret());
    const create = () => scene.as(repeated).answer(`select create_case_study(title => 'T') as answer`);
    const first = await create();
    expect(await submit(scene, otherUser, 11)).toBe(11);
    expect(await refused(scene, otherUser, 9)).toBe('PGRST');
    expect(await submit(scene, otherUser, 8)).toBe(8);
    expect(await refused(scene, otherUser, 1)).toBe('PGRST');
    expect(await create(), 'repeating one is not counted').toBe(first);
    // Guests and other accounts at the same address share the limit.
    expect(await refused(scene, guest, 1)).toBe('PGRST');
    expect(await refused(scene, creator, 1)).toBe('PGRST');
    const attempt = scene.as(otherUser).write(SUBMIT, [1]);
    const detail = '{"status": 429, "headers": {"Retry-After": "600"}}';
    await expect(attempt).rejects.toMatchObject({ message: expect.stringContaining('a little later'), detail });
    await scene.server.query(`update audit_log set at = at - interval '11 minutes'`);
    expect(await submit(scene, otherUser, 20)).toBe(20);
  });

  test('counts by account from any address, and does not limit admins and the service (C9)', async (scene) => {
    await comeFrom(scene, '203.0.113.1');
    expect(await submit(scene, otherUser, 15)).toBe(15);
    await comeFrom(scene, '203.0.113.2');
    expect(await submit(scene, otherUser, 5)).toBe(5);
    await comeFrom(scene, '203.0.113.3');
    expect(await refused(scene, otherUser, 1)).toBe('PGRST');
    expect(await submit(scene, creator, 20)).toBe(20);
    // Without an address the limit of the account still applies.
    await comeFrom(scene, '');
    expect(await refused(scene, otherUser, 1)).toBe('PGRST');
    for (const actor of [admin, theService]) expect(await submit(scene, actor, 100)).toBe(100);
  });

  it('holds for concurrent requests (C9)', async () => {
    const rival = { actor: otherUser, text: SUBMIT.replace('into ', 'into public.'), values: [7] };
    try {
      const outcomes = await stage.race([rival, rival, rival, rival]);
      expect(endsOf(outcomes)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    } finally {
      const DELETE_PROJECTS = `delete from public.projects where title like 'Submitted %' and created_by = $1`;
      await stage.db.query(DELETE_PROJECTS, [ids.otherUser]);
      const DELETE_LINES = `delete from public.audit_log where action = 'projects.insert' and actor = $1`;
      await stage.db.query(DELETE_LINES, [ids.otherUser]);
    }
  });
});
