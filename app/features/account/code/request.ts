import type { VerifyOtpParams } from '@supabase/auth-js';
import { useState } from 'react';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { forgetAdmin } from '#session/current-user.ts';
import { useSubmit } from '#ui/form/use-submit.ts';
import { identityMessage } from '../model/identity-error.ts';

/** @param send returns seconds until the next request, if the server named them @param toIn recipient */
export function useCodeRequest(
  send: (to: string) => Promise<number | null | undefined>,
  toIn: (typed: FormData) => string,
) {
  const { submit, ...form } = useSubmit(messages.anErrorOccurred, identityMessage);
  const [sent, setSent] = useState<{ to: string; wait: number | undefined } | null>(null);
  const ask = submit(async (typed) => {
    const to = toIn(typed);
    return { to, wait: (await send(to)) ?? undefined };
  }, setSent);
  return { ...form, sent, ask, startOver: () => setSent(null) };
}

export async function signInWithCode(code: VerifyOtpParams): Promise<void> {
  const { error } = await clients().auth.verifyOtp(code);
  if (error) throw error;
  forgetAdmin();
}
