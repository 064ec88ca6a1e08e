import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { type Call, openRest } from './rest-server.ts';

/** The maximum length of a name in PostgreSQL. */
const LONG = 'n'.repeat(63);
const sql = `
create table public.clients (id int primary key, name text not null);
create table public.projects (
  id int primary key, name text not null, client_id int references public.clients, budget int, made date not null default '2026-01-01');
create table public.tasks (id int primary key, name text not null, project_id int references public.projects, hours int);
create table public.people (id int primary key, name text not null);
create table public.shifts (person_id int references public.people, task_id int references public.tasks, primary key (person_id, task_id));
create table public.tallies (id int primary key, count int);
insert into public.clients values (1, 'Ada'), (2, 'Bob'), (3, 'Cyd');
insert into public.projects values (1, 'Attic', 1, 10), (2, 'Bridge', 1, 20), (3, 'Cellar', 2, 5), (4, 'Dome', null, 1);
insert into public.tasks values (1, 'Draw', 1, 3), (2, 'Build', 1, 4), (3, 'Draw', 2, 1), (4, 'Dig', 3, 8);
insert into public.people values (1, 'Eve'), (2, 'Flo');
insert into public.shifts values (1, 1), (1, 2), (2, 2);
insert into public.tallies values (1, 7), (2, 8);

create table public.notes_1 (id int primary key);
create table public.notes (id int primary key, notes_1_id int references public.notes_1);
insert into public.notes_1 values (1), (2);
insert into public.notes values (2, 1), (3, 2);
create table public.${LONG} (id int primary key, parent int references public.${LONG});
insert into public.${LONG} values (1, null), (2, 1);

create function public.big() returns setof public.projects language sql stable as 'select * from public.projects where budget > 9';
create view public.busy_where as select * from public.projects p where exists (select t.id from public.tasks t where t.project_id = p.id);
create view public.busy_in as select * from public.projects where id in (select project_id from public.tasks);
create view public.busy_cte as with t as (select project_id as id, name from public.tasks)
  select * from public.projects where id in (select id from t);
create view public.busy_from as select inside.* from (select p.* from public.projects p join public.tasks t on t.project_id = p.id and t.id = 1) inside;
create view public.counted as select p.id, p.client_id as "odd {name}", (select count(*) from public.tasks t where t.project_id = p.id) as tasks from public.projects p;
create view public.late_shifts as select * from public.shifts where task_id in (select id from public.tasks where hours > 3);
`;

const api = forAllTests(() => openRest({ sql, config: '[api]\naggregates = true\n' }));

const rows = async (query: string, init: Call = {}): Promise<unknown> => (await api.call(`/${query}`, init)).json();
const refusal = (query: string) => api.refusal(`/${query}`);

describe('count as a column', () => {
  it('counts the rows of a table, or those that match', async () => {
    expect(await rows('projects?select=count')).toEqual([{ count: 4 }]);
    expect(await rows('projects?select=total:count::text&budget=gt.4')).toEqual([{ total: '3' }]);
  });

  it('counts embedded rows at any depth, and through embeds of one row', async () => {
    const { data } = await api.client().from('clients').select('projects(count)').order('id');
    expect(data).toEqual([2, 1, 0].map((count) => ({ projects: [{ count }] })));
    const tasks = [2, 1].map((count) => ({ tasks: [{ count }] }));
    const deep = await rows('clients?select=projects(tasks(count))&id=eq.1&projects.order=id');
    expect(deep).toEqual([{ projects: tasks }]);
    const clients = [1, 0].map((count) => ({ clients: { count } }));
    expect(await rows('projects?select=clients(count)&id=in.(1,4)&order=id')).toEqual(clients);
    const filtered = await rows('people?select=tasks!shifts(count)&tasks.hours=gt.3&order=id');
    expect(filtered).toEqual([1, 1].map((count) => ({ tasks: [{ count }] })));
  });

  it('counts rows returned by a call or a write', async () => {
    expect(await rows('rpc/big?select=count')).toEqual([{ count: 2 }]);
    const tasks = [2, 1].map((count) => ({ tasks: [{ count }] }));
    expect(await rows('rpc/big?select=tasks(count)&order=id')).toEqual(tasks);
    const change = { method: 'PATCH', headers: { prefer: 'return=representation' }, json: { project_id: 1 } };
    expect(await rows('tasks?select=count&project_id=eq.1', change)).toEqual([{ count: 2 }]);
  });

  it('selects a column of that name where there is one', async () => {
    expect(await rows('tallies?select=count&order=id')).toEqual([{ count: 7 }, { count: 8 }]);
  });

  it('does not affect the total count or group rows', async () => {
    const response = await api.call('/projects?select=count', { headers: { prefer: 'count=exact' } });
    expect([response.headers.get('content-range'), await response.json()]).toEqual(['0-0/4', [{ count: 4 }]]);
    const message = expect.stringContaining('"projects.name"');
    expect(await refusal('projects?select=name,count')).toMatchObject({ status: 400, code: '42803', message });
  });

  it('other aggregate names are reported as missing columns of the embed', async () => {
    for (const [query, column] of [
      ['projects?select=sum', 'projects.sum'],
      ['clients?select=projects(sum)', 'projects_1.sum'],
      ['clients?select=projects(tasks(count,sum))', 'tasks_2.sum'],
      ['clients?select=projects(id)&projects.nope=eq.1', 'projects_1.nope'],
    ] as const) {
      const missing = { status: 400, code: '42703', message: `column ${column} does not exist` };
      expect(await refusal(query)).toMatchObject(missing);
    }
  });
});

