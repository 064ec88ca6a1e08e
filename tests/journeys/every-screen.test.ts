import { expect, it } from 'vitest';
import { publicPages } from '../public-pages.ts';
import { admin, creator, seeded, startSeeded } from './seeded.ts';
import { ACCOUNT_SCREENS, ADMIN_SCREENS, adminScreens, MEMBER_SCREENS, walk } from './walk-screens.ts';

startSeeded({ readOnly: true });

it('every screen at five widths has nothing split, covered, cut off or too tall for a guest', async () => {
  expect(await walk([...Object.values(await publicPages(seeded.base)), ...ACCOUNT_SCREENS])).toEqual([]);
});

it('every screen at five widths has nothing split, covered, cut off or too tall for a member, and is accessible', async () => {
  expect(await walk(MEMBER_SCREENS, { account: creator, accessible: true })).toEqual([]);
});

it.each([
  ['lists and forms', 0, ADMIN_SCREENS.length],
  ['records and pages', ADMIN_SCREENS.length, undefined],
] as const)(
  'every screen of the %s at five widths has nothing split, covered, cut off or too tall for an admin, nor too wide at twice the text size, and is accessible',
  async (_, from, to) => {
    const screens = (await adminScreens()).slice(from, to);
    expect(await walk(screens, { account: admin, largeText: true, accessible: true })).toEqual([]);
  },
);
