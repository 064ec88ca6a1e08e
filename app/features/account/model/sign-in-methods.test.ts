import { describe, expect, it } from 'vitest';
import { readOffers, readSignInMethods } from './sign-in-methods.ts';

describe('the ways to sign in', () => {
  it('AUTH-25: name each provider only when the service says that it is configured, the usual ones first', () => {
    const external = { anonymous_users: true, azure: true, email: true, github: true, google: true, phone: false };
    expect(
      readSignInMethods({ external: { ...external, keycloak: true, slack_oidc: true, web3_solana: true } }).providers,
    ).toEqual([
      { name: 'google', label: 'Google' },
      { name: 'github', label: 'GitHub' },
      { name: 'azure', label: 'Microsoft' },
      { name: 'keycloak', label: 'Keycloak' },
      { name: 'slack_oidc', label: 'Slack' },
    ]);
    expect(
      readSignInMethods({ external: { ...external, azure: false, github: false, google: false } }).providers,
    ).toEqual([]);
  });

  it('offer phone, company and new accounts as the service reports', () => {
    const ways = readSignInMethods({
      external: { email: true, phone: true },
      saml_enabled: true,
      disable_signup: true,
    });
    expect(ways).toEqual({ email: true, phone: true, providers: [], company: true, signUp: false });
    expect(readSignInMethods({ external: { email: false } })).toMatchObject({
      email: false,
      phone: false,
      company: false,
    });
  });

  it('offer nothing that was not said in so many words', () => {
    for (const answer of [null, 'busy', [], {}, { external: null }, { external: { google: 'yes', constructor: 1 } }])
      expect(readSignInMethods(answer)).toMatchObject({ phone: false, providers: [], company: false });
  });
});

const external = { email: true, google: true, github: false };

describe('what can be added to an account', () => {
  it('is what the service says', () => {
    const on = { external, manual_linking_enabled: true, mfa: { totp: true, phone: true } };
    expect(readOffers(on)).toEqual({ providers: [{ name: 'google', label: 'Google' }], app: true, phone: true });
    const off = { external, manual_linking_enabled: false, mfa: { totp: false, phone: false } };
    expect(readOffers(off)).toEqual({ providers: [], app: false, phone: false });
  });

  it('is what hosted projects have by default where the service does not say', () => {
    expect(readOffers({ external })).toMatchObject({ providers: [{ name: 'google' }], app: true, phone: false });
    expect(readOffers(null)).toEqual({ providers: [], app: true, phone: false });
  });
});
