import { describe, expect, it } from 'vitest';
import { planFor, type SplitPlan } from '../../app/features/splits/model/plan.ts';
import { issueOf } from '../../app/features/splits/model/records.ts';
import { computeSheet } from '../../app/features/splits/model/sheet.ts';
import { type Actor, admin, creator, guest, ids, otherUser } from './actors.ts';
import { CREDIT, endsOf, logged, onStage, type Scene, type Stage, setSetting } from './stage.ts';

const BEGIN =
  'insert into split_sheets (project_id, plan, replaces) values ($1, $2, $3) returning id, updated_at::text';
const ISSUE = 'select issue_split_sheet(p_sheet => $1, p_seen => $2, p_issue => $3) as answer';
const SHEET = 'select * from split_sheets where id = $1';
const MARK = 'select mark_instalment(p_statement => $1, p_place => $2, p_paid_on => $3) as answer';
const PAID = 'select place, amount, paid_on::text from split_payments order by place';

interface Draft {
  id: string;
  updated_at: string;
}

const project = { title: 'Published', client: null, budget: 1000, start_date: '2027-01-10', end_date: '2027-02-20' };
const plan = (more: Partial<SplitPlan> = {}): SplitPlan => {
  const begun = planFor({ ...project, members: [] }, '2027-01-01');
  const named = begun.people.map((person) => ({ ...person, name: `The ${person.cut}`, input: '1' }));
  const ravi = { cut: 'team' as const, name: 'Ravi', member: null, input: '2' };
  return { ...begun, amount: '1000', people: [...named, ravi], ...more };
};
type Issue = ReturnType<typeof issueOf>;
const issue = (more: Partial<SplitPlan> = {}): Issue => issueOf(computeSheet(plan(more), null).result!);

