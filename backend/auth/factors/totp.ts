import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import { houseTime } from '../../clock.ts';

/** What every authenticator app takes for granted: SHA-1, six digits, thirty seconds. */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 };
const SEED_BYTES = 20;
/** Clocks may differ by one step either way. */
const SKEW_STEPS = 1;

/** A new seed, in base32. */
export const newSeed = (): string => new Secret({ size: SEED_BYTES }).base32;

/** What an app reads from the QR code. */
export const uriOf = (seed: string, { issuer, account }: { issuer: string; account: string }): string =>
  new TOTP({ ...SHAPE, secret: seed, issuer, label: account }).toString();

/** A QR code as bare `<svg>`: without `#` or `%`, as the browser library puts it into an address as it is. */
export const qrCode = (uri: string): string => renderSVG(uri, { ecc: 'M', border: 4, pixelSize: 4 });

/** The number of the thirty seconds a code belongs to, or null when it is wrong or not of now. */
export function stepOf(seed: string, code: string): number | null {
  const totp = new TOTP({ ...SHAPE, secret: seed });
  const now = houseTime();
  const delta = totp.validate({ token: code, timestamp: now, window: SKEW_STEPS });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}
