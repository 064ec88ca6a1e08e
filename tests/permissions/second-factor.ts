import { describe, expect, it } from 'vitest';
import { type Actor, admin, creator, guest, ids, otherUser, type Scene, type Stage, theService } from './stage.ts';

const ON = `insert into site_settings (name, value) values ('admins_need_second_factor', 'true')`;
const OFF = `delete from site_settings where name = 'admins_need_second_factor'`;
const IS_ADMIN = 'select is_admin() as answer';
const NEEDS = 'select admin_needs_second_factor() as answer';

/** The same user with a token of another authenticator assurance level. */
const proven = (actor: Actor, aal: string): Actor => ({
  ...actor,
  caller: { ...actor.caller, claims: { ...actor.caller.claims, aal } },
});
const withFactor = proven(admin, 'aal2');
const withoutFactor = proven(admin, 'aal1');

export const secondFactor = (stage: Stage) =>
  describe('second factor of admins', () => {
    const callFlag = async ({ as }: Scene, actor: Actor, text: string) =>
      (await as(actor).rows<{ answer: boolean }>(text))[0]!.answer;
    /** Raises the admin's session to aal2, like the identity service. */
    const raise = ({ server }: Scene, aal = 'aal2') =>
      server.query('update auth.sessions set aal = $2::auth.aal_level where id = $1', [ids.freshSession, aal]);

    it('is not required until an admin turns it on', () =>
      stage.play(async (scene) => {
        for (const actor of [admin, withoutFactor]) {
          expect(await callFlag(scene, actor, IS_ADMIN)).toBe(true);
          expect(await callFlag(scene, actor, NEEDS)).toBe(false);
        }
      }));

    it('is required of an admin who has one, so the password alone gives no access (TM-06)', () =>
      stage.play(async (scene) => {
        await scene.server.query(
          `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
           values (gen_random_uuid(), $1, 'Phone', 'totp', 'unverified', 'x', now(), now())`,
          [ids.admin],
        );
        expect(await callFlag(scene, withoutFactor, IS_ADMIN)).toBe(true);
        await scene.server.query(`update auth.mfa_factors set status = 'verified' where user_id = $1`, [ids.admin]);
        await raise(scene);
        for (const actor of [admin, withoutFactor]) {
          expect(await callFlag(scene, actor, IS_ADMIN)).toBe(false);
          expect(await scene.as(actor).rows('select * from audit_log')).toEqual([]);
        }
        expect(await callFlag(scene, withFactor, IS_ADMIN)).toBe(true);
      }));

    it('denies admin rights to an unverified admin once it is required', () =>
      stage.play(async (scene) => {
        const { as } = scene;
        await raise(scene);
        expect(await as(withFactor).write(ON)).toBe(1);
        for (const actor of [admin, withoutFactor, proven(admin, 'aal3'), proven(admin, '')]) {
          expect(await callFlag(scene, actor, IS_ADMIN)).toBe(false);
          expect(await callFlag(scene, actor, NEEDS)).toBe(true);
          expect(await as(actor).rows('select * from projects where id = $1', [ids.draft])).toEqual([]);
          expect(await as(actor).rows('select * from audit_log')).toEqual([]);
          expect(await as(actor).write(`update site_settings set value = 'false'`)).toBe(0);
          expect(await as(actor).write(OFF)).toBe(0);
          expect(await as(actor).refusal(`insert into site_settings (name, value) values ('phone', '"1"')`)).toBe(
            '42501',
          );
        }
        expect(await callFlag(scene, withFactor, IS_ADMIN)).toBe(true);
        expect(await callFlag(scene, withFactor, NEEDS)).toBe(false);
        expect(await as(withFactor).rows('select * from projects where id = $1', [ids.draft])).toHaveLength(1);
      }));

    it('does not grant the admin role', () =>
      stage.play(async (scene) => {
        const { as } = scene;
        for (const isRequired of [false, true]) {
          for (const actor of [otherUser, creator].map((one) => proven(one, 'aal2'))) {
            expect(await callFlag(scene, actor, IS_ADMIN)).toBe(false);
            expect(await callFlag(scene, actor, NEEDS)).toBe(false);
          }
          expect(await callFlag(scene, guest, IS_ADMIN)).toBe(false);
          if (!isRequired) expect(await as(theService).write(ON)).toBe(1);
        }
      }));

    it('can be required only by an admin who has verified one, so that no one can lock out all admins', () =>
      stage.play(async (scene) => {
        const { as } = scene;
        await raise(scene);
        for (const actor of [admin, withoutFactor]) {
          expect(await as(actor).refusal(ON)).toBe('PT403');
          expect(await as(actor).write(ON.replace('true', 'false'))).toBe(1);
          expect(await as(actor).refusal(`update site_settings set value = 'true'`)).toBe('PT403');
          expect(await as(actor).write(OFF)).toBe(1);
          expect(await as(actor).write(`insert into site_settings (name, value) values ('other', 'true')`)).toBe(1);
          expect(
            await as(actor).refusal(`update site_settings set name = 'admins_need_second_factor' where name = 'other'`),
          ).toBe('PT403');
          expect(await as(actor).write(`delete from site_settings where name = 'other'`)).toBe(1);
        }
        expect(await as(withFactor).refusal(ON.replace('true', '"yes"'))).toBe('23514');
        expect(await as(proven(otherUser, 'aal2')).refusal(ON)).toMatch(/^(42501|PT403)$/);
        expect(await as(guest).refusal(ON)).toBe('42501');
        expect(await as(withFactor).write(ON)).toBe(1);
      }));

    it('is void when the session has lost it, whatever the token claims', () =>
      stage.play(async (scene) => {
        await raise(scene);
        await scene.as(withFactor).write(ON);
        await raise(scene, 'aal1');
        expect(await callFlag(scene, withFactor, IS_ADMIN)).toBe(false);
        expect(await callFlag(scene, withFactor, NEEDS)).toBe(true);
      }));

    it('is removed by an admin who has verified it, and by the service when all factors are lost', () =>
      stage.play(async (scene) => {
        const { as, server } = scene;
        await raise(scene);
        for (const actor of [withFactor, theService]) {
          await as(withFactor).write(ON);
          expect(await callFlag(scene, withoutFactor, IS_ADMIN)).toBe(false);
          expect(await as(actor).write(OFF)).toBe(1);
          expect(await callFlag(scene, withoutFactor, IS_ADMIN)).toBe(true);
        }
        const { rows } = await server.query(
          `select actor_kind, object from public.audit_log where action = 'admins_need_second_factor' order by id`,
        );
        expect(rows).toEqual([
          { actor_kind: 'admin', object: 'on' },
          { actor_kind: 'admin', object: 'off' },
          { actor_kind: 'admin', object: 'on' },
          { actor_kind: 'service', object: 'off' },
        ]);
      }));

    it('is disclosed only to its owner', () =>
      stage.play(async ({ as }) => {
        for (const actor of [guest, theService]) expect(await as(actor).refusal(NEEDS)).toBe('42501');
        expect(await as(admin).refusal("select private.is_setting_on('admins_need_second_factor')")).toBe('42501');
      }));
  });
