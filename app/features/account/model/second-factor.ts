import type { AuthClient } from '@supabase/auth-js';
import { accounts } from '#lib/words/accounts.ts';
import { waitIn } from './one-time-code.ts';

type Auth = InstanceType<typeof AuthClient>;

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
