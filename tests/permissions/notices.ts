import { describe, expect, it } from 'vitest';
import { admin, creator, guest, ids, otherUser, type Scene, type Stage, submitter, theService } from './stage.ts';

const ADD = `insert into webhooks (url, events) values ($1, '{project.published}') returning id, secrets, active`;
const URL = 'https://example.com/hook';

export const webhooks = (stage: Stage) =>
  describe('webhook', () => {
    const add = async ({ as }: Scene) => (await as(admin).rows<{ id: string }>(ADD, [URL]))[0]!.id;
    const renew = (scene: Scene, id: string) => scene.as(admin).rows('select renew_webhook_secret($1)', [id]);

    it('is read, added, changed and deleted by admins alone, which is logged', () =>
      stage.play(async (scene) => {
        const { as, server } = scene;
        const id = await add(scene);
        for (const actor of [guest, submitter, theService])
          for (const text of ['select * from webhooks', 'delete from webhooks', `update webhooks set active = false`])
            expect(await as(actor).refusal(text)).toBe('42501');
        for (const actor of [guest, submitter, otherUser, creator, theService])
          expect(await as(actor).refusal(ADD, [URL])).toBe('42501');
        for (const actor of [otherUser, creator]) {
          expect(await as(actor).rows('select * from webhooks')).toEqual([]);
          expect(await as(actor).write('update webhooks set active = false where id = $1', [id])).toBe(0);
          expect(await as(actor).write('delete from webhooks where id = $1', [id])).toBe(0);
        }
        expect(await as(admin).write('update webhooks set active = false where id = $1', [id])).toBe(1);
        expect(await as(admin).rows('select url, active, secrets from webhooks')).toEqual([
          { url: URL, active: false, secrets: 0 },
        ]);
        for (const column of ['secrets = 1', 'failing_since = null', 'created_at = now()'])
          expect(await as(admin).refusal(`update webhooks set ${column}`)).toBe('42501');
        await renew(scene, id);
        expect(await as(admin).write('delete from webhooks where id = $1', [id])).toBe(1);
        const { rows } = await server.query<{ action: string }>(
          `select action from public.audit_log where action like 'webhooks.%' order by id`,
        );
        expect(rows.map(({ action }) => action)).toEqual(
          ['insert', 'update', 'secret', 'delete'].map((action) => `webhooks.${action}`),
        );
      }));

    it('gets a secret, is tested and is sent an event again by admins alone; the log of deliveries is theirs', () =>
      stage.play(async (scene) => {
        const { as } = scene;
        const id = await add(scene);
        const calls = ['renew_webhook_secret', 'test_webhook', 'redeliver_webhook'].map((name) => `select ${name}($1)`);
        expect(await as(admin).refusal('select test_webhook($1)', [id])).toBe('PT422');
        await renew(scene, id);
        await as(admin).rows('select test_webhook($1)', [id]);
        const LOG = 'select id, event, attempts from webhook_deliveries';
        const [delivery] = await as(admin).rows<{ id: string }>(LOG);
        expect(delivery).toMatchObject({ event: 'webhook.test', attempts: 0 });
        for (const actor of [guest, submitter, otherUser, creator, theService])
          for (const call of calls)
            expect(await as(actor).refusal(call, [call.includes('redeliver') ? delivery!.id : id])).toBe('42501');
        for (const actor of [otherUser, creator]) expect(await as(actor).rows(LOG)).toEqual([]);
        for (const actor of [guest, submitter, theService]) expect(await as(actor).refusal(LOG)).toBe('42501');
        for (const text of ['delete from webhook_deliveries', `update webhook_deliveries set event = 'x'`])
          expect(await as(admin).refusal(text)).toBe('42501');
        await as(admin).rows('select redeliver_webhook($1)', [delivery!.id]);
        for (const call of calls)
          expect(await as(admin).refusal(call, ['00000000-0000-4000-8000-000000000009'])).toBe('PT404');
      }));

    it('has a web address without a password and known events, and there are at most 20', () =>
      stage.play(async (scene) => {
        const { as } = scene;
        for (const url of [
          '',
          'example.com',
          'ftp://example.com',
          'https://a:b@example.com',
          'https://a b',
          'https:///x',
          `https://e.com/${'x'.repeat(2048)}`,
        ])
          expect(await as(admin).refusal(ADD, [url]), url).toBe('23514');
        for (const events of ['{}', '{user.deleted}', '{project.published, x}'])
          expect(await as(admin).refusal('insert into webhooks (url, events) values ($1, $2)', [URL, events])).toBe(
            '23514',
          );
        const more = `insert into webhooks (url, events) select $1, '{message.received}' from generate_series(1, $2::int)`;
        await as(admin).rows(more, [URL, 20]);
        expect(await as(admin).refusal(ADD, [URL])).toBe('PT422');
      }));
  });

export const mailPreferences = (stage: Stage) =>
  describe('mail preferences', () => {
    const CHOOSE = `insert into mail_preferences (digest) values (true) on conflict (user_id) do update set digest = excluded.digest`;
    const READ = 'select user_id, submissions, messages, digest from mail_preferences';

    it('are chosen and read by each admin alone', () =>
      stage.play(async ({ as, server }) => {
        for (const actor of [guest, submitter, theService])
          for (const text of [CHOOSE, READ]) expect(await as(actor).refusal(text)).toBe('42501');
        for (const actor of [otherUser, creator]) {
          expect(await as(actor).refusal(CHOOSE)).toBe('42501');
          expect(await as(actor).rows(READ)).toEqual([]);
        }
        for (let times = 0; times < 2; times++) await as(admin).write(CHOOSE);
        const own = { user_id: ids.admin, submissions: false, messages: false, digest: true };
        expect(await as(admin).rows(READ)).toEqual([own]);
        expect(await as(admin).refusal('delete from mail_preferences')).toBe('42501');
        expect(await as(admin).refusal(`update mail_preferences set user_id = gen_random_uuid()`)).toBe('42501');
        await server.query(
          'insert into public.mail_preferences (user_id) select user_id from public.profiles on conflict do nothing',
        );
        expect(await as(admin).rows(READ)).toEqual([own]);
        expect(await as(admin).write('update mail_preferences set messages = true where user_id is not null')).toBe(1);
        for (const actor of [otherUser, creator]) {
          expect(await as(actor).rows(READ)).toEqual([]);
          expect(await as(actor).write('update mail_preferences set messages = true where user_id is not null')).toBe(
            0,
          );
        }
      }));
  });