export const splitSheets = onStage('split sheet', (stage) => {
  const assignUnallocated = (scene: Scene, value = '"The company pool"') =>
    setSetting(scene, 'unallocated_share_to', value);
  /** A test in which the unallocated tenth is assigned. */
  const test = (title: string, work: (scene: Scene) => Promise<void>) =>
    stage.test(title, async (scene) => {
      await assignUnallocated(scene);
      await work(scene);
    });
  const begin = ({ as }: Scene, replaces: string | null = null) =>
    as(admin).row<Draft>(BEGIN, [ids.published, { ...plan() }, replaces]);
  /** Issues a sheet. @returns its id */
  const issued = async (scene: Scene, replaces: string | null = null, sent = issue()) => {
    const { id, updated_at } = await begin(scene, replaces);
    await scene.as(admin).rows(ISSUE, [id, updated_at, sent]);
    return id;
  };

  /** Issues a sheet on which “Ravi” is the account of Terry. @returns its id and statements */
  const issueForTerry = async (scene: Scene, replaces: string | null = null, more: Partial<SplitPlan> = {}) => {
    const member = await memberOf(scene);
    const people = plan(more).people.map((one) => (one.name === 'Ravi' ? { ...one, member } : one));
    const sheet = await issued(scene, replaces, issue({ ...more, people }));
    const statements = await scene
      .as(admin)
      .rows<{ id: string; name: string }>('select id, name from split_statements where sheet_id = $1', [sheet]);
    return { sheet, statements, ravi: statements.find(({ name }) => name === 'Ravi')!.id };
  };
  /** Id of the profile of Terry. */
  const memberOf = ({ server }: Scene) =>
    server.value<string>('select id from profiles where user_id = $1', [ids.otherUser]);

  stage.test('cannot be issued until the unallocated tenth is assigned (DEC-01, CONST-36)', async ({ as, scene }) => {
    const draft = await begin(scene);
    const issuing = [draft.id, draft.updated_at, issue()];
    await as(admin).refused('PT409', ISSUE, issuing);
    for (const value of ['""', '"  "', 'true', 'null']) {
      await assignUnallocated(scene, value);
      await as(admin).refused('PT409', ISSUE, issuing);
    }
    await assignUnallocated(scene, '"The hardship fund"');
    await as(admin).rows(ISSUE, issuing);
    const UNALLOCATED = `select words, percent, amount, statement_id from split_shares where cut = 'unallocated'`;
    const words = 'Not allocated by the terms: The hardship fund';
    const share = { words, percent: 10, amount: 10_000, statement_id: null };
    expect(await as(admin).row(UNALLOCATED)).toMatchObject(share);
  });

  test('adds up to the amount to the smallest unit, for any shares and inputs', async ({ as, scene }) => {
    let replaces: string | null = null;
    for (const [amount, investors, inputs] of [
      ['0.01', '25', ['1', '1', '1']],
      ['999.99', '0', ['33.33', '33.33', '33.34']],
      ['1000000000', '13', ['0.01', '99999', '7']],
      ['17.03', '7', ['3', '3', '3']],
    ] as const) {
      const people = [
        ...plan().people.filter(({ cut }) => cut !== 'team'),
        ...inputs.map((input, at) => ({ cut: 'team' as const, name: `Worker ${at}`, member: null, input })),
        { cut: 'investors' as const, name: 'Fund', member: null, input: '5' },
      ];
      const sent = issue({ amount, investors, people });
      const id: string = await issued(scene, replaces, sent);
      const SUMS = `select sheet.amount, (select sum(amount)::int8 from split_shares where sheet_id = sheet.id) as shares,
          (select sum(amount)::int8 from split_statements where sheet_id = sheet.id)
            + (select sum(amount)::int8 from split_shares where sheet_id = sheet.id and statement_id is null) as statements,
          (select bool_and(amount = (select sum((paid ->> 'amount')::int8) from jsonb_array_elements(payments) as each (paid)))
           from split_statements where sheet_id = sheet.id) as paid
        from split_sheets sheet where id = $1`;
      const sums = await as(admin).row(SUMS, [id]);
      expect(sums).toEqual({ amount: sent.amount, shares: sent.amount, statements: sent.amount, paid: true });
      replaces = id;
    }
  });

  test('is rejected when an amount does not follow from the terms, the input or the instalments', async (scene) => {
    const { id, updated_at } = await begin(scene);
    const moved = (from: Issue['statements'][number], to: Issue['statements'][number], by: number) => {
      from.shares[0]!.share -= by;
      from.payments[0]! -= by;
      to.shares[0]!.share += by;
      to.payments[0]! += by;
    };
    const wrongly = (wrong: object) => (sent: Issue) => Object.assign(sent, wrong);
    const wrongs: ((sent: Issue) => void)[] = [
      (sent) => moved(sent.statements[0]!, sent.statements[1]!, 100),
      (sent) => moved(sent.statements.at(-1)!, sent.statements.at(-2)!, 1),
      (sent) => sent.amount++,
      (sent) => Object.assign(sent.pools[0]!, { share: sent.pools[0]!.share - 100 }),
      (sent) => sent.pools.pop(),
      (sent) => sent.statements.pop(),
      (sent) => Object.assign(sent.statements[0]!.shares[0]!, { cut: 'unallocated' }),
      (sent) => Object.assign(sent.pools[0]!, { cut: 'manager' }),
      (sent) => sent.statements[0]!.payments[0]!++,
      (sent) => sent.statements[0]!.payments.pop(),
      (sent) => Object.assign(sent.statements[0]!, { name: ' ' }),
      (sent) => Object.assign(sent.statements[0]!, { member: ids.missing }),
      (sent) => Object.assign(sent.statements[0]!.shares[0]!, { weight: 0 }),
      (sent) => Object.assign(sent.instalments[0]!, { percent: 4000 }),
      (sent) => sent.instalments.reverse(),
      (sent) => Object.assign(sent.instalments[0]!, { due: 'today' }),
      (sent) => Object.assign(sent.instalments[0]!, { words: '' }),
      ...[{ investors: 26 }, { investors: 10 }, { amount: 0 }, { statements: [] }].map(wrongly),
      ...[{ payment: 'never' }, { currency: 'XXX' }, { terms: '' }].map(wrongly),
    ];
    for (const spoil of wrongs) {
      const sent = structuredClone(issue());
      spoil(sent);
      await scene.as(admin).refused('PT400', ISSUE, [id, updated_at, sent]);
    }
    for (const sent of [{}, { amount: 'NaN' }, { ...issue(), statements: {} }, { ...issue(), instalments: [{}] }])
      expect(await scene.as(admin).refusal(ISSUE, [id, updated_at, sent])).toMatch(/^(PT400|22)/);
    expect(await scene.as(admin).answer(ISSUE, [id, updated_at, issue()])).toBe(1);
  });

  test('is paid in two halves when the project is short (CONST-37)', async ({ as, scene }) => {
    const { id, updated_at } = await begin(scene);
    const parts = ['20', '30', '50'].map((percent, at) => ({ due: `2027-0${at + 1}-01`, words: 'Part', percent }));
    const long = issue({ payment: 'long', instalments: parts });
    await as(admin).refused('PT400', ISSUE, [id, updated_at, { ...long, payment: 'short' }]);
    await as(admin).rows(ISSUE, [id, updated_at, long]);
  });

  test('is read-only once issued, for admins, the service and the server itself', async ({ as, scene, server }) => {
    const id = await issued(scene);
    expect(await as(admin).write(`update split_sheets set plan = '{}' where id = $1`, [id])).toBe(0);
    expect(await as(admin).write('delete from split_sheets where id = $1', [id])).toBe(0);
    for (const text of [
      `update split_sheets set amount = 1 where id = '${id}'`,
      `delete from split_sheets where id = '${id}'`,
      'update split_statements set amount = 1',
      'delete from split_shares',
      `insert into split_shares (sheet_id, cut, words, percent, weight, amount) values ('${id}', 'team', 'x', 1, 1, 1)`,
    ]) {
      await server.query('savepoint attempt');
      await expect(server.query(text), text).rejects.toMatchObject({ code: 'PT409' });
      await server.query('rollback to savepoint attempt');
    }
  });

  test('stores the credits at the time of issue, independent of later changes', async ({ as, scene, server }) => {
    const savedCredits = [{ part: 'Idea', made: 'hand', people: ['Asha Rao'] }];
    const saveCredits = (credits: object[]) => server.query(CREDIT, [ids.published, JSON.stringify(credits)]);
    await saveCredits(savedCredits);
    const draft = await begin(scene);
    const credits = () => as(admin).value('select credits from split_sheets where id = $1', [draft.id]);
    expect(await credits()).toBeNull();
    await as(admin).rows(ISSUE, [draft.id, draft.updated_at, issue()]);
    await saveCredits([]);
    expect(await credits()).toEqual(savedCredits);
  });

  test('is issued once, as it was read, and then only replaced by a new one', async ({ as, scene, server }) => {
    const draft = await begin(scene);
    await as(admin).refused('23505', BEGIN, [ids.published, {}, null]);
    await as(admin).refused('PT409', ISSUE, [draft.id, '2020-01-01', issue()]);
    await as(admin).refused('PT404', ISSUE, [ids.missing, draft.updated_at, issue()]);
    await as(admin).rows(ISSUE, [draft.id, draft.updated_at, issue()]);
    await as(admin).refused('PT409', ISSUE, [draft.id, draft.updated_at, issue()]);

    const second = await begin(scene);
    await as(admin).refused('PT409', ISSUE, [second.id, second.updated_at, issue()]);
    await as(admin).write('delete from split_sheets where id = $1', [second.id]);
    await issued(scene, draft.id);
    const thirdSheet = await begin(scene, draft.id);
    await as(admin).refused('PT409', ISSUE, [thirdSheet.id, thirdSheet.updated_at, issue()]);
    const numbers = 'select number from split_sheets where number is not null order by number';
    expect(await as(admin).rows(numbers)).toEqual([{ number: 1 }, { number: 2 }]);
    expect(await logged(server, 'split_sheets.issue', 'reason')).toEqual(['sheet 1', 'sheet 2']);
  });

  test('remains when its project or the accounts named on it are deleted', async ({ as, scene, server }) => {
    const id = await issued(scene);
    await as(admin).write('delete from projects where id = $1', [ids.published]);
    await server.query('delete from auth.users where id = $1', [ids.otherUser]);
    expect(await as(admin).rows(SHEET, [id])).toMatchObject([{ project_title: 'Published', amount: 100_000 }]);
  });

  test('shows a user their own statement, and nothing else of it', async ({ as, scene }) => {
    const { sheet } = await issueForTerry(scene);
    const ownStatements = await as(otherUser).rows('select id, number, name, amount, user_id from split_statements');
    expect(ownStatements).toMatchObject([{ name: 'Ravi', user_id: ids.otherUser, amount: 33_333 }]);
    const share = { statement_id: ownStatements[0]!['id'], amount: 33_333 };
    expect(await as(otherUser).rows('select statement_id, amount from split_shares')).toEqual([share]);
    expect(await as(otherUser).rows('select id from split_sheets')).toEqual([]);
    expect(await as(creator).rows('select id from split_statements')).toEqual([]);
    expect(await as(creator).rows('select id from split_shares')).toEqual([]);

    const own = ownStatements[0]!['id'];
    // The columns of a row that a caller makes up are those of the statement it names.
    const madeUp = { id: own, user_id: ids.creator, sheet_id: sheet };
    const replacedBy = (actor: Actor) =>
      as(actor).value(`select replaced_by(jsonb_populate_record(null::split_statements, $1))`, [madeUp]);
    expect(await replacedBy(otherUser)).toBe(null);
    await issued(scene, sheet);
    for (const actor of [otherUser, admin]) expect(await replacedBy(actor)).toBe(2);
    expect(await replacedBy(creator)).toBe(null);
    await expect(replacedBy(guest)).rejects.toMatchObject({ code: '42501' });
  });

  describe('instalments', () => {
    test('are marked as paid on a day until today, once, and can be undone', async ({ as, scene, server }) => {
      const { sheet, ravi } = await issueForTerry(scene);
      const mark = (place: number | null, day: string | null, id: string | null = ravi) =>
        as(admin).refusal(MARK, [id, place, day]);
      expect(await mark(1, '2020-01-01', ids.missing)).toBe('PT404');
      expect(await mark(1, '2020-01-01', null)).toBe('PT404');
      for (const place of [0, 3, null]) expect(await mark(place, '2020-01-01')).toBe('PT404');
      for (const day of ['1999-12-31', '2999-01-01', 'infinity']) expect(await mark(1, day)).toBe('PT422');
      expect(await mark(1, null)).toBe('PT409');
      await as(admin).rows(MARK, [ravi, 1, '2020-01-01']);
      expect(await mark(1, '2020-01-02')).toBe('PT409');
      expect(await as(admin).rows(PAID)).toEqual([{ place: 1, amount: 16_667, paid_on: '2020-01-01' }]);
      await as(admin).rows(MARK, [ravi, 1, null]);
      expect(await as(admin).rows(PAID)).toEqual([]);
      const line = (act: string) =>
        expect.stringMatching(`^split_sheets.${act} ${sheet} statement \\d+-\\d+, instalment 1$`);
      expect(await logged(server, 'split_sheets.%pay', 'action, object, reason')).toEqual([line('pay'), line('unpay')]);
    });

    test('are visible to their member, who sees earnings by year, and to no other user', async ({ as, scene }) => {
      const { ravi, statements } = await issueForTerry(scene);
      const other = statements.find(({ id }) => id !== ravi)!.id;
      await as(admin).rows(MARK, [ravi, 1, '2020-05-01']);
      await as(admin).rows(MARK, [other, 1, '2020-05-01']);
      const EARNINGS = 'select year, currency, paid, due, instalments from own_earnings()';
      expect(await as(otherUser).rows(PAID)).toEqual([{ place: 1, amount: 16_667, paid_on: '2020-05-01' }]);
      expect(await as(otherUser).rows(EARNINGS)).toMatchObject([
        { year: 2027, currency: 'USD', paid: 0, due: 16_666, instalments: [{ paid: false, place: 2 }] },
        { year: 2020, paid: 16_667, due: 0, instalments: [{ day: '2020-05-01', paid: true, amount: 16_667 }] },
      ]);
      for (const actor of [creator, admin]) expect(await as(actor).rows(EARNINGS)).toEqual([]);
      const copy = 'select instalments(jsonb_populate_record(null::split_statements, $1))';
      const made = await as(otherUser).rows('select * from split_statements');
      const instalments = [
        { place: 1, due: '2027-01-10', amount: 16_667, open: 16_667, paid_on: '2020-05-01' },
        { place: 2, due: '2027-02-20', amount: 16_666, open: 16_666, paid_on: null },
      ];
      expect(await as(otherUser).rows(copy, made)).toMatchObject([{ instalments }]);
      expect(await as(creator).value(copy, made)).toMatchObject([{ paid_on: null }, { paid_on: null }]);
      await expect(as(guest).rows(copy, made)).rejects.toMatchObject({ code: '42501' });
      expect(await as(creator).rows(PAID)).toEqual([]);
    });

    test('that were paid count on the sheet that replaces theirs, also when people are matched by name', async (scene) => {
      const { as, server } = scene;
      const first = await issueForTerry(scene);
      const closer = first.statements.find(({ name }) => name === 'The closer')!.id;
      await as(admin).rows(MARK, [first.ravi, 1, '2020-05-01']);
      await as(admin).rows(MARK, [closer, 1, '2020-05-01']);
      const second = await issueForTerry(scene, first.sheet, { amount: '600' });
      for (const day of ['2020-06-01', null]) await as(admin).refused('PT409', MARK, [first.ravi, 2, day]);
      const BEFORE = `select name, paid_before from split_statements where sheet_id = $1 and paid_before > 0 order by 1`;
      const ravi = { name: 'Ravi', paid_before: 16_667 };
      expect(await as(admin).rows(BEFORE, [second.sheet])).toEqual([ravi, { name: 'The closer', paid_before: 5000 }]);
      const third = await begin(scene, second.sheet);
      const renamed = plan().people.map((one) => (one.name === 'The closer' ? { ...one, name: 'Someone else' } : one));
      for (const change of [{ currency: 'INR' }, { people: renamed }] as const)
        await as(admin).refused('PT409', ISSUE, [third.id, third.updated_at, issue(change)]);
      await as(admin).write('delete from split_sheets where id = $1', [third.id]);
      // 200.00 in two halves, of which 166.67 was paid.
      const OPEN = `select jsonb_path_query_array(instalments(split_statements), '$[*].open') as open
          from split_statements where sheet_id = $1 and name in ('Ravi', 'The closer') order by name`;
      expect(await as(admin).rows(OPEN, [second.sheet])).toEqual([{ open: [0, 3333] }, { open: [0, 1000] }]);
      await as(admin).refused('PT409', MARK, [second.ravi, 1, '2020-06-01']);
      await as(admin).rows(MARK, [second.ravi, 2, '2020-06-01']);
      const YEARS = 'select year, paid, due from own_earnings()';
      expect(await as(otherUser).rows(YEARS)).toEqual([{ year: 2020, paid: 20_000, due: 0 }]);

      // The account is gone: its statements stay without it, and payments follow the name.
      await server.query('delete from auth.users where id = $1', [ids.otherUser]);
      const last = await issued(scene, second.sheet);
      expect(await as(admin).rows(BEFORE, [last])).toMatchObject([{ paid_before: 20_000 }, {}]);
      expect(await as(admin).rows(OPEN, [last])).toMatchObject([{ open: [0, 13_333] }, {}]);
      const linked = 'select id from split_statements where num_nonnulls(user_id, member) > 0';
      expect(await as(admin).rows(linked)).toEqual([]);
      await server.query('savepoint attempt');
      const CHANGE = `update split_statements set member = null, user_id = null, amount = 1`;
      await expect(server.query(CHANGE)).rejects.toMatchObject({ code: 'PT409' });
      await server.query('rollback to savepoint attempt');
    });

    test('stay with their person when another one has the same name', async ({ as, scene }) => {
      const member = await memberOf(scene);
      const people = plan().people.map((person) => ({
        ...person,
        name: person.cut === 'team' ? 'Alex' : person.cut === 'referrer' ? 'alex' : person.name,
        member: person.cut === 'team' ? member : null,
      }));
      const sent = issue({ people });
      const first = await issued(scene, null, sent);
      const OF = `select id, amount::int, paid_before::int, member is not null as "hasAccount" from split_statements
          where sheet_id = $1 and lower(name) = 'alex' order by amount`;
      const statements = await as(admin).rows<{ id: string; amount: number; hasAccount: boolean }>(OF, [first]);
      expect(statements.map(({ hasAccount }) => hasAccount)).toEqual([false, true]);
      for (const { id } of statements) await as(admin).rows(MARK, [id, 1, '2020-05-01']);
      const second = await issued(scene, first, sent);
      const carried = statements.map(({ amount, hasAccount }) => ({ amount, hasAccount, paid_before: amount / 2 }));
      expect(await as(admin).rows(OF, [second])).toMatchObject(carried);
    });
  });
});

