import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { builtInFacts } from '../../app/features/settings/model/facts.ts';
import {
  legalPage,
  listLegalTexts,
  resetLegalText,
  saveLegalText,
} from '../../app/features/settings/model/legal-page.ts';
import { builtIn, findFacts, listSettings, saveSetting } from '../../app/features/settings/model/settings.ts';
import { EditConflict } from '../../app/lib/data/api-error.ts';
import { type Client, openRest } from '../../packages/backend/tests/rest/rest-server.ts';
import { forAllTests } from '../for-all-tests.ts';

let guest: Client;
let admin: Client;

const api = forAllTests(() => openRest({ folder: 'supabase' }));
beforeAll(async () => {
  guest = api.client();
  admin = api.client((await api.admin()).token);
});
beforeEach(async () => {
  await api.db.query('delete from public.site_settings');
  await api.db.query('delete from public.site_pages');
});

const phone = async () => (await listSettings(guest)).phone;

describe('setting', () => {
  it('applies to every visitor once an admin has saved it, and can be changed again (CFG-01, ASET-01)', async () => {
    await saveSetting(admin, 'email', 'us@bedlam.example', undefined);
    expect((await findFacts(guest)).agency.email).toBe('us@bedlam.example');
    await saveSetting(admin, 'email', 'you@bedlam.example', (await listSettings(admin)).email);
    expect((await findFacts(guest)).agency.email).toBe('you@bedlam.example');
  });

  it('has no row when it is reset to the built-in value', async () => {
    await saveSetting(admin, 'phone', '+91 99999', undefined);
    await saveSetting(admin, 'phone', builtIn('phone'), await phone());
    expect(await listSettings(guest)).toEqual({});
    await saveSetting(admin, 'phone', builtIn('phone'), undefined);
    expect(await listSettings(guest)).toEqual({});
    expect(await findFacts(guest)).toEqual(builtInFacts);
  });

  it('is not overwritten when it changed since it was read', async () => {
    await saveSetting(admin, 'phone', '+91 11111', undefined);
    const seen = await phone();
    await saveSetting(admin, 'phone', '+91 22222', seen);
    for (const stale of [seen, undefined])
      await expect(saveSetting(admin, 'phone', '+91 33333', stale)).rejects.toThrow(EditConflict);
    await expect(saveSetting(admin, 'phone', builtIn('phone'), seen)).rejects.toThrow(EditConflict);
    expect(await phone()).toMatchObject({ value: '+91 22222' });
  });

  it('falls back to the built-in value when the stored value is invalid', async () => {
    for (const value of [{}, 'javascript:alert(1)', null, 7]) {
      await admin.from('site_settings').upsert({ name: 'book_meeting', value });
      expect(await findFacts(guest)).toEqual(builtInFacts);
    }
    const { status } = await admin.from('site_settings').upsert({ name: 'phone', value: 'x'.repeat(20_000) });
    expect(status).toBe(400);
  });
});

describe('legal text', () => {
  const shown = async () => legalPage('privacy', await listLegalTexts(guest), builtInFacts);

  it('is an admin’s text once saved, sanitized, dated and with its placeholders filled; and the built-in text after a reset (LEGAL-01, LEGAL-03, ASET-01)', async () => {
    const builtInPage = await shown();
    const body = '<h2 onclick="x()">Ours</h2><p>Write to {email}<script>alert(1)</script></p>';
    const saved = await saveLegalText(admin, 'privacy', body, undefined);
    expect(saved.body).toBe('<h2>Ours</h2><p>Write to {email}</p>');
    const page = await shown();
    expect(page.parts).toEqual([{ id: 'ours', title: 'Ours', html: `<p>Write to ${builtInFacts.agency.email}</p>` }]);
    expect(Math.abs(Date.now() - Date.parse(page.changed))).toBeLessThan(60_000);
    await resetLegalText(admin, 'privacy', saved);
    expect(await shown()).toEqual(builtInPage);
  });

  it('is not overwritten or deleted when it changed since it was read', async () => {
    const first = await saveLegalText(admin, 'privacy', '<p>First</p>', undefined);
    const second = await saveLegalText(admin, 'privacy', '<p>Second</p>', first);
    await expect(saveLegalText(admin, 'privacy', '<p>Third</p>', first)).rejects.toThrow(EditConflict);
    await expect(saveLegalText(admin, 'privacy', '<p>Third</p>', undefined)).rejects.toThrow(EditConflict);
    await expect(resetLegalText(admin, 'privacy', first)).rejects.toThrow(EditConflict);
    expect(await listLegalTexts(guest)).toEqual({ privacy: second });
  });

  it('is never shown empty', async () => {
    await saveLegalText(admin, 'privacy', '<p> </p>', undefined);
    expect((await shown()).parts.length).toBeGreaterThan(8);
  });
});
