import { expect } from 'vitest';
import { admin, creator, ids, otherUser } from './actors.ts';
import { logged, onStage, type Scene } from './stage.ts';

const ADD = `insert into webhooks (url, events) values ($1, '{project.published}') returning id, secrets, active`;
const URL = 'https://example.com/hook';

export const webhooks = onStage('webhook', ({ test }) => {
  const add = ({ as }: Scene) => as(admin).value<string>(ADD, [URL]);
  const renew = (scene: Scene, id: string) => scene.as(admin).rows('select renew_webhook_secret($1)', [id]);

  test('gets a secret, is tested and is sent an event again', async ({ as, scene, server }) => {
    const id = await add(scene);
    const calls = ['renew_webhook_secret', 'test_webhook', 'redeliver_webhook'].map((name) => `select ${name}($1)`);
    await as(admin).refused('PT422', 'select test_webhook($1)', [id]);
    await renew(scene, id);
    await as(admin).rows('select test_webhook($1)', [id]);
    const LOG = 'select id, event, attempts from webhook_deliveries';
    const [delivery] = await as(admin).rows<{ id: string }>(LOG);
    expect(delivery).toMatchObject({ event: 'webhook.test', attempts: 0 });
    await as(admin).rows('select redeliver_webhook($1)', [delivery!.id]);
    const log = await logged(server, 'webhooks.%', `split_part(action, '.', 2)`);
    expect(log).toEqual(['insert', 'secret', 'test', 'redeliver']);
    for (const call of calls) await as(admin).refused('PT404', call, ['00000000-0000-4000-8000-000000000009']);
  });

  test('has a web address without a password and known events, and there are at most 20', async ({ as }) => {
    const withPassword = 'https://a:b@example.com';
    const tooLong = `https://e.com/${'x'.repeat(2048)}`;
    for (const url of ['', 'example.com', 'ftp://example.com', withPassword, 'https://a b', 'https:///x', tooLong])
      await as(admin).refused('23514', ADD, [url]);
    for (const events of ['{}', '{user.deleted}', '{project.published, x}'])
      await as(admin).refused('23514', 'insert into webhooks (url, events) values ($1, $2)', [URL, events]);
    const more = `insert into webhooks (url, events) select $1, '{message.received}' from generate_series(1, $2::int)`;
    await as(admin).rows(more, [URL, 20]);
    await as(admin).refused('PT422', ADD, [URL]);
  });
});

export const mailPreferences = onStage('mail preferences', ({ test }) => {
  const CHOOSE = `insert into mail_preferences (digest) values (true) on conflict (user_id) do update set digest = excluded.digest`;
  const READ = 'select user_id, submissions, messages, digest from mail_preferences';

  test('are chosen and read by each admin alone', async ({ as, server }) => {
    for (let times = 0; times < 2; times++) await as(admin).write(CHOOSE);
    const own = { user_id: ids.admin, submissions: false, messages: false, digest: true };
    expect(await as(admin).rows(READ)).toEqual([own]);
    await server.query('insert into mail_preferences (user_id) select user_id from profiles on conflict do nothing');
    expect(await as(admin).rows(READ)).toEqual([own]);
    expect(await as(admin).write('update mail_preferences set messages = true where user_id is not null')).toBe(1);
    for (const actor of [otherUser, creator]) {
      expect(await as(actor).rows(READ)).toEqual([]);
      expect(await as(actor).write('update mail_preferences set messages = true where user_id is not null')).toBe(0);
    }
  });
});
