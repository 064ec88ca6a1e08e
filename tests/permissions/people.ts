import { describe, expect, it } from 'vitest';
import { admin, creator, guest, ids, otherUser, type Stage, submitter, theService } from './stage.ts';

const GRANT = `insert into user_roles (user_id, role_id) select $1::uuid, id from roles where name = 'admin'`;
const WITHDRAW = 'delete from user_roles where user_id = $1';

export const people = (stage: Stage) =>
  describe('users and roles', () => {
    describe('profiles', () => {
      it('are readable by their own user and by admins', () =>
        stage.play(async ({ as }) => {
          const read = 'select email from profiles order by email';
          expect(await as(guest).refusal(read)).toBe('42501');
          expect(await as(otherUser).rows(read)).toEqual([{ email: 'terry@example.com' }]);
          expect(await as(admin).rows(read)).toHaveLength(4);
          expect(await as(theService).rows(read)).toHaveLength(4);
        }));

      it('cannot be written by clients', () =>
        stage.play(async ({ as }) => {
          for (const actor of [guest, otherUser, admin, theService])
            for (const text of [
              `insert into profiles (user_id) values ('${ids.guest}')`,
              `update profiles set requested_admin = true`,
              'delete from profiles',
            ])
              expect(await as(actor).refusal(text)).toBe('42501');
        }));

      it('are created and deleted with their account; the guest account has none', () =>
        stage.play(async ({ server }) => {
          const read = `select email, name, requested_admin, email_confirmed_at is not null as confirmed from public.profiles where user_id = $1`;
          await server.query(
            `update auth.users set email = 'new@example.com', email_confirmed_at = null, raw_user_meta_data = '{"name": "Renamed", "requested_admin": "yes"}' where id = $1`,
            [ids.otherUser],
          );
          expect((await server.query(read, [ids.otherUser])).rows).toEqual([
            { email: 'new@example.com', name: 'Renamed', requested_admin: false, confirmed: false },
          ]);
          await server.query('update auth.users set deleted_at = now() where id = $1', [ids.otherUser]);
          expect((await server.query(read, [ids.otherUser])).rows).toEqual([]);
          expect((await server.query(read, [ids.guest])).rows).toEqual([]);
        }));

      it('accept any metadata of a user', () =>
        stage.play(async ({ server }) => {
          for (const metadata of [
            null,
            {},
            { name: { first: 'x' } },
            { name: 'x'.repeat(500) },
            [1],
            { name: 1, requested_admin: [] },
          ])
            await server.query('update auth.users set raw_user_meta_data = $1 where id = $2', [
              metadata,
              ids.otherUser,
            ]);
        }));
    });

    describe('roles', () => {
      it('are readable by signed-in users, added by admins, and hidden from guests (DATA-08)', () =>
        stage.play(async ({ as }) => {
          const INSERT = `insert into roles (name) values ('reader')`;
          // M10: no row and no error, as for every hidden row.
          expect(await as(guest).rows('select * from roles')).toEqual([]);
          for (const actor of [guest, otherUser]) expect(await as(actor).refusal(INSERT)).toBe('42501');
          expect(await as(otherUser).rows(`select name from roles`)).toEqual([{ name: 'admin' }, { name: 'editor' }]);
          expect(await as(guest).refusal(INSERT)).toBe('42501');
          expect(await as(otherUser).refusal(INSERT)).toBe('42501');
          expect(await as(admin).write(INSERT)).toBe(1);
          expect(await as(admin).refusal(`insert into roles (name) values ('admin')`)).toBe('23505');
          expect(await as(admin).refusal(`update roles set name = 'editors'`)).toBe('42501');
          expect(await as(admin).refusal(`delete from roles`)).toBe('42501');
          expect(await as(theService).write(`update roles set name = 'author' where name = 'reader'`)).toBe(1);
          expect(await as(theService).write(`delete from roles where name = 'author'`)).toBe(1);
        }));

      it('keep the name “admin”, even for the service', () =>
        stage.play(async ({ as }) => {
          expect(await as(theService).refusal(`update roles set name = 'boss' where name = 'admin'`)).toBe('PT409');
          expect(await as(theService).refusal(`delete from roles where name = 'admin'`)).toBe('PT409');
        }));

      it('are granted and withdrawn by admins and the service alone', () =>
        stage.play(async ({ as }) => {
          expect(
            await as(guest).refusal(
              `insert into user_roles (user_id, role_id) values ('${ids.otherUser}', gen_random_uuid())`,
            ),
          ).toBe('42501');
          for (const actor of [otherUser, creator]) {
            expect(await as(actor).refusal(GRANT, [ids.otherUser])).toBe('42501');
            expect(await as(actor).refusal(GRANT, [ids.missing])).toBe('42501');
            expect(await as(actor).write(WITHDRAW, [ids.admin])).toBe(0);
          }
          for (const actor of [admin, theService]) {
            expect(await as(actor).write(GRANT, [ids.otherUser])).toBe(1);
            expect(await as(actor).refusal(GRANT, [ids.otherUser])).toBe('23505');
            expect(await as(actor).write(WITHDRAW, [ids.otherUser])).toBe(1);
            expect(await as(actor).refusal(`update user_roles set user_id = '${ids.otherUser}'`)).toBe('42501');
          }
          expect(await as(admin).refusal(GRANT, [ids.guest])).toBe('23503');
        }));

      it('show users their own roles, and all roles to admins', () =>
        stage.play(async ({ as, server }) => {
          await server.query(`insert into public.roles (name) values ('member')`);
          await server.query(
            `insert into public.user_roles select '${ids.otherUser}', id from public.roles where name = 'member'`,
          );
          const read = 'select user_id from user_roles order by user_id';
          expect(await as(guest).refusal(read)).toBe('42501');
          expect(await as(creator).rows(read)).toEqual([]);
          expect(await as(otherUser).rows(read)).toEqual([{ user_id: ids.otherUser }]);
          expect(await as(admin).rows(read)).toHaveLength(2);
        }));
    });

    describe('admin check', () => {
      const query = 'select is_admin() as answer';

      it('returns true or false to every actor (DATA-13, PERM-05)', () =>
        stage.play(async ({ as }) => {
          for (const actor of [guest, submitter, otherUser, creator, theService])
            expect((await as(actor).call(query)).answer).toBe(false);
          expect((await as(admin).call(query)).answer).toBe(true);
        }));

      it('ignores claims in tokens and user metadata (PERM-13, TM-01)', () =>
        stage.play(async ({ as }) => {
          const claims = {
            role: 'authenticated' as const,
            sub: ids.otherUser,
            user_metadata: { requested_admin: true, role: 'admin', roles: ['admin'] },
            app_metadata: { role: 'admin' },
            is_admin: true,
          };
          const boaster = { caller: { ...otherUser.caller, claims } };
          expect((await as(boaster).call(query)).answer).toBe(false);
          expect(await as(boaster).write(`update projects set title = 'Mine'`)).toBe(0);
        }));

      it('returns false for the next request after the role is withdrawn', () =>
        stage.play(async ({ as }) => {
          await as(admin).write(GRANT, [ids.otherUser]);
          expect((await as(otherUser).call(query)).answer).toBe(true);
          await as(admin).write(WITHDRAW, [ids.otherUser]);
          expect((await as(otherUser).call(query)).answer).toBe(false);
          expect(await as(otherUser).write(`update projects set title = 'Mine'`)).toBe(0);
        }));
    });

    describe('last admin', () => {
      it('cannot be removed, deleted or banned by any actor (AUSERS-01, TM-18)', () =>
        stage.play(async ({ as, server }) => {
          expect(await as(admin).refusal(WITHDRAW, [ids.admin])).toBe('PT409');
          expect(await as(theService).refusal('delete from user_roles')).toBe('PT409');
          for (const text of [
            'delete from auth.users where id = $1',
            'update auth.users set deleted_at = now() where id = $1',
            `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
          ]) {
            await server.query('savepoint act');
            await expect(server.query(text, [ids.admin])).rejects.toMatchObject({ code: 'PT409' });
            await server.query('rollback to savepoint act');
          }
        }));

      it('can be removed when another admin can sign in', () =>
        stage.play(async ({ as, server }) => {
          await as(admin).write(GRANT, [ids.otherUser]);
          await server.query(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [
            ids.otherUser,
          ]);
          expect(await as(admin).refusal(WITHDRAW, [ids.admin])).toBe('PT409');
          await server.query(`update auth.users set banned_until = null where id = $1`, [ids.otherUser]);
          expect(await as(theService).refusal('delete from user_roles')).toBe('PT409');
          expect(await as(admin).write(WITHDRAW, [ids.admin])).toBe(1);
        }));
    });

    describe('audit log', () => {
      const read = 'select actor, actor_kind, action, object, outcome, reason from audit_log order by id';

      it('records actions of admins and the service, publications and deletions (PERM-14)', () =>
        stage.play(async ({ as }) => {
          await as(admin).write(`update projects set status = 'active' where id = $1`, [ids.draft]);
          await as(theService).write('delete from project_media where project_id = $1', [ids.published]);
          await as(creator).write('delete from projects where id = $1', [ids.draft]);
          await as(admin).write(GRANT, [ids.otherUser]);
          const log = await as(admin).rows<{ object: string }>(read);
          const role = (await as(admin).rows<{ id: string }>(`select id from roles where name = 'admin'`))[0]!.id;
          expect(log).toEqual(
            [
              ...[{ actor: ids.admin, actor_kind: 'admin', action: 'projects.publish', object: ids.draft }],
              ...[{ actor: ids.admin, actor_kind: 'admin', action: 'projects.update', object: ids.draft }],
              ...[{ actor: null, actor_kind: 'service', action: 'project_media.delete', object: expect.any(String) }],
              ...[{ actor: ids.creator, actor_kind: 'user', action: 'projects.delete', object: ids.draft }],
              ...[
                {
                  actor: ids.admin,
                  actor_kind: 'admin',
                  action: 'user_roles.insert',
                  object: `${ids.otherUser} ${role}`,
                },
              ],
            ].map((line) => ({ ...line, outcome: 'done', reason: null })),
          );
        }));

      it('is readable by admins and the service, and read-only for everyone', () =>
        stage.play(async ({ as }) => {
          await as(admin).write(`update projects set status = 'active' where id = $1`, [ids.draft]);
          expect(await as(guest).refusal(read)).toBe('42501');
          expect(await as(otherUser).rows(read)).toEqual([]);
          expect(await as(admin).rows(read)).not.toEqual([]);
          expect(await as(theService).rows(read)).not.toEqual([]);
          for (const actor of [guest, otherUser, admin, theService])
            for (const text of [
              `insert into audit_log (actor_kind, action, outcome) values ('admin', 'x', 'done')`,
              `update audit_log set action = 'x'`,
              'delete from audit_log',
              'truncate audit_log',
            ])
              expect(await as(actor).refusal(text)).toBe('42501');
        }));

      it('accepts entries from the service alone, about the caller they name', () =>
        stage.play(async ({ as }) => {
          const record = (kind: string, actorId = 'null') =>
            `select record_act(${actorId}, 'wipe', 'projects', 'done', kind => ${kind})`;
          for (const role of [guest, otherUser, admin]) expect(await as(role).refusal(record('null'))).toBe('42501');
          for (const [kind, actorId] of [
            ['null'],
            ['null', `'${ids.admin}'`],
            ['null', `'${ids.otherUser}'`],
            [`'service'`],
          ] as const)
            await as(theService).rows(record(kind, actorId));
          expect(await as(admin).rows(`${read}`)).toMatchObject([
            { actor: null, actor_kind: 'guest', action: 'wipe' },
            { actor: ids.admin, actor_kind: 'admin' },
            { actor: ids.otherUser, actor_kind: 'user' },
            { actor: null, actor_kind: 'service' },
          ]);
        }));

      it('returns the caller as the log names them, and no other user', () =>
        stage.play(async ({ as }) => {
          const results = [];
          for (const role of [guest, otherUser, admin, theService])
            results.push((await as(role).call('select current_caller() as answer')).answer);
          expect(results).toEqual([
            { id: null, kind: 'guest' },
            { id: ids.otherUser, kind: 'user' },
            { id: ids.admin, kind: 'admin' },
            { id: null, kind: 'service' },
          ]);
        }));
    });
  });
