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
let adminToken: string;
const api = forAllTests(() => openRest({ folder: 'supabase' }));
beforeAll(async () => {
  ({ token: adminToken } = await api.admin());
  admin = api.client(adminToken);
});
beforeEach(() =>
  api.db.script(`delete from public.contact_messages; delete from private.contact_senders;
    delete from public.reading_counts; delete from public.site_settings;`),
);

const post = (procedure: string, body: unknown, headers: Record<string, string> = {}, token?: string) =>
  api.call(`/rpc/${procedure}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(token ? { token } : {}),
  });
const message = (change: Record<string, unknown> = {}) => ({
  p_name: 'Asha',
  p_email: 'asha@example.com',
  p_message: 'Hello',
  ...change,
});
const refusalOf = async (answer: Response) => ({ status: answer.status, ...((await answer.json()) as object) });

describe('send_message', () => {
  it('stores a message and returns nothing', async () => {
    const answer = await post('send_message', message());
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect((await readMessages(admin, { page: 1 })).rows).toMatchObject([
      { name: 'Asha', email: 'asha@example.com', message: 'Hello', handled: false },
    ]);
    for (const [search, total] of Object.entries({ ASHA: 1, '@example.c ': 1, A_ha: 0, '%': 0, '",': 0 }))
      expect((await readMessages(admin, { page: 1, search })).total, search).toBe(total);
  });

  it('rejects an invalid message with a message that discloses nothing', async () => {
    for (const body of [
      message({ p_name: '' }),
      message({ p_email: 'asha' }),
      message({ p_email: 'a@example.com\r\nBcc: b@example.com' }),
      message({ p_message: 'x'.repeat(5001) }),
      message({ p_message: null }),
      message({ p_name: 'nul\0' }),
      message({ p_email: `${'a.'.repeat(20_000)}@b` }),
      { p_name: 'Asha' },
      message({ handled: true }),
      'null',
      '[]',
      '{',
    ]) {
      const refusal = await refusalOf(await post('send_message', body));
      expect(refusal.status, JSON.stringify(body).slice(0, 80)).toBeGreaterThanOrEqual(400);
      expect(refusal.status).toBeLessThan(500);
      expect(refusal).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    }
    expect((await post('send_message', message({ p_message: 'x'.repeat(1_100_000) }))).status).toBe(413);
    expect((await api.call('/rpc/send_message?p_name=A&p_email=a@example.com&p_message=x')).status).toBe(405);
    expect((await readMessages(admin, { page: 1 })).total).toBe(0);
  });

  it('returns the waiting time after five messages in ten minutes from one address', async () => {
    for (let sent = 0; sent < 5; sent++) expect((await post('send_message', message())).status).toBe(204);
    const answer = await post('send_message', message(), { 'x-forwarded-for': '198.51.100.7' });
    expect(answer.headers.get('retry-after')).toBe('600');
    expect(await refusalOf(answer)).toMatchObject({ status: 429, code: 'PT429' });
    expect((await readMessages(admin, { page: 1 })).total).toBe(5);
  });

  it('accepts five of twenty concurrent messages', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('send_message', message())));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(5);
    expect((await readMessages(admin, { page: 1 })).total).toBe(5);
  });

  it('shows messages only to admins, who can page through, mark and delete them', async () => {
    await api.db.query(
      `insert into public.contact_messages (name, email, message, created_at)
       select 'n' || n, 'a@example.com', 'x', now() - make_interval(mins => 30 - n) from generate_series(1, 12) as n`,
    );
    const otherUser = api.client((await api.person()).token);
    expect(await otherUser.from('contact_messages').select('name')).toMatchObject({ data: [] });
    expect((await api.client().from('contact_messages').select('name')).error?.code).toBe('42501');
    const first = await readMessages(admin, { page: 1 });
    expect([first.total, first.rows.length, first.rows[0]!.name]).toEqual([12, 10, 'n12']);
    expect(await countUnhandled(admin)).toBe(12);
    await setHandled(admin, { id: first.rows[0]!.id, handled: true });
    expect(await countUnhandled(admin)).toBe(11);
    const last = await readMessages(admin, { page: 9 });
    expect([last.page, last.rows.map(({ name }) => name)]).toEqual([2, ['n2', 'n1']]);
    for (const { id } of last.rows) await deleteMessage(admin, id);
    expect(await readMessages(admin, { page: 2 })).toMatchObject({ total: 10, page: 1 });
    await expect(deleteMessage(admin, last.rows[0]!.id)).rejects.toThrow('no longer exists');
    await expect(setHandled(otherUser, { id: first.rows[0]!.id, handled: false })).rejects.toThrow('no longer exists');
  });
});

describe('record_reading', () => {
  const switchOn = () =>
    api.db.query(`insert into public.site_settings (name, value) values ('analytics', 'true'::jsonb)`);
  const read = (body: unknown, headers: Record<string, string> = {}) => post('record_reading', body, headers);
  const about = { p_page: '/about', p_marks: ['visit', 'depth:25'] };
  const visits = async () => visitsIn(await findPageViews(admin, 30));

  it('counts nothing while it is off, or for visitors who opt out', async () => {
    expect((await read(about)).status).toBe(204);
    expect(await visits()).toBe(0);
    await switchOn();
    for (const name of ['DNT', 'Sec-GPC']) expect((await read(about, { [name]: '1' })).status).toBe(204);
    expect(await visits()).toBe(0);
    for (let visit = 0; visit < 3; visit++) expect((await read(about)).status).toBe(204);
    expect(await visits()).toBe(3);
  });

  it('counts each of many concurrent readers', async () => {
    await switchOn();
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        read({ p_page: '/about', p_marks: at % 2 ? ['visit', 'depth:25'] : ['depth:25', 'visit'] }),
      ),
    );
    expect((await findPageViews(admin, 1)).depth[0]).toEqual({ mark: 25, visits: 20 });
    expect(await visits()).toBe(20);
  });

  it('stores only numbers: no address, browser or time of day', async () => {
    await switchOn();
    const recorded = async () => (await api.db.query('select from public.audit_log')).rows.length;
    const before = await recorded();
    await read(about, { 'user-agent': 'Peculiar/1.0', cookie: 'who=me' });
    expect(await recorded()).toBe(before);
    const { rows: columns } = await api.db.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = 'reading_counts' order by ordinal_position`,
    );
    expect(columns.map(({ name }) => name)).toEqual(['day', 'page', 'mark', 'count']);
    const { rows } = await api.db.query('select * from public.reading_counts');
    expect(JSON.stringify(rows)).not.toMatch(/127\.0\.0\.1|Peculiar|who=me/);
  });

  it('reports to admins alone, by GET and within bounds', async () => {
    for (const token of [undefined, (await api.person()).token])
      expect((await post('reading_report', { p_days: 30 }, {}, token)).status).toBe(token ? 403 : 401);
    for (const days of [0, 401, -1])
      expect((await post('reading_report', { p_days: days }, {}, adminToken)).status).toBe(400);
    expect((await findPageViews(admin, 400)).days).toHaveLength(400);
  });
});
