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
    const site = 'https://madhouse.example';
    expect(cleaned(`${site}/sign-in#access_token=a&refresh_token=b&expires_in=3600&token_type=bearer`)).toBe(
      '/sign-in',
    );
    expect(cleaned(`${site}/sign-in?next=%2Fadmin&error=access_denied&error_code=x&error_description=y#error=z`)).toBe(
      '/sign-in?next=%2Fadmin',
    );
    expect(cleaned(`${site}/#services`)).toBe('/#services');
    expect(cleaned(`${site}/case-studies?q=error#top`)).toBe('/case-studies?q=error#top');
  });

  it('is detected among ordinary addresses', () => {
    const brings = (address: string) => hasAuthParams(new URL(address, 'https://madhouse.example'));
    for (const address of [
      '/#access_token=a',
      '/?error=server_error',
      '/#sb=&error_code=otp_expired',
      '/?error_description=x',
    ])
      expect(brings(address), address).toBe(true);
    for (const address of ['/', '/#contact', '/case-studies?q=access_token', '/?draft=abc', '/#error'])
      expect(brings(address), address).toBe(address === '/#error');
  });
});
