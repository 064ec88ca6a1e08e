import type { AuthClient, Factor } from '@supabase/auth-js';
import { accounts } from '#lib/words/accounts.ts';
import { accountRefusals } from '../words.ts';
import { waitIn } from './account.ts';
import { identityMessage } from './identity-error.ts';

type Auth = InstanceType<typeof AuthClient>;

export interface OwnFactor {
  id: string;
  kind: 'app' | 'phone';
  name: string;
  phone: string | null;
  added: string;
}

/** `none` when no recovery codes were created yet, `unknown` when the service does not support them. */
export type RecoveryState = { left: number; of: number } | 'none' | 'unknown';

export const APP_NAME = 'Authenticator app';

export function accountMessage(thrown: unknown, otherwise: string): string {
  const code = (thrown as { code?: string } | null)?.code;
  return (code !== undefined && accountRefusals[code]) || identityMessage(thrown, otherwise);
}

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

export function freeName(wish: string, factors: readonly OwnFactor[]): string {
  for (let at = 1; ; at++) {
    const name = at === 1 ? wish : `${wish} ${at}`;
    if (!factors.some((factor) => factor.name === name)) return name;
  }
}

export interface NewApp {
  id: string;
  qrCode: string;
  secret: string;
  uri: string;
}

/** Enrolls an authenticator app; it counts once `proveNewFactor` has verified a code. @throws AuthError */
export async function beginApp(auth: Auth, name: string, issuer: string): Promise<NewApp> {
  await forgetBegun(auth);
  const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName: name, issuer });
  if (error) throw error;
  return { id: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret, uri: data.totp.uri };
}

/** Enrolls a phone. @param phone with `+` and country code. @returns the factor's id. @throws AuthError */
export async function beginPhone(auth: Auth, name: string, phone: string): Promise<string> {
  await forgetBegun(auth);
  const { data, error } = await auth.mfa.enroll({ factorType: 'phone', friendlyName: name, phone });
  if (error) throw error;
  return data.id;
}

/** Verifies the first code of a factor. @param challengeId of a code that was sent. @throws AuthError */
export async function proveNewFactor(auth: Auth, factorId: string, code: string, challengeId?: string): Promise<void> {
  const { error } = challengeId
    ? await auth.mfa.verify({ factorId, challengeId, code })
    : await auth.mfa.challengeAndVerify({ factorId, code });
  if (error) throw error;
}

/** An abandoned enrollment would keep its name and number reserved. */
export async function forgetBegun(auth: Auth): Promise<void> {
  const { data } = await auth.mfa.listFactors();
  const begun = data?.all.filter(({ status }) => status === 'unverified') ?? [];
  for (const { id } of begun) await auth.mfa.unenroll({ factorId: id });
}

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

/** Creates ten new recovery codes, replacing any others. @returns the codes in groups of four. @throws AuthError */
export async function makeRecoveryCodes(auth: Auth, replace: boolean): Promise<string[]> {
  const { recoveryCodes } = auth.mfa;
  const { data, error } = await (replace ? recoveryCodes.regenerate() : recoveryCodes.generate());
  if (error) throw error;
  return data.codes.map(grouped);
}

export const grouped = (code: string): string => code.replace(/.{4}(?=.)/g, '$&-');

export type SecondFactor =
  | { kind: 'totp'; id: string; name: string }
  | { kind: 'phone'; id: string; name: string }
  | { kind: 'recovery' };

/** The verified second factors of the signed-in account, the quickest first; recovery codes last, if any are left. */
export async function secondFactors(auth: Auth): Promise<SecondFactor[]> {
  const { data, error } = await auth.mfa.listFactors();
  if (error) throw error;
  const apps = data.totp.map(({ id, friendly_name }) => ({ kind: 'totp' as const, id, name: friendly_name ?? '' }));
  const phones = data.phone.map(({ id, friendly_name }) => ({ kind: 'phone' as const, id, name: friendly_name ?? '' }));
  const codes = apps.length + phones.length > 0 ? await recoveryCodesLeft(auth) : 0;
  return [...apps, ...phones, ...(codes > 0 ? [{ kind: 'recovery' as const }] : [])];
}

/** Services without recovery codes answer 404. */
async function recoveryCodesLeft(auth: Auth): Promise<number> {
  const { data, error } = await auth.mfa.recoveryCodes.getStatus();
  return error ? 0 : data.remaining;
}

const SHORT_WAIT = 10;

/** Sends a code to a phone factor, waiting out a short rate limit. @returns the id of the challenge */
export async function sendFactorCode(auth: Auth, factorId: string): Promise<string> {
  const send = () => auth.mfa.challenge({ factorId, channel: 'sms' });
  let { data, error } = await send();
  const wait = error && waitIn(error.message);
  if (wait && wait <= SHORT_WAIT) {
    await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    ({ data, error } = await send());
  }
  if (!data) throw error;
  return data.id;
}

/**
 * @param challengeId of a phone factor, from `sendFactorCode`. @throws AuthError, or an Error with a readable message
 */
export async function proveFactor(auth: Auth, factor: SecondFactor, code: string, challengeId?: string): Promise<void> {
  if (factor.kind === 'recovery') {
    const { error } = await auth.mfa.recoveryCodes.verify({ code });
    if (error?.code === 'mfa_verification_failed') throw new Error(accounts.wrongRecoveryCode);
    if (error) throw error;
    return;
  }
  const { error } = challengeId
    ? await auth.mfa.verify({ factorId: factor.id, challengeId, code })
    : await auth.mfa.challengeAndVerify({ factorId: factor.id, code });
  if (error?.code === 'mfa_verification_failed' && factor.kind === 'phone') throw new Error(accounts.wrongCode);
  if (error) throw error;
}
