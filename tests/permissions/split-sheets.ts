import { describe, expect, it } from 'vitest';
import { planFor, type SplitPlan } from '../../app/features/splits/model/plan.ts';
import { issueOf } from '../../app/features/splits/model/records.ts';
import { computeSheet } from '../../app/features/splits/model/sheet.ts';
import {
  admin,
  creator,
  guest,
  ids,
  otherUser,
  replaceAdmin,
  type Scene,
  type Stage,
  submitter,
  theService,
} from './stage.ts';

const BEGIN = 'insert into split_sheets (project_id, plan, replaces) values ($1, $2, $3) returning id, updated_at';
const ISSUE = 'select issue_split_sheet(p_sheet => $1, p_seen => $2, p_issue => $3) as answer';
const SHEET = 'select * from split_sheets where id = $1';

interface Draft {
  id: string;
  updated_at: string;
}

const project = { title: 'Published', client: null, budget: 1000, start_date: '2027-01-10', end_date: '2027-02-20' };
const plan = (more: Partial<SplitPlan> = {}): SplitPlan => {
  const begun = planFor({ ...project, members: [] }, '2027-01-01');
  const named = begun.people.map((person) => ({ ...person, name: `The ${person.cut}`, input: '1' }));
  return {
    ...begun,
    amount: '1000',
    people: [...named, { cut: 'team', name: 'Ravi', member: null, input: '2' }],
    ...more,
  };
};
type Issue = ReturnType<typeof issueOf>;
const issue = (more: Partial<SplitPlan> = {}): Issue => issueOf(computeSheet(plan(more), null).result!);

