import { expect, it } from 'vitest';
import { withStatus } from './optimistic-status.ts';

const row = (id: string) => ({ id, status: 'draft', title: id });

it('updates the status in pages, infinite pages, plain lists and single records', () => {
  const changed = { ...row('a'), status: 'active' };
  const page = { rows: [row('a'), row('b')], total: 2 };
  expect(withStatus(page, 'a', 'active')).toEqual({ rows: [changed, row('b')], total: 2 });
  const pages = [{ rows: [row('b')] }, { rows: [row('a')] }];
  expect(withStatus({ pages }, 'a', 'active')).toEqual({ pages: [{ rows: [row('b')] }, { rows: [changed] }] });
  expect(withStatus([row('a')], 'a', 'active')).toEqual([changed]);
  expect(withStatus(row('a'), 'a', 'active')).toEqual(changed);
});

it('returns other cached data unchanged', () => {
  for (const read of [null, 3, { draft: 4 }, [row('b')], { rows: [row('b')] }, { pages: [] }])
    expect(withStatus(read, 'a', 'active')).toEqual(read);
});
