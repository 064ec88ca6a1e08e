import { describe, expect, it } from 'vitest';
import { readOffers } from './offers.ts';

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
