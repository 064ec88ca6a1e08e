import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { folderForTests } from '../../../../tests/operator/folder-for-tests.ts';
import { keysIn, startServer } from '../../../../tests/server.ts';

const project = `
create table public.items (id int primary key);
grant select, insert, update on public.items to anon;
create function public.refuse(phrase text) returns void language plpgsql as $$ begin
  raise sqlstate 'PGRST' using
    message = '{"code":"T","message":"no tea"}',
    detail = json_build_object('status', 418, 'status_text', phrase, 'headers', json_build_object('X-Pot', 'brown'));
end $$;
create function public.demand(words text) returns void language plpgsql as $$ begin
  raise sqlstate 'PT402' using message = words; end $$;
create function public.cookies() returns int language plpgsql as $$ begin
  perform set_config('response.headers', '[{"Set-Cookie":"a=1"},{"Set-Cookie":"b=2"}]', true); return 1; end $$;
grant execute on all functions in schema public to anon;
`;

const folder = folderForTests();
const data = join(folder, 'data');
// Uses a production server, because only the raw bytes show the status line.
const server = forAllTests(async () => {
  const supabase = join(folder, 'supabase');
  await mkdir(join(supabase, 'migrations'), { recursive: true });
  await mkdir(data);
  await writeFile(join(supabase, 'config.toml'), 'project_id = "other"\n');
  await writeFile(join(supabase, 'migrations', '20260101000000_schema.sql'), project);
  return startServer({ SEED: 'none', SUPABASE_DIR: supabase }, data);
});

const exchange = async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
  const headers = { apikey: keysIn(data).publishable, 'content-type': 'application/json', ...more };
  const sent = request(`${server.base}/rest/v1${path}`, { method, headers });
  sent.end(body && JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { answer, text: (await answer.toArray()).join('') };
};

it('uses the reason phrase of the status line that SQL sets', async () => {
  const { answer, text } = await exchange('POST', '/rpc/refuse', { phrase: 'Short and Stout' });
  expect([answer.statusCode, answer.statusMessage, answer.headers['x-pot']]).toEqual([418, 'Short and Stout', 'brown']);
  expect(JSON.parse(text)).toEqual({ code: 'T', message: 'no tea', details: null, hint: null });
  const paid = await exchange('POST', '/rpc/demand', { words: 'Please pay first' });
  expect([paid.answer.statusCode, paid.answer.statusMessage]).toEqual([402, 'Please pay first']);
});

it('uses the standard phrase when none is set, or it is invalid in HTTP', async () => {
  expect((await exchange('GET', '/nothere')).answer.statusMessage).toBe('Not Found');
  expect((await exchange('POST', '/rpc/refuse', { phrase: null })).answer.statusMessage).toBe("I'm a Teapot");
  for (const phrase of ['two\r\nX-Forged: lines', 'nul\tand ☃']) {
    for (const [path, body, status, standard] of [
      ['/rpc/refuse', { phrase }, 418, "I'm a Teapot"],
      ['/rpc/demand', { words: phrase }, 402, 'Payment Required'],
    ] as const) {
      const { answer } = await exchange('POST', path, body);
      expect([answer.statusCode, answer.statusMessage]).toEqual([status, standard]);
      expect(answer.headers['x-forged']).toBeUndefined();
    }
  }
});

it('sends each cookie in its own header', async () => {
  expect((await exchange('POST', '/rpc/cookies')).answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
});

it('marks an empty response as empty', async () => {
  for (const [method, path, body, prefer] of [
    ['OPTIONS', '/items', undefined, ''],
    ['OPTIONS', '/rpc/cookies', undefined, ''],
    ['POST', '/items', { id: 1 }, ''],
    ['POST', '/items', { id: 1 }, 'resolution=merge-duplicates'],
  ] as const) {
    const { answer, text } = await exchange(method, path, body, { prefer });
    expect([answer.headers['content-length'], answer.headers['transfer-encoding'], text]).toEqual(['0', undefined, '']);
  }
  const nothing = await exchange('PATCH', '/items?id=eq.1', { id: 1 });
  expect([nothing.answer.statusCode, nothing.answer.headers['content-length']]).toEqual([204, undefined]);
  const head = await exchange('HEAD', '/items');
  expect([head.answer.statusCode, head.answer.headers['content-length']]).toEqual([200, undefined]);
});
