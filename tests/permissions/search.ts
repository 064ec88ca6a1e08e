import { expect, it } from 'vitest';
import { type Actor, admin, creator, guest, holderOf, ids, otherUser, submitter, theService } from './actors.ts';
import { CREDIT, onStage, type Scene } from './stage.ts';

export const search = onStage('experiment search', ({ test, play }) => {
  const FIND = 'select title from search_case_studies(words => $1, category => $2)';
  const find = ({ as }: Scene, actor: Actor, words: string | null, category: string | null = null) =>
    as(actor).column<string>(FIND, [words, category]);
  const COUNTS = 'select jsonb_object_agg(category, experiments) from count_case_studies(words => $1)';
  const count = ({ as }: Scene, actor: Actor, words: string | null = null) => as(actor).value<object>(COUNTS, [words]);
  type Fields = Record<string, unknown> & { tags?: string[]; category?: string | null };
  const publish = async ({ server }: Scene, title: string, { tags = [], category = null, ...project }: Fields = {}) => {
    const columns = Object.entries({ title, status: 'active', ...project });
    const names = columns.map(([name]) => name).join();
    const INSERT = `insert into projects (${names}) values (${columns.map((_, n) => `$${n + 1}`)}) returning id`;
    const values = columns.map(([, value]) => value as string);
    const id = await server.value<string>(INSERT, values);
    const FILE = 'insert into case_study_metadata (project_id, category, tags) values ($1, $2, $3)';
    await server.query(FILE, [id, category, tags]);
    return id;
  };

  test('finds and counts only active or completed projects, for every actor (LIST-29, LIST-33)', async (scene) => {
    const holder = holderOf('staleDraft', otherUser);
    for (const actor of [guest, submitter, holder, otherUser, creator, admin, theService]) {
      expect(await find(scene, actor, null)).toEqual(['Published']);
      expect(await find(scene, actor, 'published')).toEqual(['Published']);
      for (const hidden of ['draft', 'stale', 'archived', "guest's", "terry's"])
        expect(await find(scene, actor, hidden)).toEqual([]);
      // All six have the same tags and texts; one is listed.
      expect(await count(scene, actor, 'mad understood')).toMatchObject({ all: 1, branding: 1, ai: 0 });
      expect(await count(scene, actor)).toMatchObject({ all: 1, branding: 1, video: 0 });
    }
  });

  test('removes a hidden experiment from the index immediately', async ({ server }) => {
    const indexedIds = () =>
      server.rows('select project_id from private.listing_words union select project_id from private.listings');
    expect(await indexedIds()).toEqual([{ project_id: ids.published }]);
    for (const status of ['draft', 'archived']) {
      await server.query('update projects set status = $1 where id = $2', [status, ids.published]);
      expect(await indexedIds()).toEqual([]);
      await server.query(`update projects set status = 'active'`);
      expect(await indexedIds()).toHaveLength(6);
      await server.query(`update projects set status = 'archived' where id <> $1`, [ids.published]);
    }
  });

  test('does not index a hidden budget or the shares of the team', async ({ as, scene }) => {
    await publish(scene, 'Confidential', { budget: '73737', show_budget: false });
    await publish(scene, 'Open', { budget: '73738' });
    for (const digits of ['73737', '73738']) expect(await find(scene, admin, digits)).toEqual([]);
    const FIND = `select title, budget::text from search_case_studies(words => 'confidential')`;
    expect(await as(guest).rows(FIND)).toEqual([{ title: 'Confidential', budget: null }]);
  });

  test('finds title, client, tags and texts, without case, accents or markup, the last word by prefix', async (scene) => {
    await publish(scene, 'Crème Brûlée für चाय', { client: 'Ghats Trust' });
    await publish(scene, 'Second', {
      tags: ['street food', 'Tea/Coffee'],
      description: '<p>Ket<strong>tles</strong>&nbsp;on</p><p>fire <a href="https://secret.example/x">here</a></p>',
      impact: '<p>Queues</p>',
    });
    for (const words of ['creme', 'BRÛLÉE cre', 'cre', 'fur चाय', 'ghat', 'trust creme', '  creme,  (brulee)  '])
      expect(await find(scene, guest, words), words).toEqual(['Crème Brûlée für चाय']);
    for (const words of ['kettles on fire', 'coffee', 'street food tea', 'tea/cof', 'queu', 'second queues'])
      expect(await find(scene, guest, words), words).toEqual(['Second']);
    for (const words of ['cre brulee', 'strong', 'secret', 'href', 'nbsp', 'onfire', 'creme second'])
      expect(await find(scene, guest, words), words).toEqual([]);
  });

  test('ranks matches in the title first, then in client or tags; newest first among equals', async (scene) => {
    const at = (day: number) => ({ created_at: `2026-01-0${day}` });
    await publish(scene, 'Only described', { description: '<p>a parrot</p>', ...at(9) });
    await publish(scene, 'Tagged', { tags: ['parrot'], ...at(8) });
    await publish(scene, 'Old parrot', at(1));
    await publish(scene, 'New parrot', at(2));
    await publish(scene, 'For a client', { client: 'Parrot & Sons', ...at(3) });
    const order = ['New parrot', 'Old parrot', 'Tagged', 'For a client', 'Only described'];
    expect(await find(scene, guest, 'parr')).toEqual(order);
    const PAGES = `select title from search_case_studies('parrot', skip => 1, take => 2) union all
      select title from search_case_studies('parrot', skip => 3, take => 2)`;
    const pages = await scene.as(guest).rows(PAGES);
    expect(pages.map((row) => row['title'])).toEqual(order.slice(1));
  });

  test('finds within a category, and counts the matches of each (LIST-30)', async (scene) => {
    await publish(scene, 'Brand of kettles', { category: 'ai' });
    await publish(scene, 'Kettle videos', { category: 'video' });
    await publish(scene, 'Plain kettle');
    await publish(scene, 'A brand without');
    expect(await find(scene, guest, 'kettles', 'branding')).toEqual(['Brand of kettles']);
    expect(await find(scene, guest, 'kettles', 'ai')).toEqual(['Brand of kettles']);
    expect(await find(scene, guest, 'kettl', 'video')).toEqual(['Kettle videos']);
    expect(await find(scene, guest, 'kettl', 'social')).toEqual([]);
    const kettles = await count(scene, guest, 'kettl');
    expect(kettles).toEqual({ all: 3, branding: 1, video: 1, ai: 1, social: 0, strategy: 0, other: 0 });
  });

  test('finds and counts by lead as the credits say, and finds people and tools', async ({ as, scene, server }) => {
    const credit = (id: string, made: string[], who: object = {}) =>
      server.query(CREDIT, [id, JSON.stringify(made.map((how, n) => ({ part: `Part ${n}`, made: how, ...who })))]);
    const LED = 'select title from search_case_studies(words => $1, category => $2, made => $3) order by title';
    const led = (made: string, words: string | null = null, category: string | null = null) =>
      as(guest).column<string>(LED, [words, category, made]);
    const LED_COUNTS =
      'select experiments, hand_led, half_and_half, machine_led, hand_share from count_case_studies($1) where category = $2';
    const counts = (words: string | null, category: string) => as(guest).row(LED_COUNTS, [words, category]);
    const looms = await publish(scene, 'Kettles of looms', { category: 'ai' });
    const masks = await publish(scene, 'Kettles of masks', { category: 'ai' });
    const tides = await publish(scene, 'Tides');
    await publish(scene, 'Kettles unclaimed');
    await credit(looms, ['hand', 'hand', 'machine'], { people: ['Zarina Ghadiali'], tools: ['Jacquard head'] });
    await credit(masks, ['machine', 'together', 'machine']);
    await credit(tides, ['hand', 'machine']);
    await credit(ids.draft, ['hand']);
    expect(await led('hand')).toEqual(['Kettles of looms']);
    expect(await led('machine')).toEqual(['Kettles of masks']);
    expect(await led('half')).toEqual(['Tides']);
    expect(await led('')).toHaveLength(5);
    for (const nonsense of ['robots', 'HAND', "hand' or true --"]) expect(await led(nonsense)).toEqual([]);
    expect(await led('hand', 'kettl', 'ai')).toEqual(['Kettles of looms']);
    expect(await led('hand', 'kettl', 'video')).toEqual([]);
    expect(await led('half', 'kettl')).toEqual([]);
    const each = { hand_led: 1, half_and_half: 1, machine_led: 1 };
    const hand_share = Math.round((67 + 17 + 50) / 3);
    expect(await counts(null, 'all')).toEqual({ experiments: 5, ...each, hand_share });
    const kettles = { experiments: 2, hand_led: 1, half_and_half: 0, machine_led: 1, hand_share: 42 };
    expect(await counts('kettl', 'ai')).toEqual(kettles);
    expect(await counts(null, 'ai')).toEqual(kettles);
    expect(await find(scene, guest, 'zarina jacq')).toEqual(['Kettles of looms']);
    await credit(looms, ['machine']);
    await credit(tides, []);
    expect(await led('hand')).toEqual([]);
    expect(await counts(null, 'all')).toMatchObject({ hand_led: 0, half_and_half: 0, machine_led: 2, hand_share: 9 });
    expect(await find(scene, guest, 'zarina')).toEqual([]);
    await server.query(`update projects set status = 'archived' where id = $1`, [masks]);
    expect(await counts(null, 'all')).toMatchObject({ hand_led: 0, half_and_half: 0, machine_led: 1, hand_share: 0 });
    expect(await led('machine')).toEqual(['Kettles of looms']);
  });

  it.each([
    ['nothing but punctuation', `'"\\ ; -- () <> & | ! : * %`, 0],
    ['operators', '!mad:* & | (<->) mad', 1],
    ['quotes', `'mad' "mad" \\'`, 1],
    ['emoji', '🪔 🪔🪔', 0],
    ['a million characters', 'mad '.repeat(250_000), 1],
    ['one endless word', 'm'.repeat(1_000_000), 0],
    ['strange spaces', 'mad\u00a0\u2003\u3000mad\t\n mad', 1],
    ['other scripts', 'مرحبا 設計 привет', 0],
    ['many marks on one letter', `mad ${'\u0301'.repeat(5000)}`, 1],
    ['no words', '   ', 1],
  ])('accepts %s', (_, words, found) =>
    play(async (scene) => {
      expect(await find(scene, guest, words)).toHaveLength(found);
      expect(await count(scene, guest, words)).toMatchObject({ all: found });
    }),
  );

  test('accepts any page and any category, and returns at most a hundred rows', async ({ as, server }) => {
    const PLANT = `insert into projects (title, status) select 'Kettle ' || n, 'active' from generate_series(1, 1100) n`;
    await server.query(PLANT);
    const rows = async (args: string) => (await as(guest).rows(`select id from search_case_studies(${args})`)).length;
    for (const words of ['', `'kettle', `]) {
      expect(await rows(`${words}take => 1000000`)).toBe(100);
      expect(await rows(`${words}take => -1, skip => -1`)).toBe(0);
      expect(await rows(`${words}skip => 2147483647`)).toBe(0);
      expect(await rows(`${words}skip => null, take => null`)).toBe(24);
      expect(await rows(`${words}category => 'nonsense'`)).toBe(0);
    }
    // Results are limited to the newest thousand matches.
    expect(await rows(`'kettle', skip => 990`)).toBe(10);
    const all = { category: 'all', hand_led: 0, half_and_half: 0, machine_led: 0, hand_share: null };
    const counted = (args: string) =>
      as(guest).rows(`select * from count_case_studies(${args}) where category = 'all'`);
    expect(await counted(`'kettle'`)).toEqual([{ ...all, experiments: 1000, exact: false }]);
    expect(await counted('')).toEqual([{ ...all, experiments: 1101, exact: true }]);
  });
});
