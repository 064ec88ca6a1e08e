import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { embedded, postgresql, silent, template, temporaryFolder } from '../../../../tests/database.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { randomNumbers } from '../../../../tests/random-numbers.ts';
import { PGliteEngine } from '../../database/pglite/engine.ts';
import { requireSimplePattern } from '../../rest/plan/simple-pattern.ts';
import { openRest, type RestServer } from './rest-server.ts';

const sql = `
create table public.films (id int primary key, title text, notes text);
insert into public.films (id, title) values
  (1, 'Summer 2024'), (2, 'summer films'), (3, 'Winter (2023)'), (4, 'Zürich, a.b'), (5, ''), (6, null);
grant select, update, delete on public.films to anon;
-- Each character of it meets a state of the matcher that was not met before.
create function public.fill(size int) returns void language sql security definer as $$
  update public.films set notes =
    (select repeat(string_agg(substr('ab', 1 + ((i * i * 31 + i * 7) % 1009 % 2)::int, 1), ''), size / 5000) from generate_series(1, 5000) i)
  where id = 1 $$;
`;

/** A pattern without a match that is slow at every character. */
const SLOW = `a${'.'.repeat(62)}Z`;
/** Length of a text whose search takes seconds. */
const LONG = 3_000_000;

async function found(api: RestServer, query: string) {
  const response = await api.call(`/films?${query}&select=id&order=id`);
  const body = (await response.json()) as { id: number }[] & { code?: string };
  return response.status === 200 ? body.map(({ id }) => id) : [response.status, body.code];
}

describe.each([embedded, postgresql])('match and imatch on $name', (engine) => {
  const api = forAllTests(() => openRest({ sql }, { engine }));

  it.each([
    ['title=match.Summer', [1]],
    ['title=imatch.^summer', [1, 2]],
    ['title=match.(Summer|Winter).*\\d{4}', [1, 3]],
    ['title=match.[[:digit:]]{4}$', [1]],
    ['title=match.\\(\\d%2B\\)', [3]],
    ['title=imatch.ZÜRICH', [4]],
    ['title=match.a\\.b', [4]],
    ['title=match.^$', [5]],
    ['title=not.match.\\d', [2, 4, 5]],
    ['or=(title.match.2024,title.imatch."films$")', [1, 2]],
    ['title=match.x{3,1}', [400, '2201B']],
  ])('select rows by %s', async (query, expected) => expect(await found(api, query)).toEqual(expected));

  it('select the rows of a PATCH and a DELETE', async () => {
    const change = (method: string, query: string, json?: object) =>
      api.call(`/films?${query}&select=id`, { method, json, headers: { prefer: 'return=representation' } });
    expect(await (await change('PATCH', 'title=match.^Winter', { title: 'Autumn' })).json()).toEqual([{ id: 3 }]);
    expect(await (await change('DELETE', 'title=match.^Autumn$')).json()).toEqual([{ id: 3 }]);
  });

  it('stop at the time limit, and the session stays usable', async () => {
    const timeoutMs = { anon: 300, authenticated: 300, admin: 300, service_role: 300 };
    await using hasty = await openRest({ sql }, { engine, limits: { timeoutMs } });
    await hasty.db.query('select public.fill($1)', [LONG]);
    const session = async () => (await hasty.db.query('select pg_postmaster_start_time()::text as since')).rows[0];
    const before = await session();
    expect(await found(hasty, `notes=match.${SLOW}`)).toEqual([500, '57014']);
    expect(await found(hasty, 'title=match.Summer')).toEqual([1]);
    expect(await session()).toEqual(before);
  });
});

