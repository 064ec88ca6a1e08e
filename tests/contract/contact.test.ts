import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPageViews, visitsIn } from '../../app/features/dashboard/model/page-views.ts';
import {
  countUnhandled,
  deleteMessage,
  readMessages,
  setHandled,
} from '../../app/features/messages/model/contact-messages.ts';
import { type Client, openRest } from '../../packages/backend/tests/rest/rest-server.ts';
import { forAllTests } from '../for-all-tests.ts';

let admin: Client;
const api = forAllTests(() => openRest({ folder: 'supabase' }));
beforeAll(async () => {
  admin = api.client((await api.admin()).token);
});
beforeEach(() =>
  api.db.script(`delete from public.contact_messages; delete from private.contact_senders;
    delete from public.reading_counts; delete from public.site_settings;`),
);

const post = (procedure: string, json: object, headers: Record<string, string> = {}) =>
  api.call(`/rpc/${procedure}`, { json, headers });

describe('send_message', () => {
  it('stores five of twenty concurrent messages of an address, and returns nothing or the waiting time', async () => {
    const message = { p_name: 'Asha', p_email: 'asha@example.com', p_message: 'Hello' };
    const send = (_: unknown, at: number) => post('send_message', message, { 'x-forwarded-for': `198.51.100.${at}` });
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    const [sent, refused] = [204, 429].map((status) => answers.filter((answer) => answer.status === status));
    expect([sent!.length, await sent![0]!.text(), refused!.length]).toEqual([5, '', 15]);
    expect(refused![0]!.headers.get('retry-after')).toBe('600');
    expect(await refused![0]!.json()).toMatchObject({ code: 'PT429' });
    const stored = { name: 'Asha', email: 'asha@example.com', message: 'Hello', handled: false };
    expect((await readMessages(admin, { page: 1 })).rows).toMatchObject(Array(5).fill(stored));
  });

  it('lets admins alone page through, mark and delete messages', async () => {
    const MESSAGES = `insert into public.contact_messages (name, email, message, created_at)
      select 'n' || n, 'a@example.com', 'x', now() - make_interval(mins => 30 - n) from generate_series(1, 12) as n`;
    await api.db.query(MESSAGES);
    const otherUser = api.client((await api.person()).token);
    const first = await readMessages(admin, { page: 1 });
    expect([first.total, first.rows.length, first.rows[0]!.name]).toEqual([12, 10, 'n12']);
    expect(await countUnhandled(admin)).toBe(12);
    await setHandled(admin, { id: first.rows[0]!.id, handled: true });
    expect(await countUnhandled(admin)).toBe(11);
    for (const [search, total] of Object.entries({ N12: 1, '@example.c ': 12, n_: 0, '%': 0, '",': 0 }))
      expect((await readMessages(admin, { page: 1, search })).total, search).toBe(total);
    const last = await readMessages(admin, { page: 9 });
    expect([last.page, last.rows.map(({ name }) => name)]).toEqual([2, ['n2', 'n1']]);
    for (const { id } of last.rows) await deleteMessage(admin, id);
    expect(await readMessages(admin, { page: 2 })).toMatchObject({ total: 10, page: 1 });
    await expect(deleteMessage(admin, last.rows[0]!.id)).rejects.toThrow('no longer exists');
    await expect(setHandled(otherUser, { id: first.rows[0]!.id, handled: false })).rejects.toThrow('no longer exists');
  });
});

describe('record_reading', () => {
  const about = { p_page: '/about', p_marks: ['visit', 'depth:25'] };
  const visits = async () => visitsIn(await findPageViews(admin, 30));
  beforeEach(() => api.db.query(`insert into public.site_settings (name, value) values ('analytics', 'true'::jsonb)`));

  it('counts each of many concurrent readers, except those who opt out', async () => {
    for (const name of ['DNT', 'Sec-GPC'])
      expect((await post('record_reading', about, { [name]: '1' })).status).toBe(204);
    expect(await visits()).toBe(0);
    const backwards = { ...about, p_marks: about.p_marks.toReversed() };
    await Promise.all(Array.from({ length: 20 }, (_, at) => post('record_reading', at % 2 ? about : backwards)));
    expect((await findPageViews(admin, 1)).depth[0]).toEqual({ mark: 25, visits: 20 });
    expect(await visits()).toBe(20);
  });

  it('stores only numbers: no address, browser or time of day', async () => {
    const recorded = async () => (await api.db.query('select from public.audit_log')).rows.length;
    const before = await recorded();
    await post('record_reading', about, { 'user-agent': 'Peculiar/1.0', cookie: 'who=me' });
    expect(await recorded()).toBe(before);
    const { rows } = await api.db.query('select * from public.reading_counts');
    expect(Object.keys(rows[0]!).sort()).toEqual(['count', 'day', 'mark', 'page']);
    expect(JSON.stringify(rows)).not.toMatch(/127\.0\.0\.1|Peculiar|who=me/);
  });
});