describe('views with subqueries', () => {
  it.each(['busy_where', 'busy_in', 'busy_cte', 'busy_from'])(
    '%s has the relationships of its table alone',
    async (view) => {
      expect(await rows(`${view}?select=id,clients(name)&id=eq.1`)).toEqual([{ id: 1, clients: { name: 'Ada' } }]);
      const ada = { name: 'Ada', [view]: [{ id: 1 }] };
      expect(await rows(`clients?select=name,${view}(id)&id=eq.1&${view}.id=eq.1`)).toEqual([ada]);
      const attic = { id: 1, tasks: [{ name: 'Draw' }, { name: 'Build' }] };
      expect(await rows(`${view}?select=id,tasks(name)&id=eq.1&tasks.order=id`)).toEqual([attic]);
      expect(await api.code(`/${view}?select=id,projects(name)`)).toBe('400 PGRST200');
    },
  );

  it('a subquery among the selected columns changes nothing', async () => {
    expect(await rows('counted?select=tasks,clients(name)&id=eq.1')).toEqual([{ tasks: 2, clients: { name: 'Ada' } }]);
  });

  it('such a view joins two tables as its table does, and is listed as a candidate and a hint', async () => {
    const ambiguous = await refusal('people?select=tasks(name)');
    expect(ambiguous).toMatchObject({ status: 300, code: 'PGRST201' });
    expect(ambiguous['hint']).toContain("'tasks!late_shifts'");
    const build = { tasks: [{ name: 'Build' }] };
    expect(await rows('people?select=tasks!late_shifts(name)&order=id')).toEqual([build, build]);
  });
});