describe('embedded engine', () => {
  const api = forAllTests(() => openRest({ sql }, { engine: embedded, crowd: true }));

  it('defers a slow pattern while other visitors wait', async () => {
    await api.db.query('select public.fill($1)', [LONG]);
    const slow = found(api, `notes=match.${SLOW}`);
    await expect.poll(() => api.db.load.sessions.inUse, { timeout: 60_000 }).toBe(1);
    const quick = Promise.all(Array.from({ length: 5 }, () => found(api, 'id=eq.2')));
    expect(await Promise.race([slow, quick])).toEqual(Array.from({ length: 5 }, () => [2]));
    await slow;
  });

  it.each([
    ['match.(x{1,200}){1,200}', 'more than 100 characters with its bounds written out'],
    ['match(any).{a,b}', 'several in one filter (any), write one filter for each'],
  ])('rejects %s with the reason (TM-47)', async (filter, reason) => {
    const details = `The embedded database does not match this regular expression: ${reason}`;
    const hint = expect.stringMatching(/like, ilike/);
    const refused = { status: 400, code: 'PGRST127', message: 'Feature not implemented', details, hint };
    expect(await api.refusal(`/films?title=${filter}`)).toEqual(refused);
  });

  const PARTS = [
    ...['a', 'b', '.', 'Z', 'é', 'あ', '[ab]', '[^a]', '[а-я]', '\\w', '\\d', '\\W', '[[:alpha:]]', '[\\w.-]'],
    ...['(', '(?:', ')', '|', '*', '+', '?', '*?', '{2}', '{1,4}', '{0,9}', '{2,}', '{9,40}', '{1,100}', '^', '$'],
  ];
  const FIXED = [SLOW, 'a.{98}Z', '[ab]*a[ab]{90}Z', '(a.{45}|b.{45})Z', '(a|b)*a(a|b){40}Z', '([ab].|.[ab]|..){15}Z'];
  const CLASSES = ['[ⴀ-ⴥꭰ-ꮿ𐐨-𐑏ａ-ｚ]'.repeat(4), '[\u0001-\u{10ffff}]'.repeat(12)];
  const WORST = [...FIXED, 'a?'.repeat(31), '((a|.)(b|.)(a|b)?){9}Z', ...CLASSES];
  const LENGTH = 20_000;
  /** CPU milliseconds; the maxima on the reference machine were 400 and 0.6. */
  const MOST_TO_COMPILE = 4_000;
  const MOST_PER_THOUSAND_CHARACTERS = 6;

  const random = randomNumbers(4);
  const pick = <T>(from: readonly T[]) => from[random(from.length)]!;
  const isSimple = (pattern: string) => {
    try {
      requireSimplePattern(pattern);
      return true;
    } catch {
      return false;
    }
  };

  /** A long allowed pattern of few different parts. It usually ends with a letter that no text contains, so that none matches early. */
  function randomPattern(): string {
    const few = Array.from({ length: 1 + random(7) }, () => pick(PARTS));
    let pattern = '';
    for (let tries = 0; tries < 120; tries++) {
      const longer = pattern + pick(random(3) ? few : PARTS);
      if (['', ')', '))', ')))'].some((end) => isSimple(longer + end))) pattern = longer;
    }
    const closed = ['', ')', '))', ')))'].map((end) => pattern + end).find(isSimple)!;
    const endless = `(?:${closed})Z`;
    return isSimple(endless) ? endless : closed;
  }

  it('compiles every simple pattern and matches it in time proportional to the text (TM-47)', async () => {
    const { folder, remove } = await temporaryFolder();
    await cp(await template(), join(folder, 'database'), { recursive: true });
    const own = new PGliteEngine(join(folder, 'database'), silent);
    await own.start();
    const generation = own.generation;
    const timed = async (text: string, values: string[]) => {
      const before = own.workedMs;
      const [answer] = await own.call({ kind: 'run', statements: [{ text, values }] }, 60_000);
      return { ms: own.workedMs - before, row: answer!.rows[0] };
    };
    try {
      const texts = ['ab', 'aaab 1', 'abé あ1.-я'].map((letters) =>
        Array.from({ length: LENGTH }, () => pick([...letters])).join(''),
      );
      for (const pattern of [...WORST, ...Array.from({ length: 50 }, randomPattern)])
        for (const operator of ['~', '~*']) {
          // Without a row the engine has failed and reported success.
          const compiled = await timed(`select 'x' ${operator} $1::text as matches`, [pattern]);
          expect(compiled.row, pattern).toEqual({ matches: expect.any(Boolean) });
          expect(compiled.ms, pattern).toBeLessThan(MOST_TO_COMPILE);
          for (const text of texts) {
            const { ms, row } = await timed(`select $1::text ${operator} $2::text as matches`, [text, pattern]);
            expect(row, pattern).toEqual({ matches: expect.any(Boolean) });
            expect(ms, pattern).toBeLessThan((MOST_PER_THOUSAND_CHARACTERS * LENGTH) / 1_000);
          }
        }
      expect(own.generation).toBe(generation);
    } finally {
      await own.stop();
      await remove();
    }
  }, 600_000);
});
