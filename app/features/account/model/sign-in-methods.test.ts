import { describe, expect, it } from 'vitest';
import { readOffers, readSignInMethods } from './sign-in-methods.ts';

describe('sign-in methods', () => {
  it('offers each provider only when the service reports it as configured, common providers first (AUTH-25)', () => {
    const external = { anonymous_users: true, azure: true, email: true, github: true, google: true, phone: false };
    const offered = (part: object) =>
      readSignInMethods({ external: { ...external, ...part } }).providers.map(({ name, label }) => `${name} ${label}`);
    expect(offered({ keycloak: true, slack_oidc: true, web3_solana: true })).toEqual([
      ...['google Google', 'github GitHub', 'azure Microsoft', 'keycloak Keycloak', 'slack_oidc Slack'],
    ]);
    expect(offered({ azure: false, github: false, google: false })).toEqual([]);
  });

  it('offers phone, company sign-in and sign-up as the service reports them', () => {
    const all = { external: { email: true, phone: true }, saml_enabled: true, disable_signup: true };
    expect(readSignInMethods(all)).toEqual({ email: true, phone: true, providers: [], company: true, signUp: false });
    const none = { email: false, phone: false, company: false };
    expect(readSignInMethods({ external: { email: false } })).toMatchObject(none);
  });

  it('offers no method that the service does not report', () => {
    for (const answer of [null, 'busy', [], {}, { external: null }, { external: { google: 'yes', constructor: 1 } }])
      expect(readSignInMethods(answer)).toMatchObject({ phone: false, providers: [], company: false });
  });
});

const external = { email: true, google: true, github: false };

describe('methods that an account can add', () => {
  it('offers the methods that the service reports', () => {
    const on = { external, manual_linking_enabled: true, mfa: { totp: true, phone: true } };
    expect(readOffers(on)).toEqual({ providers: [{ name: 'google', label: 'Google' }], app: true, phone: true });
    const off = { external, manual_linking_enabled: false, mfa: { totp: false, phone: false } };
    expect(readOffers(off)).toEqual({ providers: [], app: false, phone: false });
  });

  it('offers the defaults of hosted projects when the service reports none', () => {
    expect(readOffers({ external })).toMatchObject({ providers: [{ name: 'google' }], app: true, phone: false });
    expect(readOffers(null)).toEqual({ providers: [], app: true, phone: false });
  });
});
