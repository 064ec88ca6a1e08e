import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { SupabaseProject } from '../../config/supabase-config.ts';
import { createProviders, enabledProviders } from './providers.ts';

type Settings = SupabaseProject['auth']['external'][string];

const on: Settings = {
  enabled: true,
  client_id: 'madhouse',
  secret: 'a secret',
  redirect_uri: '',
  url: '',
  skip_nonce_check: false,
  additional_client_ids: [],
};

const project = (external: Record<string, Settings>) => ({ auth: { external } }) as unknown as SupabaseProject;
const create = (external: Record<string, Settings>) =>
  createProviders(project(external), 'https://site.example/auth/v1/callback', pino({ level: 'silent' }));

describe('providers of a project', () => {
  it('are listed for the sign-in form, with Google and GitHub even when disabled', () => {
    expect(enabledProviders(project({}))).toEqual({ google: false, github: false });
    expect(enabledProviders(project({ google: on, acme: { ...on, enabled: false } }))).toEqual({
      google: true,
      github: false,
      acme: false,
    });
  });

  it('are found by name, or by issuer and audience, when enabled', () => {
    const providers = create({
      google: { ...on, client_id: 'madhouse, madhouse-ios', additional_client_ids: ['madhouse-android'] },
      github: on,
      acme: { ...on, enabled: false, url: 'https://acme.example' },
    });
    expect(providers.find('github')?.idTokens).toBeNull();
    expect(providers.find('acme')).toBeNull();
    expect(providers.find('toString')).toBeNull();
    for (const id of ['madhouse', 'madhouse-ios', 'madhouse-android'])
      expect(providers.issuing('https://accounts.google.com', id)?.name).toBe('google');
    expect(providers.issuing('https://accounts.google.com', '')).toBeNull();
    expect(providers.issuing('https://acme.example', 'madhouse')).toBeNull();
  });

  it.each([
    ['a name without issuer', 'acme', {}, /auth\.external\.acme\.url is missing/],
    ['an issuer that is not https', 'acme', { url: 'http://acme.example' }, /must be an https address/],
    ['an address that is none', 'google', { url: 'accounts' }, /must be an https address/],
    ['an address with a password', 'google', { url: 'https://a:b@acme.example' }, /must be an https address/],
    ['a name of our own', 'email', { url: 'https://acme.example' }, /cannot be the name/],
    ['a name of single sign-on', 'sso:1', { url: 'https://acme.example' }, /cannot be the name/],
  ])('prevent the start with a one-line error for %s', (_, name, settings, words) => {
    expect(() => create({ [name]: { ...on, ...settings } })).toThrow(words);
  });

  it('redirect to GitHub and expect its own issuer in the response', async () => {
    const address = await create({ github: on })
      .require('github')
      .authorization({ scopes: ['read:org'], more: {}, verifier: 'v'.repeat(43), nonce: 'n' });
    expect(address.origin + address.pathname).toBe('https://github.com/login/oauth/authorize');
    expect(address.searchParams.get('redirect_uri')).toBe('https://site.example/auth/v1/callback');
    expect(address.searchParams.get('scope')).toBe('user:email read:org');
  });
});
