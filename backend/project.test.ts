import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProject } from './project.ts';

const folder = join(import.meta.dirname, '..', 'supabase');

describe('config.toml', () => {
  it('offers no provider, message hook or captcha before the environment fills it in', async () => {
    const { auth } = await readProject(folder, {});
    expect(Object.values(auth.external).filter(({ enabled }) => enabled)).toEqual([]);
    expect(auth.hook.send_sms.enabled).toBe(false);
    expect(auth.captcha.enabled).toBe(false);
  });

  it('offers what the environment fills in', async () => {
    const { auth } = await readProject(folder, {
      GITHUB_CLIENT_ID: 'madhouse',
      GITHUB_CLIENT_SECRET: 'a secret',
      CAPTCHA_SECRET: 'another',
    });
    expect(auth.external['github']).toMatchObject({ enabled: true, client_id: 'madhouse', secret: 'a secret' });
    expect(auth.external['google']?.enabled).toBe(false);
    expect(auth.captcha.enabled).toBe(true);
  });

  it('stops the start with file and key when half of a provider is missing', async () => {
    await expect(readProject(folder, { GOOGLE_CLIENT_ID: 'madhouse' })).rejects.toThrow(
      /config\.toml: auth\.external\.google has a client_id but no secret/,
    );
  });
});
