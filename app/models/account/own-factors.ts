import type { AuthClient, Factor } from '@supabase/auth-js';
import { accountRefusals } from '../../copy/account-page.ts';
import { identityMessage } from './identity-error.ts';

type Auth = InstanceType<typeof AuthClient>;

/** A second factor that counts. */
export interface OwnFactor {
  id: string;
  kind: 'app' | 'phone';
  name: string;
  /** Digits, of a phone. */
  phone: string | null;
  added: string;
}

/** How many recovery codes are left; `none` when none were made yet, `unknown` to services that do not have them. */
export type RecoveryState = { left: number; of: number } | 'none' | 'unknown';

/** What an authenticator app is called until somebody says otherwise. */
export const APP_NAME = 'Authenticator app';

/** The sentence to show for what was refused on the account page. */
export function accountMessage(thrown: unknown, otherwise: string): string {
  const code = (thrown as { code?: string } | null)?.code;
  return (code !== undefined && accountRefusals[code]) || identityMessage(thrown, otherwise);
}

/** The person's second factors, oldest first. @throws AuthError */
export async function listOwnFactors(auth: Auth): Promise<OwnFactor[]> {
  const { data, error } = await auth.mfa.listFactors();
  if (error) throw error;
  return data.all.filter(({ status }) => status === 'verified').flatMap(ownFactor);
}

function ownFactor(factor: Factor & { phone?: string | null }): OwnFactor[] {
  const { id, factor_type: type, created_at: added } = factor;
  if (type !== 'totp' && type !== 'phone') return [];
  const kind = type === 'totp' ? ('app' as const) : ('phone' as const);
  const fallback = kind === 'app' ? APP_NAME : `+${factor.phone ?? ''}`;
  return [{ id, kind, name: factor.friendly_name || fallback, phone: factor.phone ?? null, added }];
}

/** A name nobody has to think about: `Authenticator app`, `Authenticator app 2` … */
export function freeName(wish: string, factors: readonly OwnFactor[]): string {
  for (let at = 1; ; at++) {
    const name = at === 1 ? wish : `${wish} ${at}`;
    if (!factors.some((factor) => factor.name === name)) return name;
  }
}

/** A seed to scan or to type. */
export interface NewApp {
  id: string;
  /** Address of a picture. */
  qrCode: string;
  secret: string;
  /** What the picture says, for an app on this very device. */
  uri: string;
}

/** Begins an authenticator app; it counts once `proveNewFactor` was given a code of it. @throws AuthError */
export async function beginApp(auth: Auth, name: string, issuer: string): Promise<NewApp> {
  await forgetBegun(auth);
  const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName: name, issuer });
  if (error) throw error;
  return { id: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret, uri: data.totp.uri };
}

/** Begins a phone. @param phone with `+` and country code. @returns the factor's id. @throws AuthError */
export async function beginPhone(auth: Auth, name: string, phone: string): Promise<string> {
  await forgetBegun(auth);
  const { data, error } = await auth.mfa.enroll({ factorType: 'phone', friendlyName: name, phone });
  if (error) throw error;
  return data.id;
}

/** A first code makes a factor count. @param challengeId of a code that was sent. @throws AuthError */
export async function proveNewFactor(auth: Auth, factorId: string, code: string, challengeId?: string): Promise<void> {
  const { error } = challengeId
    ? await auth.mfa.verify({ factorId, challengeId, code })
    : await auth.mfa.challengeAndVerify({ factorId, code });
  if (error) throw error;
}

/** What was begun and left would keep its name and number. */
export async function forgetBegun(auth: Auth): Promise<void> {
  const { data } = await auth.mfa.listFactors();
  const begun = data?.all.filter(({ status }) => status === 'unverified') ?? [];
  for (const { id } of begun) await auth.mfa.unenroll({ factorId: id });
}

/** Removes a factor; the session proves less from now on, and its token says so. @throws AuthError */
export async function removeFactor(auth: Auth, factorId: string): Promise<void> {
  const { error } = await auth.mfa.unenroll({ factorId });
  if (error) throw error;
  await auth.refreshSession();
}

export async function recoveryState(auth: Auth): Promise<RecoveryState> {
  const { data, error } = await auth.mfa.recoveryCodes.getStatus();
  if (data) return data.total > 0 ? { left: data.remaining, of: data.total } : 'none';
  return error.code === 'mfa_factor_not_found' ? 'none' : 'unknown';
}

/** Ten new codes in the place of any others. @returns as they are written down, in groups. @throws AuthError */
export async function makeRecoveryCodes(auth: Auth, replace: boolean): Promise<string[]> {
  const { recoveryCodes } = auth.mfa;
  const { data, error } = await (replace ? recoveryCodes.regenerate() : recoveryCodes.generate());
  if (error) throw error;
  return data.codes.map(grouped);
}

/** In groups of four: `abcdefgh` as `abcd-efgh`. */
export const grouped = (code: string): string => code.replace(/.{4}(?=.)/g, '$&-');
