import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../packages/backend/config/config.ts';
import type { BackendContext } from '../../packages/backend/context.ts';
import { isPublic } from '../../packages/backend/hooks/post.ts';
import { startWebhooks, webhookSecret } from '../../packages/backend/hooks/webhooks.ts';
import { postgresql, silent } from '../database.ts';
import { forAllTests } from '../for-all-tests.ts';
import { freePort } from '../free-port.ts';
import { startWebhookReceiver, type WebhookAnswer, type WebhookReceiver } from './webhook-receiver.ts';

const keys = { sealing: randomBytes(32) };
const PROJECT = 'd0000000-0000-4000-8000-000000000001';

const status =
  (code: number, headers: Record<string, string> = {}): WebhookAnswer =>
  (response) =>
    response.writeHead(code, headers).end('Thank you.');
const NEVER: WebhookAnswer = () => undefined;

let receivers: WebhookReceiver[];
let stop: () => Promise<void>;

const database = forAllTests(() => postgresql.open({ migrated: true }));
beforeEach(async () => {
  receivers = [];
  stop = async () => {};
  await database.db.script(`delete from public.projects; delete from public.contact_messages;
    delete from public.webhooks; delete from internal.mails; delete from public.site_settings;`);
});
afterEach(async () => {
  await stop();
  for (const receiver of receivers) await receiver.stop();
});

async function start(allowed = '127.0.0.1'): Promise<void> {
  const config = readConfig({ SITE_URL: 'https://madhouse.example', WEBHOOK_NETWORKS: allowed });
  const context = { config, db: database.db, log: silent, keys } as unknown as BackendContext;
  const webhooks = await startWebhooks(context);
  stop = async () => {
    stop = async () => {};
    await webhooks.close();
  };
}

async function addWebhook(url: string, events = ['project.published']): Promise<string> {
  const ADD = 'insert into public.webhooks (url, events, secrets) values ($1, $2, 1) returning id';
  const { rows } = await database.db.query<{ id: string }>(ADD, [url, events]);
  return rows[0]!.id;
}

/** A webhook and its receiver. @param answers to its first requests, then status 204 */
async function receive(answers: WebhookAnswer[] = [], port = 0) {
  const receiver = await startWebhookReceiver({ answers, port });
  receivers.push(receiver);
  const id = await addWebhook(receiver.url);
  receiver.secret = webhookSecret(keys, id, 1);
  return { ...receiver, id };
}

const publish = (title = 'Lamp', id: string = randomUUID()) =>
  database.db.query(`insert into public.projects (id, title, status) values ($1, $2, 'active')`, [id, title]);
const call = (name: string, id: string) => database.db.query(`select public.${name}($1)`, [id]);
const DELIVERIES = `select id, event, attempts, status, problem, delivered_at is not null as delivered
  from public.webhook_deliveries order by created_at, event`;
const deliveries = async () => (await database.db.query<Record<string, unknown>>(DELIVERIES)).rows;
const waitForState = (...expected: object[]) => expect.poll(deliveries).toMatchObject(expected);
const queued = async (which = 'true') =>
  (await database.db.query(`select from internal.mails where ${which}`)).rows.length;
/** Ends the pause before the next try. */
const retryNow = () => database.db.script(`update internal.mails set due_at = now(); notify mails`);

