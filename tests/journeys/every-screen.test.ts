import { expect, inject, it } from 'vitest';
import { publicPages } from '../public-pages.ts';
import { seeded, startSeeded } from './seeded.ts';
import { fillIn, openNewForm, picture, send, stay } from './submit/form.ts';
import { isInFirstScreen, visualFaults } from './visual-faults.ts';
import { ACCOUNT_SCREENS, ADMIN_SCREENS, adminScreens, MEMBER_SCREENS, resize, WIDTHS, walk } from './walk-screens.ts';

startSeeded();

it('every screen at five widths has nothing split, covered, cut off or too tall for a guest', async () => {
  expect(await walk([...Object.values(await publicPages(seeded.base)), ...ACCOUNT_SCREENS])).toEqual([]);
});

it('every screen at five widths has nothing split, covered, cut off or too tall for a member, and is accessible', async () => {
  expect(await walk(MEMBER_SCREENS, { account: inject('accounts').creator, accessible: true })).toEqual([]);
});

it.each([
  ['lists and forms', 0, ADMIN_SCREENS.length],
  ['records and pages', ADMIN_SCREENS.length, undefined],
] as const)(
  'every screen of the %s at five widths has nothing split, covered, cut off or too tall for an admin, nor too wide at twice the text size, and is accessible',
  async (_, from, to) => {
    const account = inject('accounts').admin;
    const screens = (await adminScreens()).slice(from, to);
    expect(await walk(screens, { account, largeText: true, accessible: true })).toEqual([]);
  },
);

it('shows a submitted experiment with its private link and next steps without scrolling', async () => {
  const page = await openNewForm({ viewport: { width: 390, height: 844 } });
  await fillIn(page, 'A lamp that hums', [await picture('lamp.png')]);
  await send(page);
  await stay(page);
  for (const width of WIDTHS) {
    await resize(page, width);
    expect(await visualFaults(page), `at ${width}`).toEqual([]);
    for (const purpose of ['.submitted h1', '.submitted-link button', '.submitted a[href="/case-studies"]'])
      expect(await isInFirstScreen(page, purpose), `${purpose} at ${width}`).toBe(true);
  }
});
