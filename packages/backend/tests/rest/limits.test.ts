import { expect, it } from 'vitest';
import { engines } from '../../../../tests/database.ts';
import { forAllTests } from '../../../../tests/for-all-tests.ts';
import { openRest } from './rest-server.ts';

const sql = `
create table public.people (id int primary key, parent int references public.people);
insert into public.people values (1, null), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5);
`;
const RATE = 30;
const config = `[api]
max_embed_depth = 5
max_embeds = 7
max_filters = 4
max_list = 3
requests_per_minute = ${RATE}
`;

const api = forAllTests(() => openRest({ sql, config }, { limits: null, engine: engines[0] }));

const deep = (levels: number): string => (levels ? `id,parent(${deep(levels - 1)})` : 'id');
const beside = (embeds: number): string => Array.from({ length: embeds }, (_, at) => `p${at}:parent(id)`).join();

it('one request is limited as in config.toml', async () => {
  const cases = [
    ['select', deep(5), deep(6), 'Embeds are nested more than 5 deep'],
    ['select', beside(7), beside(8), 'More than 7 embeds'],
    ['id', 'in.(1,2,3)', 'in.(1,2,3,4)', 'More than 3 values in a list'],
    ['and', '(id.gt.1,id.gt.2,id.gt.3,id.gt.4)', '(id.gt.1,id.gt.2,id.gt.3,id.gt.4,id.gt.5)', 'More than 4 filters'],
  ] as const;
  for (const [key, within, beyond, message] of cases) {
    const allowed = await api.call(`/people?${new URLSearchParams({ [key]: within })}`);
    expect([within, allowed.status]).toEqual([within, 200]);
    const refused = await api.refusal(`/people?${new URLSearchParams({ [key]: beyond })}`);
    expect(refused).toMatchObject({ status: 400, code: 'PGRST100', message });
  }
});

it('requests per minute and address are limited as in config.toml', async () => {
  const answers = await Promise.all(Array.from({ length: 2 * RATE + 1 }, () => api.call('/people?limit=1')));
  expect(Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after'))).toBeGreaterThan(0);
});