describe('webhook', () => {
  it('receives a signed event of its choice once, and the log says so', async () => {
    const { received } = await receive();
    const other = await receive();
    await database.db.query(`update public.webhooks set events = '{message.received}' where id = $1`, [other.id]);
    await start();
    await publish('Lamp', PROJECT);
    await waitForState({ event: 'project.published', attempts: 1, status: 204, problem: null, delivered: true });
    const [{ id }] = (await deliveries()) as [{ id: string }];
    const data = { id: PROJECT, title: 'Lamp', url: `https://madhouse.example/case-studies/${PROJECT}` };
    expect(received).toEqual([{ id, event: { type: 'project.published', timestamp: expect.any(String), data } }]);
    expect(other.received).toEqual([]);
    expect(await queued()).toBe(0);
  });

  it('receives submissions, changes to them, comments, messages, due publications, and projects that leave the site', async () => {
    const { received, id } = await receive();
    const SUBSCRIBE = `update public.webhooks set events = '{submission.received, submission.changed, comment.received, message.received, schedule.done,
      schedule.refused, project.unpublished}' where id = $1`;
    await database.db.query(SUBSCRIBE, [id]);
    await start();
    await database.db.script(`insert into public.projects (id, title) values ('${PROJECT}', 'Lamp');
      select public.send_message('Asha', 'asha@example.com', 'Hello');
      update public.reviews set state = 'changes_requested'; update public.reviews set state = 'changed'`);
    await database.db.script(`insert into public.draft_comments (project_id, link_id, client, body)
      values ('${PROJECT}', gen_random_uuid(), 'Ravi', 'Hello')`);
    const due = (fields: string) => `insert into public.planned_changes (kind, project_id, fields, due_at)
      values ('publish', '${PROJECT}', '${fields}', now()); select private.publish_next_due()`;
    await database.db.script(due('{}'));
    await database.db.script(due('{"title": "Torch"}'));
    await database.db.script('delete from public.projects');
    await expect.poll(() => received.length).toBe(7);
    const sent = received.map(({ event }) => event as { type: string; data: object });
    const ofLamp = { id: PROJECT, title: 'Lamp' };
    const admin = 'https://madhouse.example/admin';
    const plan = { ...ofLamp, of: 'project', kind: 'publish', url: `${admin}/projects/${PROJECT}` };
    expect(sent.sort((one, other) => (one.type < other.type ? -1 : 1))).toMatchObject([
      { type: 'comment.received', data: { ...ofLamp, approved: false, url: `${admin}/review/${PROJECT}` } },
      { type: 'message.received' },
      { type: 'project.unpublished' },
      { type: 'schedule.done', data: plan },
      { type: 'schedule.refused', data: { ...plan, problem: expect.stringContaining('changed on the site') } },
      { type: 'submission.changed' },
      { type: 'submission.received' },
    ]);
    expect(JSON.stringify(received)).not.toMatch(/Asha|Hello|Ravi/);
  });

  it('is tried again with the same id after an error, and while its receiver is away', async () => {
    const port = await freePort();
    const { received } = await receive([status(500)], port);
    await start();
    await publish();
    await waitForState({ attempts: 1, status: 500, problem: 'The receiver answered 500.', delivered: false });
    await retryNow();
    await waitForState({ attempts: 2, status: 204, problem: null, delivered: true });
    expect(received[1]).toEqual(received[0]);

    await receivers[0]!.stop();
    await publish();
    await waitForState({}, { attempts: 1, status: null, problem: expect.stringContaining('ECONNREFUSED') });
    receivers[0] = Object.assign(await startWebhookReceiver({ port }), { secret: receivers[0]!.secret });
    await retryNow();
    await waitForState({}, { attempts: 2, delivered: true });
  });

  it('that does not answer delays no other, and is sent the same id after a restart', async () => {
    const slow = await receive([NEVER]);
    await start();
    await publish('Slow');
    await expect.poll(() => slow.received.length).toBe(1);
    await database.db.query(`update public.webhooks set events = '{message.received}' where id = $1`, [slow.id]);
    const { received } = await receive();
    await publish('Fast');
    await expect.poll(() => received.length).toBe(1);
    await stop();
    expect(await deliveries()).toMatchObject([{ delivered: false }, { delivered: true }]);
    await start();
    await waitForState({ delivered: true }, { delivered: true });
    expect(slow.received[1]).toEqual(slow.received[0]);
  });

  it('follows no redirect, not even to an address that is allowed', async () => {
    const target = await receive();
    await database.db.query('update public.webhooks set active = false where id = $1', [target.id]);
    const { received } = await receive([status(302, { location: target.url })]);
    await start();
    await publish();
    await waitForState({ status: 302, problem: 'Redirects are not followed.', delivered: false });
    expect([received.length, target.received.length]).toEqual([1, 0]);
  });

  it.each([
    ...['http://127.0.0.1', 'http://localhost', 'http://[::1]', 'https://0x7f.1', 'https://10.0.0.1'],
    'https://[::ffff:a00:1]',
  ])('is not sent to %s unless WEBHOOK_NETWORKS allows it', async (origin) => {
    const { url, received } = await receive();
    await database.db.query('update public.webhooks set url = $1', [`${origin}:${new URL(url).port}/`]);
    await start('192.0.2.0/24');
    await publish();
    await waitForState({ attempts: 1, status: null, problem: expect.stringContaining('private network') });
    expect(received).toEqual([]);
  });

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.9.9.9', '169.254.169.254', '172.31.0.1', '192.168.1.1', '198.18.0.1'],
    ...['224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:8.8.8.8', 'fc00::1', 'fe80::1', 'ff02::1'],
    ...['64:ff9b::a00:1', '2001:db8::1', '2002:a00:1::', '2001::1', 'nonsense'],
  ])('treats %s as no public address', (address) => expect(isPublic(address)).toBe(false));

  it.each(['8.8.8.8', '172.32.0.1', '223.255.255.254', '2606:4700:4700::1111', '2a00:1450::1'])(
    'treats %s as a public address',
    (address) => expect(isPublic(address)).toBe(true),
  );

  it('is sent to a public address with https only', async () => {
    await addWebhook('http://8.8.8.8/hook');
    await start();
    await publish();
    await waitForState({ attempts: 1, problem: 'Addresses on the internet must start with https://.' });
  });

  it('can be tested while it is off, and resends an earlier event under its id', async () => {
    const { id, received } = await receive();
    await start();
    await publish();
    await waitForState({ delivered: true });
    await call('redeliver_webhook', received[0]!.id);
    await waitForState({ attempts: 2, delivered: true });
    expect(received.map((one) => one.id)).toEqual([received[0]!.id, received[0]!.id]);
    await database.db.query('update public.webhooks set active = false where id = $1', [id]);
    await publish('Unsent');
    await call('test_webhook', id);
    await waitForState({}, { event: 'webhook.test', delivered: true });
    expect(received[2]!.event).toMatchObject({ type: 'webhook.test', data: {} });
    for (let sent = 1; sent < 10; sent++) await call('test_webhook', id);
    await expect(call('test_webhook', id)).rejects.toThrow('a lot of tests');
  });

  it('that is off drops what waits, and its log does not say later that it still waits', async () => {
    const { id } = await receive([status(500)]);
    const turn = (on: boolean) => database.db.query('update public.webhooks set active = $2 where id = $1', [id, on]);
    await start();
    await publish();
    await waitForState({ attempts: 1 });
    await turn(false);
    await retryNow();
    await expect.poll(() => queued()).toBe(0);
    await turn(true);
    const { rows } = await database.db.query('select gives_up_at <= now() as failed from public.webhook_deliveries');
    expect(rows).toEqual([{ failed: true }]);
  });

  it('is turned off after five days without success or a 410, and the agency is mailed; turning it on starts anew', async () => {
    const { id } = await receive([status(500), status(500), status(410)]);
    const state = async () =>
      (await database.db.query('select active, failing_since is not null as failing from public.webhooks')).rows[0];
    const mails = async () =>
      (await database.db.query(`select id from internal.mails where kind = 'webhook_turned_off'`)).rows;
    await start();
    await publish();
    await waitForState({ attempts: 1 });
    expect(await state()).toEqual({ active: true, failing: true });
    await database.db.script(`update public.webhooks set failing_since = now() - interval '5 days 1 minute'`);
    await retryNow();
    await waitForState({ attempts: 2 });
    expect(await state()).toEqual({ active: false, failing: true });
    expect(await mails()).toEqual([{ id }]);
    const log = `select actor_kind, object from public.audit_log where action = 'webhooks.turn_off'`;
    const { rows } = await database.db.query(log);
    expect(rows).toEqual([{ actor_kind: 'server', object: id }]);
    await retryNow();
    await expect.poll(() => queued()).toBe(1);
    await waitForState({ attempts: 2, delivered: false });
    await database.db.script('update public.webhooks set active = true; delete from internal.mails');
    expect(await state()).toEqual({ active: true, failing: false });
    await publish();
    await waitForState({}, { status: 410 });
    expect(await state()).toMatchObject({ active: false });
    expect(await mails()).toEqual([{ id }]);
  });

  it('is given up after a day, and not sent when it was deleted', async () => {
    const { received } = await receive([status(503)]);
    await start();
    await publish();
    await waitForState({ attempts: 1 });
    await stop();
    const GIVE_UP = `update internal.mails set give_up_at = now() - interval '1 minute'; delete from public.webhooks`;
    await database.db.script(GIVE_UP);
    await start();
    await retryNow();
    await expect.poll(() => queued('failed_at is null')).toBe(0);
    expect(received).toHaveLength(1);
  });
});
