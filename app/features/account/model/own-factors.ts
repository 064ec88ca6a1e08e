import type { AuthClient, AuthError, Factor } from '@supabase/auth-js';
import { accounts } from '#lib/words/accounts.ts';
import { waitIn } from './account.ts';
import { requireSuccess } from './identity-error.ts';

type Auth = InstanceType<typeof AuthClient>;

export type OwnFactor = { id: string; kind: 'app' | 'phone'; name: string; phone: string | null; added: string };

/** `none` when no recovery codes were created yet, `unknown` when the service does not support them. */
export type RecoveryState = { left: number; of: number } | 'none' | 'unknown';

export const APP_NAME = 'Authenticator app';

export async function listOwnFactors(auth: Auth): Promise<OwnFactor[]> {
  const { all } = requireSuccess(await auth.mfa.listFactors()).data;
  return all.filter(({ status }) => status === 'verified').flatMap(ownFactor);
}

function ownFactor(factor: Factor & { phone?: string | null }): OwnFactor[] {
  const { id, factor_type: type, created_at: added } = factor;
  if (type !== 'totp' && type !== 'phone') return [];
  const kind = type === 'totp' ? ('app' as const) : ('phone' as const);
  const fallback = kind === 'app' ? APP_NAME : `+${factor.phone ?? ''}`;
  return [{ id, kind, name: factor.friendly_name || fallback, phone: factor.phone ?? null, added }];
}

export function unusedName(wish: string, factors: readonly OwnFactor[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wish : `${wish} ${number}`;
    if (!factors.some((factor) => factor.name === name)) return name;
  }
}

export type NewApp = Awaited<ReturnType<typeof beginApp>>;

/** Enrolls an authenticator app, which is active after `proveFactor`. @throws AuthError */
export async function beginApp(auth: Auth, name: string, issuer: string) {
  await forgetBegun(auth);
  const { id, totp } = requireSuccess(await auth.mfa.enroll({ factorType: 'totp', friendlyName: name, issuer })).data;
  return { id, qrCode: totp.qr_code, secret: totp.secret, uri: totp.uri };
}

/** Enrolls a phone. @param phone with `+` and country code. @returns the factor's id. @throws AuthError */
export async function beginPhone(auth: Auth, name: string, phone: string): Promise<string> {
  await forgetBegun(auth);
  return requireSuccess(await auth.mfa.enroll({ factorType: 'phone', friendlyName: name, phone })).data.id;
}

/** Removes abandoned enrollments, which would keep their name and number reserved. */
export async function forgetBegun(auth: Auth): Promise<void> {
  const { data } = await auth.mfa.listFactors();
  const unverified = data?.all.filter(({ status }) => status === 'unverified') ?? [];
  for (const { id } of unverified) await auth.mfa.unenroll({ factorId: id });
}

export async function removeFactor(auth: Auth, factorId: string): Promise<void> {
  requireSuccess(await auth.mfa.unenroll({ factorId }));
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
  const { data } = requireSuccess(await (replace ? recoveryCodes.regenerate() : recoveryCodes.generate()));
  return data.codes.map(grouped);
}

export const grouped = (code: string): string => code.replace(/.{4}(?=.)/g, '$&-');

export type SecondFactor = OwnFactor | { kind: 'recovery'; id: 'recovery' };
type ProvenFactor = Pick<SecondFactor, 'id' | 'kind'>;

/** The verified second factors of the signed-in account, the quickest first; recovery codes last, if any are left. */
export async function secondFactors(auth: Auth): Promise<SecondFactor[]> {
  const factors = (await listOwnFactors(auth)).toSorted((a, b) => a.kind.localeCompare(b.kind));
  const codes = factors.length > 0 ? await recoveryState(auth) : 'none';
  const hasCodes = typeof codes === 'object' && codes.left > 0;
  return [...factors, ...(hasCodes ? [{ kind: 'recovery' as const, id: 'recovery' as const }] : [])];
}

const SHORT_WAIT = 10;
const WRONG_RECOVERY_CODE = 'This recovery code is wrong or already used. Each code works once.';

/** Sends a code to a phone factor, waiting out a short rate limit. @returns the id of the challenge */
export async function sendFactorCode(auth: Auth, factorId: string): Promise<string> {
  const send = () => auth.mfa.challenge({ factorId, channel: 'sms' });
  const answer = await send();
  const wait = answer.error && waitIn(answer.error.message);
  if (!wait || wait > SHORT_WAIT) return requireSuccess(answer).data.id;
  await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  return requireSuccess(await send()).data.id;
}

/** @param challengeId of a phone factor, from `sendFactorCode`. @throws AuthError, or an Error with a readable text */
export async function proveFactor(auth: Auth, factor: ProvenFactor, code: string, challengeId?: string): Promise<void> {
  const { id: factorId, kind } = factor;
  try {
    if (kind === 'recovery') requireSuccess(await auth.mfa.recoveryCodes.verify({ code }));
    else if (challengeId) requireSuccess(await auth.mfa.verify({ factorId, challengeId, code }));
    else requireSuccess(await auth.mfa.challengeAndVerify({ factorId, code }));
  } catch (error) {
    if ((error as AuthError).code !== 'mfa_verification_failed' || kind === 'app') throw error;
    throw new Error(kind === 'phone' ? accounts.wrongCode : WRONG_RECOVERY_CODE);
  }
}