export const splitSheets = (stage: Stage) =>
  describe('split sheet', () => {
    const resolveLogin = ({ server }: Scene, value = '"The company pool"') =>
      server.query(
        `insert into public.site_settings (name, value) values ('unallocated_share_to', $1::text::jsonb)
         on conflict (name) do update set value = excluded.value`,
        [value],
      );
    const begin = async (scene: Scene, replaces: string | null = null, project = ids.published): Promise<Draft> =>
      (
        await scene
          .as(admin)
          .rows<Draft>(`${BEGIN.replace('updated_at', 'updated_at::text')}`, [project, { ...plan() }, replaces])
      )[0]!;
    const issued = async (scene: Scene, replaces: string | null = null) => {
      const { id, updated_at } = await begin(scene, replaces);
      await scene.as(admin).rows(ISSUE, [id, updated_at, issue()]);
      return id;
    };

    it('is prepared, read and issued by admins alone', () =>
      stage.play(async (scene) => {
        await resolveLogin(scene);
        const draft = await begin(scene);
        const issuing = [draft.id, draft.updated_at, issue()];
        for (const actor of [otherUser, creator]) {
          expect(await scene.as(actor).refusal(BEGIN, [ids.draft, {}, null])).toBe('42501');
          expect(await scene.as(actor).rows(SHEET, [draft.id])).toEqual([]);
          expect(await scene.as(actor).write(`update split_sheets set plan = '{}' where id = $1`, [draft.id])).toBe(0);
          expect(await scene.as(actor).write('delete from split_sheets where id = $1', [draft.id])).toBe(0);
          expect(await scene.as(actor).refusal(ISSUE, issuing)).toBe('42501');
        }
        for (const actor of [guest, submitter, theService]) {
          expect(await scene.as(actor).refusal(BEGIN, [ids.draft, {}, null])).toBe('42501');
          for (const table of ['split_sheets', 'split_statements', 'split_shares'])
            expect(await scene.as(actor).refusal(`select * from ${table}`)).toBe('42501');
          expect(await scene.as(actor).refusal(ISSUE, issuing)).toBe('42501');
        }
        expect((await scene.as(admin).call(ISSUE, issuing)).answer).toBe(1);
      }));

    it('is refused to a former admin, and to an admin without the required factor', () =>
      stage.play(async (scene) => {
        const draft = await begin(scene);
        await scene.server.query(
          `insert into public.site_settings (name, value) values ('admins_need_second_factor', 'true')`,
        );
        expect(await scene.as(admin).rows(SHEET, [draft.id])).toEqual([]);
        expect(await scene.as(admin).refusal(ISSUE, [draft.id, draft.updated_at, issue()])).toBe('42501');
        await scene.server.query(`delete from public.site_settings where name = 'admins_need_second_factor'`);
        await replaceAdmin(scene.server);
        expect(await scene.as(admin).rows(SHEET, [draft.id])).toEqual([]);
        expect(await scene.as(admin).refusal(ISSUE, [draft.id, draft.updated_at, issue()])).toBe('42501');
      }));

    it('cannot be issued until the unallocated tenth is assigned (DEC-01, CONST-36)', () =>
      stage.play(async (scene) => {
        const draft = await begin(scene);
        const issuing = [draft.id, draft.updated_at, issue()];
        expect(await scene.as(admin).refusal(ISSUE, issuing)).toBe('PT409');
        for (const value of ['""', '"  "', 'true', 'null']) {
          await resolveLogin(scene, value);
          expect(await scene.as(admin).refusal(ISSUE, issuing), value).toBe('PT409');
        }
        await resolveLogin(scene, '"The hardship fund"');
        await scene.as(admin).rows(ISSUE, issuing);
        const [line] = await scene
          .as(admin)
          .rows(`select words, percent, amount, statement_id from split_shares where cut = 'unallocated'`);
        expect(line).toMatchObject({
          words: 'Not allocated by the terms: The hardship fund',
          percent: 10,
          amount: 10_000,
          statement_id: null,
        });
      }));

    it('adds up to the amount to the smallest unit, for any shares and inputs', () =>
      stage.play(async (scene) => {
        await resolveLogin(scene);
        let replaces: string | null = null;
        for (const [amount, investors, inputs] of [
          ['0.01', '25', ['1', '1', '1']],
          ['999.99', '0', ['33.33', '33.33', '33.34']],
          ['1000000000', '13', ['0.01', '99999', '7']],
          ['17.03', '7', ['3', '3', '3']],
        ] as const) {
          const draft: Draft = await begin(scene, replaces);
          const people = [
            ...plan().people.filter(({ cut }) => cut !== 'team'),
            ...inputs.map((input, at) => ({ cut: 'team' as const, name: `Worker ${at}`, member: null, input })),
            { cut: 'investors' as const, name: 'Fund', member: null, input: '5' },
          ];
          const sent = issue({ amount, investors, people });
          await scene.as(admin).rows(ISSUE, [draft.id, draft.updated_at, sent]);
          const [sums] = await scene.as(admin).rows(
            `select sheet.amount, (select sum(amount)::int8 from split_shares where sheet_id = sheet.id) as shares,
               (select sum(amount)::int8 from split_statements where sheet_id = sheet.id)
                 + (select sum(amount)::int8 from split_shares where sheet_id = sheet.id and statement_id is null) as statements,
               (select bool_and(amount = (select sum((paid ->> 'amount')::int8) from jsonb_array_elements(payments) as each (paid)))
                from split_statements where sheet_id = sheet.id) as paid
             from split_sheets sheet where id = $1`,
            [draft.id],
          );
          expect(sums).toEqual({ amount: sent.amount, shares: sent.amount, statements: sent.amount, paid: true });
          replaces = draft.id;
        }
      }));

    it('is rejected when an amount does not follow from the terms, the input or the instalments', () =>
      stage.play(async (scene) => {
        await resolveLogin(scene);
        const { id, updated_at } = await begin(scene);
        const moved = (from: Issue['statements'][number], to: Issue['statements'][number], by: number) => {
          from.shares[0]!.share -= by;
          from.payments[0]! -= by;
          to.shares[0]!.share += by;
          to.payments[0]! += by;
        };
        const wrongs: ((sent: Issue) => void)[] = [
          (sent) => moved(sent.statements[0]!, sent.statements[1]!, 100),
          (sent) => moved(sent.statements.at(-1)!, sent.statements.at(-2)!, 1),
          (sent) => {
            sent.amount += 1;
          },
          (sent) => {
            sent.pools[0]!.share -= 100;
          },
          (sent) => {
            sent.pools.pop();
          },
          (sent) => {
            sent.statements.pop();
          },
          (sent) => {
            sent.statements[0]!.shares[0]!.cut = 'unallocated';
          },
          (sent) => {
            sent.pools[0]!.cut = 'manager';
          },
          (sent) => {
            sent.investors = 26;
          },
          (sent) => {
            sent.investors = 10;
          },
          (sent) => {
            sent.statements[0]!.payments[0]! += 1;
          },
          (sent) => {
            sent.statements[0]!.payments.pop();
          },
          (sent) => {
            sent.statements[0]!.name = ' ';
          },
          (sent) => {
            sent.statements[0]!.member = ids.missing;
          },
          (sent) => {
            sent.statements[0]!.shares[0]!.weight = 0;
          },
          (sent) => {
            sent.instalments[0]!.percent = 4000;
          },
          (sent) => {
            sent.instalments.reverse();
          },
          (sent) => {
            sent.instalments[0]!.due = 'today';
          },
          (sent) => {
            sent.instalments[0]!.words = '';
          },
          (sent) => {
            sent.payment = 'never' as 'short';
          },
          (sent) => {
            sent.currency = 'XXX' as 'USD';
          },
          (sent) => {
            sent.terms = '';
          },
          (sent) => {
            sent.amount = 0;
          },
          (sent) => {
            sent.statements = [];
          },
        ];
        for (const spoil of wrongs) {
          const sent = structuredClone(issue());
          spoil(sent);
          expect(await scene.as(admin).refusal(ISSUE, [id, updated_at, sent]), spoil.toString()).toBe('PT400');
        }
        for (const sent of [{}, { amount: 'NaN' }, { ...issue(), statements: {} }, { ...issue(), instalments: [{}] }])
          expect(await scene.as(admin).refusal(ISSUE, [id, updated_at, sent])).toMatch(/^(PT400|22)/);
        expect((await scene.as(admin).call(ISSUE, [id, updated_at, issue()])).answer).toBe(1);
      }));

    it('is paid in two halves when the project is short (CONST-37)', () =>
      stage.play(async (scene) => {
        await resolveLogin(scene);
        const { id, updated_at } = await begin(scene);
        const long = issue({
          payment: 'long',
          instalments: ['20', '30', '50'].map((percent, at) => ({ due: `2027-0${at + 1}-01`, words: 'Part', percent })),
        });
        expect(await scene.as(admin).refusal(ISSUE, [id, updated_at, { ...long, payment: 'short' }])).toBe('PT400');
        await scene.as(admin).rows(ISSUE, [id, updated_at, long]);
      }));

    it('is read-only once issued, for admins, the service and the server itself', () =>
      stage.play(async (scene) => {
        await resolveLogin(scene);
        const id = await issued(scene);
        expect(await scene.as(admin).write(`update split_sheets set plan = '{}' where id = $1`, [id])).toBe(0);
        expect(await scene.as(admin).write('delete from split_sheets where id = $1', [id])).toBe(0);
        for (const text of [
          `update split_sheets set amount = 1 where id = '${id}'`,
          `update split_statements set amount = 1`,
          `insert into split_shares (sheet_id, cut, words, percent, weight, amount) values ('${id}', 'team', 'x', 1, 1, 1)`,
          'update split_shares set amount = 1',
          'delete from split_shares',
          'delete from split_statements',
        ])
          for (const actor of [admin, theService]) expect(await scene.as(actor).refusal(text), text).toBe('42501');
        for (const text of [
          `update public.split_sheets set amount = 1 where id = '${id}'`,
          `delete from public.split_sheets where id = '${id}'`,
          'update public.split_statements set amount = 1',
          'delete from public.split_shares',
          `insert into public.split_shares (sheet_id, cut, words, percent, weight, amount) values ('${id}', 'team', 'x', 1, 1, 1)`,
        ]) {
          await scene.server.query('savepoint attempt');
          await expect(scene.server.query(text), text).rejects.toMatchObject({ code: 'PT409' });
          await scene.server.query('rollback to savepoint attempt');
        }
      }));

    it('stores the credits at the time of issue, independent of later changes', () =>
      stage.play(async (scene) => {
        await resolveLogin(scene);
        const savedCredits = [{ part: 'Idea', made: 'hand', people: ['Asha Rao'] }];
        const saveCredits = (credits: object[]) =>
          scene.server.query(
            `insert into public.case_study_metadata (project_id, credits) values ($1, $2::text::jsonb)
             on conflict (project_id) do update set credits = excluded.credits`,
            [ids.published, JSON.stringify(credits)],
          );
        await saveCredits(savedCredits);
        const draft = await begin(scene);
        const [prepared] = await scene.as(admin).rows('select credits from split_sheets where id = $1', [draft.id]);
        expect(prepared).toEqual({ credits: null });
        const write = `update split_sheets set credits = '[]' where id = $1`;
        for (const actor of [guest, submitter, creator, otherUser, admin, theService])
          expect(await scene.as(actor).refusal(write, [draft.id])).toBe('42501');
        await scene.as(admin).rows(ISSUE, [draft.id, draft.updated_at, issue()]);
        await saveCredits([]);
        expect(await scene.as(admin).rows('select credits from split_sheets where id = $1', [draft.id])).toEqual([
          { credits: savedCredits },
        ]);
      }));

    it('is issued once, as it was read, and then only replaced by a new one', () =>
      stage.play(async (scene) => {
        await resolveLogin(scene);
        const draft = await begin(scene);
        expect(await scene.as(admin).refusal(BEGIN, [ids.published, {}, null])).toBe('23505');
        expect(await scene.as(admin).refusal(ISSUE, [draft.id, '2020-01-01', issue()])).toBe('PT409');
        expect(await scene.as(admin).refusal(ISSUE, [ids.missing, draft.updated_at, issue()])).toBe('PT404');
        await scene.as(admin).rows(ISSUE, [draft.id, draft.updated_at, issue()]);
        expect(await scene.as(admin).refusal(ISSUE, [draft.id, draft.updated_at, issue()])).toBe('PT409');

        const second = await begin(scene);
        expect(await scene.as(admin).refusal(ISSUE, [second.id, second.updated_at, issue()])).toBe('PT409');
        await scene.as(admin).write('delete from split_sheets where id = $1', [second.id]);
        await issued(scene, draft.id);
        const thirdSheet = await begin(scene, draft.id);
        expect(await scene.as(admin).refusal(ISSUE, [thirdSheet.id, thirdSheet.updated_at, issue()])).toBe('PT409');
        const sheets = await scene
          .as(admin)
          .rows('select number from split_sheets where number is not null order by number');
        expect(sheets).toEqual([{ number: 1 }, { number: 2 }]);
        const log = await scene.server.query(
          `select reason from public.audit_log where action = 'split_sheets.issue' order by id`,
        );
        expect(log.rows).toEqual([{ reason: 'sheet 1' }, { reason: 'sheet 2' }]);
      }));

    it('remains when its project or the accounts named on it are deleted', () =>
      stage.play(async (scene) => {
        await resolveLogin(scene);
        const id = await issued(scene);
        await scene.as(admin).write('delete from projects where id = $1', [ids.published]);
        await scene.server.query('delete from auth.users where id = $1', [ids.otherUser]);
        expect(await scene.as(admin).rows(SHEET, [id])).toMatchObject([
          { project_title: 'Published', amount: 100_000 },
        ]);
      }));

    it('shows a user their own statement, and nothing else of it', () =>
      stage.play(async (scene) => {
        await resolveLogin(scene);
        const { rows } = await scene.server.query<{ id: string }>(
          `select id from public.profiles where user_id = '${ids.otherUser}'`,
        );
        const draft = await begin(scene);
        const people = plan().people.map((person) =>
          person.name === 'Ravi' ? { ...person, member: rows[0]!.id } : person,
        );
        await scene.as(admin).rows(ISSUE, [draft.id, draft.updated_at, issue({ people })]);
        const ownStatements = await scene
          .as(otherUser)
          .rows('select id, number, name, amount, user_id from split_statements');
        expect(ownStatements).toMatchObject([{ name: 'Ravi', user_id: ids.otherUser, amount: 33_333 }]);
        expect(await scene.as(otherUser).rows('select statement_id, amount from split_shares')).toEqual([
          { statement_id: ownStatements[0]!['id'], amount: 33_333 },
        ]);
        expect(await scene.as(otherUser).rows('select id from split_sheets')).toEqual([]);
        expect(await scene.as(creator).rows('select id from split_statements')).toEqual([]);
        expect(await scene.as(creator).rows('select id from split_shares')).toEqual([]);

        const savedCredits = 'select * from replaced_statements(p_statements => $1)';
        const own = [[ownStatements[0]!['id'] as string]];
        expect(await scene.as(otherUser).rows(savedCredits, own)).toEqual([]);
        await issued(scene, draft.id);
        expect(await scene.as(otherUser).rows(savedCredits, own)).toEqual([
          { id: ownStatements[0]!['id'], replaced_by: 2 },
        ]);
        expect(await scene.as(admin).rows(savedCredits, own)).toHaveLength(1);
        expect(await scene.as(creator).rows(savedCredits, own)).toEqual([]);
        expect(await scene.as(guest).refusal(savedCredits, own)).toBe('42501');
      }));
  });

export const splitSheetRaces = (stage: Stage) =>
  it('a split sheet is issued by one of two admins concurrently', async () => {
    const { rows } = await stage.db.query<Draft>(
      `insert into public.split_sheets (project_id, plan) values ('${ids.draft}', '{}') returning id, updated_at::text`,
    );
    await stage.db.query(`insert into public.site_settings (name, value) values ('unallocated_share_to', '"A fund"')`);
    const values = [rows[0]!.id, rows[0]!.updated_at, issue()];
    const rivals = await stage.race([1, 2].map(() => ({ actor: admin, text: ISSUE, values })));
    expect(rivals.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const statements = await stage.db.query(`select from public.split_statements where sheet_id = '${rows[0]!.id}'`);
    expect(statements.rows).toHaveLength(issue().statements.length);
  });
