import { describe, expect } from 'vitest';
import { type Actor, admin, guest, ids, otherUser, sha256, theService, withSetupKey } from './actors.ts';
import { comeFrom, logged, onStage, type Scene } from './stage.ts';

const KEY = 'setup-key-of-the-operator';
const TERRY = 'terry@example.com';
const ASSIGN = 'select assign_admin_role(admin_email => $1) as answer';
const ADMINS = `select held.user_id from user_roles held join roles on roles.id = held.role_id where name = 'admin'`;
const refusal = (message: unknown = expect.any(String)) => ({
  answer: { code: '42501', message, details: null, hint: null },
  status: '403',
});
const yes = { answer: true, status: null };

export const firstAdmin = onStage('admin role', ({ test }) => {
  const assign = ({ as }: Scene, actor: Actor, email: string) => as(actor).call(ASSIGN, [email]);
  const admins = ({ server }: Scene) => server.column<string>(ADMINS);
  const setKey = ({ server }: Scene, key = KEY) => server.query('select private.set_setup_key($1)', [sha256(key)]);
  const removeAdmins = async ({ server }: Scene) => {
    await server.query('alter table user_roles disable trigger protect_last_admin');
    await server.query('delete from user_roles');
    await server.query('alter table user_roles enable trigger protect_last_admin');
  };
  const removeRoles = async (scene: Scene) => {
    await removeAdmins(scene);
    await scene.server.query('alter table roles disable trigger protect_role_name');
    await scene.server.query('delete from roles');
  };
  const withoutAdmin = async (scene: Scene) => {
    await removeAdmins(scene);
    await setKey(scene);
  };

  describe('with an existing admin', () => {
    test('is granted by admins and the service to confirmed accounts (DATA-14, PERM-10)', async (scene) => {
      expect(await assign(scene, admin, ' Terry@Example.com ')).toEqual(yes);
      expect(await assign(scene, theService, 'creator@example.com')).toEqual(yes);
      expect((await admins(scene)).sort()).toEqual([ids.admin, ids.creator, ids.otherUser].sort());
      // Assigning the role again succeeds, as at every admin sign-in.
      expect(await assign(scene, admin, TERRY)).toEqual(yes);
      expect(await assign(scene, admin, 'admin@example.com')).toEqual(yes);
    });

    test('creates the role when it is missing (PERM-08)', async (scene) => {
      await removeRoles(scene);
      for (const _ of ['first', 'again']) expect(await assign(scene, theService, TERRY)).toEqual(yes);
      expect(await admins(scene)).toEqual([ids.otherUser]);
    });

    test('reports that the role is missing and cannot be created (ERR-04)', async ({ as, scene, server }) => {
      await removeRoles(scene);
      const MAKE_NONE = `create function make_none() returns trigger language plpgsql as $$ begin return null; end $$`;
      await server.query(MAKE_NONE);
      await server.query('create trigger make_none before insert on roles for each row execute function make_none()');
      const refused = as(theService).call(ASSIGN, [TERRY]);
      const message = 'Role admin not found and could not be created';
      await expect(refused).rejects.toMatchObject({ code: 'P0001', message });
    });

    test('refuses all other actors with the same response for every target (PERM-10, PERM-13, TM-24)', async (scene) => {
      for (const actor of [guest, otherUser]) {
        const results: string[] = [];
        const accounts = ['terry', 'unconfirmed', 'unknown', 'admin'].map((name) => `${name}@example.com`);
        for (const email of [...accounts, '']) results.push(JSON.stringify(await assign(scene, actor, email)));
        expect(new Set(results).size).toBe(1);
        expect(JSON.parse(results[0]!)).toEqual(refusal('Only an admin can assign the admin role.'));
      }
      expect(await admins(scene)).toEqual([ids.admin]);
    });

    test('no longer accepts a setup key (SETUP-18)', async (scene) => {
      await setKey(scene);
      const invalidKey = refusal('Invalid admin key. Please enter the correct key to create an admin account.');
      expect(await assign(scene, withSetupKey(KEY, otherUser), TERRY)).toEqual(invalidKey);
      expect(await admins(scene)).toEqual([ids.admin]);
    });

    test('returns one message to an admin for unknown, unconfirmed, banned and deleted accounts (GATE-13)', async (scene) => {
      const BAN = `update auth.users set banned_until = now() + interval '1 day' where id = $1`;
      await scene.server.query(BAN, [ids.creator]);
      await scene.server.query(`update auth.users set deleted_at = now() where id = $1`, [ids.otherUser]);
      const message = 'No confirmed account has this email address.';
      const answer = { code: 'P0001', message, details: null, hint: null };
      for (const name of ['unknown', 'unconfirmed', 'creator', 'terry'])
        expect(await assign(scene, admin, `${name}@example.com`)).toEqual({ answer, status: '400' });
    });
  });

  describe('without an admin', () => {
    test('is granted once by the setup key, which is then used up (TM-19, SETUP-18)', async ({ scene, server }) => {
      await withoutAdmin(scene);
      expect(await assign(scene, guest, TERRY)).toEqual(refusal());
      expect(await assign(scene, withSetupKey('another-key-altogether', guest), TERRY)).toEqual(refusal());
      expect(await assign(scene, withSetupKey(KEY), TERRY)).toEqual(yes);
      expect(await admins(scene)).toEqual([ids.otherUser]);
      await removeAdmins(scene);
      expect(await assign(scene, withSetupKey(KEY), 'creator@example.com')).toEqual(refusal());
      expect(await server.column('select private.set_setup_key($1) as usable', [sha256(KEY)])).toEqual([false]);
      expect(await assign(scene, withSetupKey(KEY), 'creator@example.com')).toEqual(refusal());
    });

    test('keeps the setup key valid when the account is not confirmed yet', async (scene) => {
      await withoutAdmin(scene);
      expect(await assign(scene, withSetupKey(KEY), 'unconfirmed@example.com')).toMatchObject({ status: '400' });
      expect(await assign(scene, withSetupKey(KEY), 'unknown@example.com')).toMatchObject({ status: '400' });
      expect(await assign(scene, withSetupKey(KEY), TERRY)).toEqual(yes);
    });

    test('rejects an expired, replaced or unknown setup key', async ({ scene, server }) => {
      await withoutAdmin(scene);
      await server.query(`update private.setup_keys set expires_at = now() - interval '1 second'`);
      expect(await assign(scene, withSetupKey(KEY), TERRY)).toEqual(refusal());
      await setKey(scene);
      await setKey(scene, 'the next key');
      expect(await assign(scene, withSetupKey(KEY), TERRY)).toEqual(refusal());
      await server.query('delete from private.setup_keys');
      for (const key of [KEY, '', 'null']) expect(await assign(scene, withSetupKey(key), TERRY)).toEqual(refusal());
      expect(await admins(scene)).toEqual([]);
    });

    const CHECK = 'select check_setup_key(setup_key => $1) as answer';
    const tooMany = expect.objectContaining({ message: 'Too many attempts. Try again later.' });
    const closed = { answer: tooMany, status: '429' };
    const guessFiveTimes = async (scene: Scene) => {
      for (let guess = 0; guess < 5; guess++)
        expect(await assign(scene, withSetupKey(`guess number ${guess} of many`), TERRY)).toEqual(refusal());
      expect(await assign(scene, withSetupKey('one more guess'), TERRY)).toEqual(closed);
    };

    test('blocks an address after five wrong keys, but no other address and never the right key (C7)', async (scene) => {
      await withoutAdmin(scene);
      await comeFrom(scene, '203.0.113.1');
      await guessFiveTimes(scene);
      expect(await scene.as(theService).call(CHECK, ['one more guess'])).toEqual(closed);
      await comeFrom(scene, '203.0.113.2');
      expect(await assign(scene, withSetupKey('their first guess'), TERRY)).toEqual(refusal());
      // The right key is accepted from the blocked address, and guesses stay blocked.
      await comeFrom(scene, '203.0.113.1');
      expect(await scene.as(theService).call(CHECK, [KEY])).toEqual(yes);
      expect(await assign(scene, withSetupKey('one more guess'), TERRY)).toEqual(closed);
      // Callers who need no key are not blocked.
      expect(await assign(scene, theService, 'creator@example.com')).toEqual(yes);
      await removeAdmins(scene);
      expect(await assign(scene, withSetupKey(KEY), TERRY)).toEqual(yes);
      expect(await admins(scene)).toEqual([ids.otherUser]);
    });

    test('blocks it for 15 minutes, and twice as long after each further wrong key (section 8)', async (scene) => {
      await withoutAdmin(scene);
      await comeFrom(scene, '203.0.113.1');
      await guessFiveTimes(scene);
      const SHORTEN = `update private.attempts set blocked_until = blocked_until - make_interval(mins => $1)`;
      const pass = (minutes: number) => scene.server.query(SHORTEN, [minutes]);
      for (const minutes of [15, 30, 60]) {
        await pass(minutes - 1);
        expect(await scene.as(theService).call(CHECK, ['one more guess'])).toEqual(closed);
        await pass(1);
        expect(await scene.as(theService).call(CHECK, ['one more guess'])).toEqual(refusal());
      }
    });

    test('resets its counter when the operator sets another key, but not at a restart with the same key (C7)', async (scene) => {
      await withoutAdmin(scene);
      await comeFrom(scene, '203.0.113.1');
      await guessFiveTimes(scene);
      await setKey(scene);
      expect(await assign(scene, withSetupKey('a guess'), TERRY)).toEqual(closed);
      await setKey(scene, 'the next key');
      await guessFiveTimes(scene);
      expect(await assign(scene, withSetupKey(KEY), TERRY)).toEqual(closed);
      expect(await assign(scene, withSetupKey('the next key'), TERRY)).toEqual(yes);
    });

    test('counts refusals without a key by address too, and expires inactive addresses (C7)', async (scene) => {
      await comeFrom(scene, '203.0.113.1');
      for (let n = 0; n < 100; n++) await assign(scene, guest, TERRY);
      expect(await assign(scene, guest, TERRY)).toEqual(closed);
      await comeFrom(scene, '203.0.113.2');
      expect(await assign(scene, guest, TERRY)).toEqual(refusal('Only an admin can assign the admin role.'));
      const counted = async () => (await scene.server.rows('select from private.attempts')).length;
      await scene.server.query(`update private.attempts set last_failed_at = now() - interval '25 hours'`);
      await scene.server.query('select private.clear_attempts()');
      expect(await counted()).toBe(1); // one is still shut out
      await scene.server.query(`update private.attempts set blocked_until = now() - interval '1 hour'`);
      await scene.server.query('select private.clear_attempts()');
      expect(await counted()).toBe(0);
    });

    const grants = ({ server }: Scene) => logged(server, '%role%', 'actor_kind, action, outcome, object, reason');

    test('logs one line for a grant, and none for an account that is an admin already (D10, U31)', async (scene) => {
      const before = await grants(scene);
      for (const role of [admin, theService])
        expect(await scene.as(role).answer(ASSIGN, ['admin@example.com'])).toBe(true);
      expect(await grants(scene)).toEqual(before);
      await scene.as(admin).call(ASSIGN, [TERRY]);
      await scene.as(theService).call(ASSIGN, ['creator@example.com']);
      expect((await grants(scene)).slice(before.length)).toEqual([
        `admin admin_role.assign done ${ids.otherUser}`,
        `service admin_role.assign done ${ids.creator}`,
      ]);
      await scene.as(admin).write(`delete from user_roles where user_id = '${ids.creator}'`);
      const deletion = new RegExp(`^admin user_roles.delete done ${ids.creator} [0-9a-f-]{36}$`);
      expect((await grants(scene)).at(-1)).toMatch(deletion);
      expect(await grants(scene)).toHaveLength(before.length + 3);
    });

    test('accepts only the hash of a key', async ({ server }) => {
      await expect(server.query('select private.set_setup_key($1)', [KEY])).rejects.toMatchObject({ code: '22023' });
    });
  });
});
