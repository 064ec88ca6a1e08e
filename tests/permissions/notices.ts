import { describe, expect } from 'vitest';
import { admin, creator, guest, ids, otherUser, type Scene, type Stage, submitter, theService } from './stage.ts';

const ADD = `insert into webhooks (url, events) values ($1, '{project.published}') returning id, secrets, active`;
const URL = 'https://example.com/hook';

export const webhooks = (stage: Stage) =>
  describe('webhook', () => {
    const add = ({ as }: Scene) => as(admin).value<string>(ADD, [URL]);
    const renew = (scene: Scene, id: string) => scene.as(admin).rows('select renew_webhook_secret($1)', [id]);

    stage.it('is read, added, changed and deleted by admins alone, which is logged', async (scene) => {
      const { as, server } = scene;
      const id = await add(scene);
      for (const actor of [guest, submitter, theService])
        for (const text of ['select * from webhooks', 'delete from webhooks', `update webhooks set active = false`])
          await as(actor).refused('42501', text);
      for (const actor of [guest, submitter, otherUser, creator, theService])
        await as(actor).refused('42501', ADD, [URL]);
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
        await as(admin).refused('42501', `update webhooks set ${column}`);
      await renew(scene, id);
      expect(await as(admin).write('delete from webhooks where id = $1', [id])).toBe(1);
      const rows = await server.rows<{ action: string }>(
        `select action from public.audit_log where action like 'webhooks.%' order by id`,
      );
      expect(rows.map(({ action }) => action)).toEqual(
        ['insert', 'update', 'secret', 'delete'].map((action) => `webhooks.${action}`),
      );
    });

    stage.it(
      'gets a secret, is tested and is sent an event again by admins alone; the log of deliveries is theirs',
      async (scene) => {
        const { as } = scene;
        const id = await add(scene);
        const calls = ['renew_webhook_secret', 'test_webhook', 'redeliver_webhook'].map((name) => `select ${name}($1)`);
        await as(admin).refused('PT422', 'select test_webhook($1)', [id]);
        await renew(scene, id);
        await as(admin).rows('select test_webhook($1)', [id]);
        const LOG = 'select id, event, attempts from webhook_deliveries';
        const [delivery] = await as(admin).rows<{ id: string }>(LOG);
        expect(delivery).toMatchObject({ event: 'webhook.test', attempts: 0 });
        for (const actor of [guest, submitter, otherUser, creator, theService])
          for (const call of calls)
            await as(actor).refused('42501', call, [call.includes('redeliver') ? delivery!.id : id]);
        for (const actor of [otherUser, creator]) expect(await as(actor).rows(LOG)).toEqual([]);
        for (const actor of [guest, submitter, theService]) await as(actor).refused('42501', LOG);
        for (const text of ['delete from webhook_deliveries', `update webhook_deliveries set event = 'x'`])
          await as(admin).refused('42501', text);
        await as(admin).rows('select redeliver_webhook($1)', [delivery!.id]);
        for (const call of calls) await as(admin).refused('PT404', call, ['00000000-0000-4000-8000-000000000009']);
      },
    );

    stage.it('has a web address without a password and known events, and there are at most 20', async (scene) => {
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
        await as(admin).refused('23514', ADD, [url]);
      for (const events of ['{}', '{user.deleted}', '{project.published, x}'])
        await as(admin).refused('23514', 'insert into webhooks (url, events) values ($1, $2)', [URL, events]);
      const more = `insert into webhooks (url, events) select $1, '{message.received}' from generate_series(1, $2::int)`;
      await as(admin).rows(more, [URL, 20]);
      await as(admin).refused('PT422', ADD, [URL]);
    });
  });

export const mailPreferences = (stage: Stage) =>
  describe('mail preferences', () => {
    const CHOOSE = `insert into mail_preferences (digest) values (true) on conflict (user_id) do update set digest = excluded.digest`;
    const READ = 'select user_id, submissions, messages, digest from mail_preferences';

    stage.it('are chosen and read by each admin alone', async ({ as, server }) => {
      for (const actor of [guest, submitter, theService])
        for (const text of [CHOOSE, READ]) await as(actor).refused('42501', text);
      for (const actor of [otherUser, creator]) {
        await as(actor).refused('42501', CHOOSE);
        expect(await as(actor).rows(READ)).toEqual([]);
      }
      for (let times = 0; times < 2; times++) await as(admin).write(CHOOSE);
      const own = { user_id: ids.admin, submissions: false, messages: false, digest: true };
      expect(await as(admin).rows(READ)).toEqual([own]);
      await as(admin).refused('42501', 'delete from mail_preferences');
      await as(admin).refused('42501', `update mail_preferences set user_id = gen_random_uuid()`);
      await server.query(
        'insert into public.mail_preferences (user_id) select user_id from public.profiles on conflict do nothing',
      );
      expect(await as(admin).rows(READ)).toEqual([own]);
      expect(await as(admin).write('update mail_preferences set messages = true where user_id is not null')).toBe(1);
      for (const actor of [otherUser, creator]) {
        expect(await as(actor).rows(READ)).toEqual([]);
        expect(await as(actor).write('update mail_preferences set messages = true where user_id is not null')).toBe(0);
      }
    });
  });