export const splitSheetRaces = (stage: Stage) =>
  it('a split sheet is issued by one of two admins concurrently', async () => {
    const PLANT = `insert into public.split_sheets (project_id, plan) values ('${ids.draft}', '{}') returning id, updated_at::text`;
    const draft = await stage.server.row<Draft>(PLANT);
    await stage.db.query(`insert into public.site_settings (name, value) values ('unallocated_share_to', '"A fund"')`);
    const rival = { actor: admin, text: ISSUE, values: [draft.id, draft.updated_at, issue()] };
    expect(endsOf(await stage.race([rival, rival]))).toEqual(['fulfilled', 'rejected']);
    const statements = await stage.server.rows('select from public.split_statements where sheet_id = $1', [draft.id]);
    expect(statements).toHaveLength(issue().statements.length);
  });

/** After the race for the sheet, which leaves one. */
export const paymentRaces = (stage: Stage) =>
  it('an instalment is marked as paid by one of two admins, and once while its sheet is replaced', async () => {
    const FIRST = `select id, sheet_id from public.split_statements order by number limit 1`;
    const { id, sheet_id: replaces } = await stage.server.row<{ id: string; sheet_id: string }>(FIRST);
    const mark = (place: number) => ({ actor: admin, text: MARK, values: [id, place, '2020-01-01'] });
    expect(endsOf(await stage.race([mark(1), mark(1)]))).toEqual(['fulfilled', 'rejected']);
    const REPLACE = `insert into public.split_sheets (project_id, plan, replaces) values ($1, '{}', $2) returning id, updated_at::text`;
    const draft = await stage.server.row<Draft>(REPLACE, [ids.draft, replaces]);
    const issuing = { actor: admin, text: ISSUE, values: [draft.id, draft.updated_at, issue()] };
    await stage.race([issuing, mark(2)]);
    const PAID_AND_CARRIED = `select (select sum(amount)::int8 from public.split_payments where statement_id = $1) as paid,
      (select sum(paid_before)::int8 from public.split_statements where sheet_id = $2) as carried`;
    const sums = await stage.server.row<{ paid: number; carried: number }>(PAID_AND_CARRIED, [id, draft.id]);
    expect(sums.carried).toBe(sums.paid);
  });
