import { expect } from 'vitest';
import { type Actor, admin, creator, guest, ids, otherUser, theService } from './actors.ts';
import { logged, onStage, type Scene } from './stage.ts';

const REQUIRE_FACTOR = `insert into site_settings (name, value) values ('admins_need_second_factor', 'true')`;
const RESET_REQUIREMENT = `delete from site_settings where name = 'admins_need_second_factor'`;
const IS_ADMIN = 'select is_admin() as answer';
const NEEDS = 'select admin_needs_second_factor() as answer';

const proven = (actor: Actor, aal: string): Actor => ({
  ...actor,
  caller: { ...actor.caller, claims: { ...actor.caller.claims, aal } },
});
const withFactor = proven(admin, 'aal2');
const withoutFactor = proven(admin, 'aal1');

export const secondFactor = onStage('second factor of admins', ({ test }) => {
  const callFlag = ({ as }: Scene, actor: Actor, text: string) => as(actor).value<boolean>(text);
  /** Raises the admin's session to aal2, like the identity service. */
  const raise = ({ server }: Scene, aal = 'aal2') =>
    server.query('update auth.sessions set aal = $2::auth.aal_level where id = $1', [ids.freshSession, aal]);

  test('is required of an admin who has one, so the password alone gives no access (TM-06)', async (scene) => {
    const ADD_FACTOR = `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
      values (gen_random_uuid(), $1, 'Phone', 'totp', 'unverified', 'x', now(), now())`;
    await scene.server.query(ADD_FACTOR, [ids.admin]);
    expect(await callFlag(scene, withoutFactor, IS_ADMIN)).toBe(true);
    await scene.server.query(`update auth.mfa_factors set status = 'verified' where user_id = $1`, [ids.admin]);
    await raise(scene);
    for (const actor of [admin, withoutFactor]) {
      expect(await callFlag(scene, actor, IS_ADMIN)).toBe(false);
      expect(await scene.as(actor).rows('select * from audit_log')).toEqual([]);
    }
    expect(await callFlag(scene, withFactor, IS_ADMIN)).toBe(true);
  });

  test('denies admin rights to an unverified admin once it is required', async ({ as, scene }) => {
    await raise(scene);
    expect(await as(withFactor).write(REQUIRE_FACTOR)).toBe(1);
    for (const actor of [admin, withoutFactor, proven(admin, 'aal3'), proven(admin, '')]) {
      expect(await callFlag(scene, actor, IS_ADMIN)).toBe(false);
      expect(await callFlag(scene, actor, NEEDS)).toBe(true);
      expect(await as(actor).rows('select * from projects where id = $1', [ids.draft])).toEqual([]);
      expect(await as(actor).rows('select * from audit_log')).toEqual([]);
      expect(await as(actor).write(`update site_settings set value = 'false'`)).toBe(0);
      expect(await as(actor).write(RESET_REQUIREMENT)).toBe(0);
      await as(actor).refused('42501', `insert into site_settings (name, value) values ('phone', '"1"')`);
    }
    expect(await callFlag(scene, withFactor, IS_ADMIN)).toBe(true);
    expect(await callFlag(scene, withFactor, NEEDS)).toBe(false);
    expect(await as(withFactor).rows('select * from projects where id = $1', [ids.draft])).toHaveLength(1);
  });

  test('does not grant the admin role', async ({ as, scene }) => {
    for (const isRequired of [false, true]) {
      for (const actor of [otherUser, creator].map((one) => proven(one, 'aal2'))) {
        expect(await callFlag(scene, actor, IS_ADMIN)).toBe(false);
        expect(await callFlag(scene, actor, NEEDS)).toBe(false);
      }
      expect(await callFlag(scene, guest, IS_ADMIN)).toBe(false);
      if (!isRequired) expect(await as(theService).write(REQUIRE_FACTOR)).toBe(1);
    }
  });

  test('can be required only by an admin who has verified one, so that no one can lock out all admins', async (scene) => {
    const { as } = scene;
    await raise(scene);
    for (const actor of [admin, withoutFactor]) {
      await as(actor).refused('PT403', REQUIRE_FACTOR);
      expect(await as(actor).write(REQUIRE_FACTOR.replace('true', 'false'))).toBe(1);
      await as(actor).refused('PT403', `update site_settings set value = 'true'`);
      expect(await as(actor).write(RESET_REQUIREMENT)).toBe(1);
      expect(await as(actor).write(`insert into site_settings (name, value) values ('other', 'true')`)).toBe(1);
      const RENAME = `update site_settings set name = 'admins_need_second_factor' where name = 'other'`;
      await as(actor).refused('PT403', RENAME);
      expect(await as(actor).write(`delete from site_settings where name = 'other'`)).toBe(1);
    }
    await as(withFactor).refused('23514', REQUIRE_FACTOR.replace('true', '"yes"'));
    expect(await as(proven(otherUser, 'aal2')).refusal(REQUIRE_FACTOR)).toMatch(/^(42501|PT403)$/);
    await as(guest).refused('42501', REQUIRE_FACTOR);
    expect(await as(withFactor).write(REQUIRE_FACTOR)).toBe(1);
  });

  test('is void when the session has lost it, whatever the token claims', async ({ as, scene }) => {
    await raise(scene);
    await as(withFactor).write(REQUIRE_FACTOR);
    await raise(scene, 'aal1');
    expect(await callFlag(scene, withFactor, IS_ADMIN)).toBe(false);
    expect(await callFlag(scene, withFactor, NEEDS)).toBe(true);
  });

  test('is removed by an admin who has verified it, and by the service when all factors are lost', async (scene) => {
    const { as, server } = scene;
    await raise(scene);
    for (const actor of [withFactor, theService]) {
      await as(withFactor).write(REQUIRE_FACTOR);
      expect(await callFlag(scene, withoutFactor, IS_ADMIN)).toBe(false);
      expect(await as(actor).write(RESET_REQUIREMENT)).toBe(1);
      expect(await callFlag(scene, withoutFactor, IS_ADMIN)).toBe(true);
    }
    const log = await logged(server, 'admins_need_second_factor', 'actor_kind, object');
    expect(log).toEqual(['admin on', 'admin off', 'admin on', 'service off']);
  });

  test('is disclosed only to its owner', async ({ as }) => {
    for (const actor of [guest, theService]) await as(actor).refused('42501', NEEDS);
    await as(admin).refused('42501', "select private.is_setting_on('admins_need_second_factor')");
  });
});
