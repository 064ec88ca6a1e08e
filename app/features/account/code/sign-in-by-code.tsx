import { useState } from 'react';
import { accounts } from '#lib/words/accounts.ts';
import { HOME } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { nextPath } from '#session/next-path.ts';
import { phoneNumber, sendMailCode, sendPhoneCode } from '../model/account.ts';
import { EmailForm, PhoneForm } from '../sign-in-form.ts';
import { CodeEntry, PhoneCodeEntry, type SentCode, signInWithCode } from './entry.tsx';

type CodeByMailProps = { email: string; next: string | null; onSignedIn: () => Promise<unknown> };

export function CodeByMail({ email, next, onSignedIn }: CodeByMailProps) {
  const [sent, setSent] = useState<SentCode | null>(null);
  const mail = async (to: string) =>
    sendMailCode(clients().auth, to, location.origin + nextPath(next, location.origin, HOME));

  if (!sent)
    return (
      <EmailForm
        start={{ email }}
        more={{ email: { autoFocus: true, hint: 'We email you a code that signs you in. No password needed.' } }}
        save={async ({ email: to }) => ({ to, wait: await mail(to) })}
        onSaved={setSent}
        submitLabel="Email me a code"
        busyLabel="Sending..."
      />
    );
  const signIn = (token: string) => signInWithCode({ email: sent.to, token, type: 'email' }, onSignedIn);
  return (
    <CodeEntry submitLabel="Sign In" wait={sent.wait} onCode={signIn} onResend={() => mail(sent.to)}>
      <p>
        If <strong>{sent.to}</strong> has an account here, an email with a code is on its way. It works for ten minutes.
      </p>
    </CodeEntry>
  );
}

export function CodeByPhone({ onSignedIn }: { onSignedIn: () => Promise<unknown> }) {
  const [sent, setSent] = useState<SentCode | null>(null);
  const send = async (to: string) => ({ to, wait: await sendPhoneCode(clients().auth, to) });

  if (!sent)
    return (
      <PhoneForm
        more={{ phone: { autoFocus: true, hint: accounts.phoneFormat } }}
        save={({ phone }) => send(phoneNumber(phone)!)}
        onSaved={setSent}
        submitLabel="Text me a code"
        busyLabel="Sending..."
      />
    );
  const signIn = (token: string) => signInWithCode({ phone: sent.to, token, type: 'sms' }, onSignedIn);
  const resend = () => sendPhoneCode(clients().auth, sent.to);
  return <PhoneCodeEntry submitLabel="Continue" {...sent} onCode={signIn} onResend={resend} />;
}
