import { type RefObject, useState } from 'react';
import { href } from 'react-router';
import { accounts } from '#lib/words/accounts.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { forgetAdmin } from '#session/current-user.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { type Credentials, CredentialsForm } from '#ui/form/credentials-form.tsx';
import { useHydrated } from '#ui/form/use-hydrated.ts';
import { useSubmit } from '#ui/form/use-submit.ts';
import { Icon, type IconName } from '#ui/icon.tsx';
import { CodeConfirm } from './code/confirm.tsx';
import { resendConfirmation } from './model/account.ts';
import { identityMessage } from './model/identity-error.ts';
import type { SignInMethods } from './model/sign-in-methods.ts';
import { Providers } from './providers.tsx';

export function PasswordSignIn({
  ways,
  notice,
  next,
  typed,
  onTurn,
  onSignedIn,
}: {
  ways: SignInMethods;
  notice: string | null;
  next: string | null;
  typed: RefObject<FormData>;
  onTurn: (way: string) => void;
  onSignedIn: () => Promise<unknown>;
}) {
  const alive = useHydrated();
  const [unconfirmed, setUnconfirmed] = useState<{ email: string; wait: number | undefined } | null>(null);

  async function signIn({ email, password }: Credentials) {
    forgetAdmin();
    const { error } = await clients().auth.signInWithPassword({ email, password });
    if (error) throw error;
    return onSignedIn();
  }

  if (unconfirmed) return <CodeConfirm {...unconfirmed} onSignedIn={onSignedIn} />;
  const others = (
    [
      ['mail', ways.email, 'mail', 'Email me a code'],
      ['phone', ways.phone, 'phone', 'Text me a code'],
      ['company', ways.company, 'building', 'Company sign-in'],
    ] satisfies [string, boolean, IconName, string][]
  ).filter(([, offered]) => offered);
  return (
    <>
      {notice && !ways.email && <Banner kind="error">{notice}</Banner>}
      {ways.email && (
        <CredentialsForm
          submitLabel="Sign In"
          busyLabel="Signing In..."
          failed={accounts.failedToLogIn}
          notice={notice}
          kept={typed}
          wordsOf={identityMessage}
          hints={(message, email) =>
            message.includes(accounts.emailNotConfirmed) &&
            email && <SendAgain email={email} onSent={(wait) => setUnconfirmed({ email, wait })} />
          }
          onSubmit={signIn}
        >
          <a className="forgot tap self-start" href={href('/reset-password')}>
            Forgot your password?
          </a>
        </CredentialsForm>
      )}
      {(others.length > 0 || ways.providers.length > 0) && (
        <Providers providers={ways.providers} next={next}>
          {others.map(([way, , icon, label]) => (
            <Button key={way} variant="secondary" className="way" disabled={!alive} onClick={() => onTurn(way)}>
              <Icon name={icon} />
              {label}
            </Button>
          ))}
        </Providers>
      )}
      {ways.signUp && (
        <p className="work-links">
          <a href={next === null ? href('/sign-up') : `${href('/sign-up')}?${new URLSearchParams({ next })}`}>
            Create an account
          </a>
        </p>
      )}
    </>
  );
}

function SendAgain({ email, onSent }: { email: string; onSent: (wait: number | undefined) => void }) {
  const { busy, failure, run } = useSubmit(messages.anErrorOccurred, identityMessage);
  const send = () =>
    run(
      () => resendConfirmation(clients().auth, email, location.origin),
      (wait) => onSent(wait ?? undefined),
    );
  return (
    <div className="gap-above">
      <Button variant="secondary" size="admin" busy={busy} busyLabel="Sending..." onClick={() => void send()}>
        Send the confirmation link again
      </Button>
      {failure && <p className="gap-above-small">{failure}</p>}
    </div>
  );
}
