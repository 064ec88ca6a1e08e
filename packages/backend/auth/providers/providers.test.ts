import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { SupabaseProject } from '../../config/supabase-config.ts';
import { createProviders } from './providers.ts';

type Settings = SupabaseProject['auth']['external'][string];

const client = { client_id: 'madhouse', secret: 'a secret', additional_client_ids: [] };
const on: Settings = { ...client, enabled: true, redirect_uri: '', url: '', skip_nonce_check: false };

const project = (external: Record<string, Settings>) => ({ auth: { external } }) as unknown as SupabaseProject;
const create = (external: Record<string, Settings>) =>
  createProviders(project(external), 'https://site.example/auth/v1/callback', pino({ level: 'silent' }));

describe('providers of a project', () => {
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
