import { describe, expect } from 'vitest';
import { admin, creator, guest, ids, otherUser, submitter, theService } from './actors.ts';
import { GRANT, onStage } from './stage.ts';

const WITHDRAW = 'delete from user_roles where user_id = $1';

export const people = onStage('users and roles', ({ test }) => {
  describe('profiles', () => {
    test('are created and deleted with their account; the guest account has none', async ({ server }) => {
      const read = `select email, name, requested_admin, email_confirmed_at is not null as confirmed from profiles where user_id = $1`;
      const CHANGE = `update auth.users set email = 'new@example.com', email_confirmed_at = null, raw_user_meta_data = '{"name": "Renamed", "requested_admin": "yes"}' where id = $1`;
      await server.query(CHANGE, [ids.otherUser]);
      const profile = { email: 'new@example.com', name: 'Renamed', requested_admin: false, confirmed: false };
      expect(await server.rows(read, [ids.otherUser])).toEqual([profile]);
      await server.query('update auth.users set deleted_at = now() where id = $1', [ids.otherUser]);
      expect(await server.rows(read, [ids.otherUser])).toEqual([]);
      expect(await server.rows(read, [ids.guest])).toEqual([]);
    });

    test('accept any metadata of a user', async ({ server }) => {
      const objects = [{}, { name: { first: 'x' } }, { name: 'x'.repeat(500) }, { name: 1, requested_admin: [] }];
      for (const metadata of [null, [1], ...objects])
        await server.query('update auth.users set raw_user_meta_data = $1 where id = $2', [metadata, ids.otherUser]);
    });
  });

  describe('roles', () => {
    test('keep the names “admin” and “editor”, even for the service', async ({ as }) => {
      for (const name of ['admin', 'editor']) {
        await as(theService).refused('PT409', `update roles set name = 'boss' where name = '${name}'`);
        await as(theService).refused('PT409', `delete from roles where name = '${name}'`);
      }
    });

    test('are granted once, to accounts', async ({ as }) => {
      for (const actor of [admin, theService]) {
        expect(await as(actor).write(GRANT, [ids.otherUser, 'admin'])).toBe(1);
        await as(actor).refused('23505', GRANT, [ids.otherUser, 'admin']);
        expect(await as(actor).write(WITHDRAW, [ids.otherUser])).toBe(1);
      }
      await as(admin).refused('23503', GRANT, [ids.guest, 'admin']);
    });
  });

  describe('admin check', () => {
    const query = 'select is_admin() as answer';

    test('returns true or false to every actor (DATA-13, PERM-05)', async ({ as }) => {
      for (const actor of [guest, submitter, otherUser, creator, theService])
        expect(await as(actor).answer(query)).toBe(false);
      expect(await as(admin).answer(query)).toBe(true);
    });

    test('ignores claims in tokens and user metadata (PERM-13, TM-01)', async ({ as }) => {
      const metadata = { user_metadata: { requested_admin: true, role: 'admin', roles: ['admin'] } };
      const forged = { ...metadata, app_metadata: { role: 'admin' }, is_admin: true };
      const claims = { role: 'authenticated' as const, sub: ids.otherUser, ...forged };
      const boaster = { caller: { ...otherUser.caller, claims } };
      expect(await as(boaster).answer(query)).toBe(false);
      expect(await as(boaster).write(`update projects set title = 'Mine'`)).toBe(0);
    });
  });

  describe('last admin', () => {
    test('cannot be removed, deleted or banned by any actor (AUSERS-01, TM-18)', async ({ as, server }) => {
      await as(admin).refused('PT409', WITHDRAW, [ids.admin]);
      await as(theService).refused('PT409', 'delete from user_roles');
      for (const text of [
        'delete from auth.users where id = $1',
        'update auth.users set deleted_at = now() where id = $1',
        `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
      ]) {
        await server.query('savepoint act');
        await expect(server.query(text, [ids.admin])).rejects.toMatchObject({ code: 'PT409' });
        await server.query('rollback to savepoint act');
      }
    });

    test('can be removed when another admin can sign in', async ({ as, server }) => {
      await as(admin).write(GRANT, [ids.otherUser, 'admin']);
      const change = (text: string) => server.query(`update auth.users set ${text} where id = $1`, [ids.otherUser]);
      await change(`banned_until = now() + interval '1 day'`);
      await as(admin).refused('PT409', WITHDRAW, [ids.admin]);
      await change('banned_until = null, email_confirmed_at = null');
      await as(admin).refused('PT409', WITHDRAW, [ids.admin]);
      await change('email_confirmed_at = now()');
      await as(theService).refused('PT409', 'delete from user_roles');
      expect(await as(admin).write(WITHDRAW, [ids.admin])).toBe(1);
    });
  });

  describe('audit log', () => {
    const read = 'select actor, actor_kind, action, object, outcome, reason from audit_log order by id';

    test('accepts entries from the service alone, about the caller they name', async ({ as }) => {
      const record = (kind: string, actorId = 'null') =>
        `select record_act(${actorId}, 'wipe', 'projects', 'done', kind => ${kind})`;
      await as(theService).rows(record('null'));
      for (const actorId of [ids.admin, ids.otherUser]) await as(theService).rows(record('null', `'${actorId}'`));
      await as(theService).rows(record(`'service'`));
      expect(await as(admin).rows(`${read}`)).toMatchObject([
        { actor: null, actor_kind: 'guest', action: 'wipe' },
        { actor: ids.admin, actor_kind: 'admin' },
        { actor: ids.otherUser, actor_kind: 'user' },
        { actor: null, actor_kind: 'service' },
      ]);
    });

    test('returns the caller as the log names them, and no other user', async ({ as }) => {
      const results = [];
      for (const role of [guest, otherUser, admin, theService])
        results.push(await as(role).answer('select current_caller() as answer'));
      expect(results).toEqual([
        { id: null, kind: 'guest' },
        { id: ids.otherUser, kind: 'user' },
        { id: ids.admin, kind: 'admin' },
        { id: null, kind: 'service' },
      ]);
    });
  });
});