describe('embed with an alias', () => {
  const named = 'projects?select=id,the_tasks:tasks(name)&id=eq.1';

  it.each([
    ['order', 'tasks.order=id.desc', ['Build', 'Draw']],
    ['filter', 'tasks.hours=eq.4', ['Build']],
    ['logic', 'tasks.or=(hours.eq.3,hours.eq.9)', ['Draw']],
    ['limit', 'tasks.limit=1&tasks.order=id', ['Draw']],
    ['offset', 'tasks.offset=1&tasks.order=id', ['Build']],
  ])('accepts %s by its table name, and the response names the alias to use', async (_, parameter, names) => {
    const response = await api.call(`/${named}&${parameter}`);
    expect(await response.json()).toEqual([{ id: 1, the_tasks: names.map((name) => ({ name })) }]);
    const warning = response.headers.get('warning');
    expect(warning).toMatch(/^299 PostgREST "Embedded resource was referenced by relation name/);
    expect(warning).toContain('Update `tasks` to `the_tasks` in query string filters');
  });

  it('warns when its table name is used, at every depth, in writes and calls', async () => {
    const deep = await api.call('/clients?select=p:projects(t:tasks(id))&p.tasks.order=id&id=eq.2');
    expect(await deep.json()).toEqual([{ p: [{ t: [{ id: 4 }] }] }]);
    expect(deep.headers.get('warning')).toContain('Update `tasks` to `t` in');
    const change = { method: 'PATCH', headers: { prefer: 'return=representation' }, json: { budget: 10 } };
    const written = await api.call('/projects?select=id,x:tasks(id)&id=eq.1&tasks.order=id', change);
    expect([written.status, written.headers.get('warning')]).toEqual([200, expect.stringContaining('`x`')]);
    const right = await api.call(`/${named}&the_tasks.order=id`);
    expect([right.status, right.headers.get('warning')]).toEqual([200, null]);
  });

  it('is found by its alias first, and a table that is not embedded is rejected', async () => {
    const found = await rows('projects?select=tasks:clients(name),work:tasks(id)&id=eq.1&tasks.name=eq.Nobody');
    expect(found).toEqual([{ tasks: null, work: [{ id: 1 }, { id: 2 }] }]);
    const message = "'clients' is not an embedded resource in this request";
    const hint = "Verify that 'clients' is included in the 'select' query parameter.";
    const missing = await refusal('projects?select=the_tasks:tasks(id)&clients.id=eq.1');
    expect(missing).toEqual({ status: 400, code: 'PGRST108', message, details: null, hint });
  });

  it('can have any name', async () => {
    const select = encodeURIComponent('"ä\n\\"":tasks(id)');
    const response = await api.call(`/projects?select=${select}&id=eq.3&tasks.order=id`);
    expect([response.status, response.headers.get('warning')]).toEqual([200, expect.stringContaining('299')]);
  });
});

it('tables with names like an embed’s internal name, or of maximum length, are not confused', async () => {
  const notes = [{ notes: [{ id: 2 }] }, { notes: [{ id: 3 }] }];
  expect(await rows('notes_1?select=notes(id)&order=id')).toEqual(notes);
  const children = [{ children: [{ id: 2 }] }, { children: [] }];
  expect(await rows(`${LONG}?select=children:${LONG}(id)&order=id`)).toEqual(children);
});

describe('aggregates inside a spread', () => {
  it('are computed in the parent, grouped with its columns', async () => {
    const sums = await rows('tasks?select=hours.sum(),...projects(project:name,budget.max())&order=projects(project)');
    expect(sums).toEqual([
      { sum: 7, project: 'Attic', max: 10 },
      { sum: 1, project: 'Bridge', max: 20 },
      { sum: 8, project: 'Cellar', max: 5 },
    ]);
    expect(await rows('tasks?select=...projects(total:budget.sum()::text)')).toEqual([{ total: '45' }]);
  });

  it('are lifted through nested spreads, beside JSON', async () => {
    const nested = 'budget.sum(),clients(name),...clients(customers:count())';
    const ada = { sum: 40, clients: { name: 'Ada' }, customers: 3 };
    expect(await rows(`tasks?select=...projects(${nested})&project_id=lt.3`)).toEqual([ada]);
    const counts = await rows('tasks?select=name,...projects(...clients(name.count()))&order=name');
    expect(counts).toMatchObject([{ count: 1 }, { count: 1 }, { name: 'Draw', count: 2 }]);
  });

  it('stay inside an embed, whose rows they group', async () => {
    const select = 'name,tasks!shifts(hours.sum(),...projects(budgets:budget.sum(),project:name))';
    expect(await rows(`people?select=${select}&order=id`)).toEqual([
      { name: 'Eve', tasks: [{ sum: 7, budgets: 20, project: 'Attic' }] },
      { name: 'Flo', tasks: [{ sum: 4, budgets: 10, project: 'Attic' }] },
    ]);
    const tasks = await rows('shifts?select=tasks(id.sum(),...projects(details_sum:id.sum(),name))&person_id=eq.2');
    expect(tasks).toEqual([{ tasks: { sum: 2, details_sum: 1, name: 'Attic' } }]);
  });

  it('count rows, and return zero for parents without a match', async () => {
    expect(await rows('projects?select=id.count(),...clients(clients:count())')).toEqual([{ count: 4, clients: 3 }]);
    const headers = { prefer: 'count=exact' };
    const counted = await api.call('/tasks?select=name,...projects(budget.sum())', { headers });
    expect(counted.headers.get('content-range')).toBe('0-2/3');
  });

  it('are rejected in a spread of many rows', async () => {
    const details = 'Aggregates are not implemented for one-to-many or many-to-many spreads.';
    for (const select of ['...projects(budget.sum())', '...projects(name,...clients(id.sum()))'])
      expect(await refusal(`clients?select=name,${select}`)).toMatchObject({ status: 400, code: 'PGRST127', details });
  });
});
