import { FunctionsClient } from '@supabase/functions-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { describe, expect, it } from 'vitest';
import { bannedUntil, changeUser, inviteUser, isForGood, listUsers, nameOf, roleOf, userParams } from './users.ts';

const answering = (answers: (request: Request) => { status?: number; body: unknown }) => {
  const requests: string[] = [];
  const send = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    requests.push(`${request.method} ${new URL(request.url).pathname} ${await request.clone().text()}`.trim());
    const { status = 200, body } = answers(request);
    const headers = { 'content-type': 'application/json' };
    return new Response(status === 204 ? null : JSON.stringify(body), { status, headers });
  };
  const functions = new FunctionsClient('http://mad.test/functions/v1', { customFetch: send });
  return { requests, functions, data: new PostgrestClient('http://mad.test/rest/v1', { fetch: send }) };
};
const account = {
  ...{ id: 'a', email: 'ada@example.com', phone: '', name: 'Ada', factors: 1, created_at: '2026-01-01T00:00:00Z' },
  ...{ email_confirmed_at: null, phone_confirmed_at: null, invited_at: null, last_sign_in_at: null },
};

describe('users', () => {
  it('have their roles, and no ban once it has expired (AUSERS-01)', async () => {
    const users = [{ ...account, banned_until: '2020-01-01T00:00:00Z' }];
    const { functions, data, requests } = answering(({ url }) =>
      url.includes('/functions/')
        ? { body: { success: true, error: null, users, total: 41 } }
        : { body: [{ user_id: 'a', user_roles: [{ roles: { name: 'admin' } }] }] },
    );
    const page = await listUsers(functions, data, { search: 'ada', page: 2 });
    expect(page).toMatchObject({ total: 41, page: 2 });
    expect(page.rows).toMatchObject([{ roles: ['admin'], factors: 1, phone: '' }]);
    expect(bannedUntil(page.rows[0]!)).toBeNull();
    expect(requests[0]).toContain('"page":2,"per_page":10,"search":"ada"');
  });

  it('show the last page when the address asks for a later one', async () => {
    const { functions, data } = answering(() => ({ body: { success: true, error: null, users: [], total: 0 } }));
    expect(await listUsers(functions, data, { search: '', page: 3 })).toEqual({ rows: [], total: 0, page: 1 });
  });

  it('report the server’s message for a refused change', async () => {
    const { functions, data } = answering(() => ({ body: { success: false, error: 'You cannot ban yourself.' } }));
    await expect(changeUser({ functions, data: () => data }, 'a', 'ban')).rejects.toThrow('You cannot ban yourself.');
  });

  it('become admins once for repeated requests', async () => {
    const change = (action: 'make_admin' | 'withdraw_admin', code: string, message: string) => {
      const { functions, data } = answering(({ method }) =>
        method === 'GET' ? { body: { id: 'r' } } : { status: 409, body: { message, code, details: null, hint: null } },
      );
      return changeUser({ functions, data: () => data }, 'a', action);
    };
    await expect(change('make_admin', '23505', 'duplicate key')).resolves.toBeUndefined();
    const reason = 'The last admin cannot be removed.';
    await expect(change('withdraw_admin', 'PT409', reason)).rejects.toMatchObject({ reason });
  });

  it('are invited with a role, or without one', async () => {
    const withoutRole = new Map<string, string>();
    const invite = async (role: 'none' | 'editor', status = 201) => {
      const { functions, data, requests } = answering(({ method, url }) =>
        url.includes('/functions/')
          ? { body: { success: true, error: null, user: { id: 'a' } } }
          : { status: method === 'POST' ? status : 200, body: { id: 'r' } },
      );
      const invitation = { email: 'ada@example.com', name: '', role };
      const invited = inviteUser({ functions, data: () => data }, invitation, withoutRole);
      if (status !== 201) await expect(invited).rejects.toThrow('The invitation is sent, but without the role.');
      await invited.catch(() => {});
      return requests.map((request) => request.split(' ').slice(0, 2).join(' '));
    };
    const mail = 'POST /functions/v1/manage-users';
    expect(await invite('none')).toEqual([mail]);
    const giving = ['GET /rest/v1/roles', 'POST /rest/v1/user_roles'];
    expect(await invite('editor', 403)).toEqual([mail, ...giving]);
    expect(await invite('editor')).toEqual(giving);
    expect(await invite('editor')).toEqual([mail, ...giving]);
    const roles = [['editor', 'admin'], ['reader', 'editor'], ['reader']].map((roles) => roleOf({ roles }));
    expect(roles).toEqual(['admin', 'editor', null]);
  });

  it('are named by their name, else email address, else number', () => {
    expect(nameOf({ email: null, name: null, phone: '919800000000' })).toBe('+919800000000');
    expect(nameOf({ email: null, name: null, phone: null })).toBe('No address');
    expect(['2126', '2027'].map((year) => isForGood(`${year}-01-01`, Date.parse('2026-01-01')))).toEqual([true, false]);
    expect(userParams.write(userParams.read(new URLSearchParams('?search=a&page=2')))).toBe('?search=a&page=2');
  });
});
