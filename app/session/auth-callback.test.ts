import { afterEach, describe, expect, it, vi } from 'vitest';
import { cleanAddress, hasAuthParams } from './auth-callback.ts';

afterEach(() => vi.unstubAllGlobals());

/** The address bar after the page has looked at what it was opened with. */
function cleaned(address: string): string {
  const location = new URL(address);
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', {
    state: { key: 'kept' },
    replaceState(state: unknown, _: string, to: string) {
      expect(state).toEqual({ key: 'kept' });
      location.href = new URL(to, location).href;
    },
  });
  cleanAddress();
  return location.pathname + location.search + location.hash;
}

describe('return address with a token or an error', () => {
  it('loses tokens and error messages, and keeps other parameters (TM-40)', () => {
    const addresses = {
      '/sign-in#access_token=a&refresh_token=b&expires_in=3600&token_type=bearer': '/sign-in',
      '/sign-in?next=%2Fadmin&error=a&error_code=x&error_description=y#error=z': '/sign-in?next=%2Fadmin',
      '/#services': '/#services',
      '/case-studies?q=error#top': '/case-studies?q=error#top',
    };
    for (const [before, after] of Object.entries(addresses))
      expect(cleaned(`https://madhouse.example${before}`)).toBe(after);
  });

  it('is detected among ordinary addresses', () => {
    const brings = (address: string) => hasAuthParams(new URL(address, 'https://madhouse.example'));
    const errors = ['/?error=server_error', '/#sb=&error_code=otp_expired', '/?error_description=x', '/#error'];
    expect(['/#access_token=a', ...errors].filter((address) => !brings(address))).toEqual([]);
    expect(['/', '/#contact', '/case-studies?q=access_token', '/?draft=abc'].filter(brings)).toEqual([]);
  });
});
