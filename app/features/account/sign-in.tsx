import { type RefObject, useEffect, useRef, useState } from 'react';
import { href, useSearchParams } from 'react-router';
import { siteContext } from '#context/site-context.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { accounts, arrivalFailed } from '#lib/words/accounts.ts';
import { owesSecondFactor, placeAfterSignIn, rememberNext, signInPage, takeNext } from '#session/after-sign-in.ts';
import { arrival, clients, hasArrived } from '#session/browser.ts';
import { privatePage } from '#session/private-page.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { LEAVING, textIn, useSubmit, WrongFields } from '#ui/form/use-submit.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';
import type { Route } from './+types/sign-in';
import { CodeByMail } from './code/by-mail.tsx';
import { CodeByPhone } from './code/by-phone.tsx';
import { domainOf, resendConfirmation } from './model/account.ts';
import { arrivalMessage, identityMessage } from './model/identity-error.ts';
import { ProveSecondFactor } from './second-factor.tsx';
import './sign-in.css';
import { messages } from '#lib/words/messages.ts';
import { forgetAdmin } from '#session/current-user.ts';
import { type Credentials, CredentialsForm } from '#ui/form/credentials-form.tsx';
import { useHydrated } from '#ui/form/use-hydrated.ts';
import { Icon, type IconName } from '#ui/icon.tsx';
import { CodeConfirm } from './code/entry.tsx';
import type { SignInMethods } from './model/sign-in-methods.ts';
import { Providers } from './providers.tsx';

export const headers = () => privatePage;
export const meta = (page: Route.MetaArgs) =>
  pageTags(page, { title: 'Sign in', description: 'Sign in to look after your experiments.', noindex: true });

export const loader = async ({ context }: Route.LoaderArgs) => ({ ways: await context.get(siteContext).signInWays() });
export const shouldRevalidate = () => false;

export default function SignIn({ loaderData: { ways } }: Route.ComponentProps) {
  const [address, setAddress] = useSearchParams();
  const [next, setNext] = useState(() => address.get('next'));
  const [step, setStep] = useState<'ways' | 'arriving' | 'factor'>('ways');
  const [notice, setNotice] = useState<string | null>(null);
  const user = useSignedIn();
  const typed = useRef(new FormData());

  useEffect(() => {
    if (hasArrived()) setStep('arriving');
    void arrive();
    async function arrive() {
      const brought = await arrival();
      if (!brought) return (await owesSecondFactor()) && setStep('factor');
      const wanted = takeNext();
      setNext(wanted);
      // A reload during sign-in continues at the same step.
      history.replaceState(history.state, '', signInPage(wanted));
      if (!brought.error) return goOn(wanted, () => setStep('factor'));
      setNotice(arrivalMessage(brought.error));
      setStep('ways');
    }
  }, []);

  useEffect(() => {
    if (user === null) setStep((now) => (now === 'factor' ? 'ways' : now));
  }, [user]);

  const goOnHere = () => goOn(next, () => setStep('factor'));
  const turnTo = (way: string | null) =>
    setAddress((known) => {
      if (way) known.set('way', way);
      else known.delete('way');
      return known;
    });

  if (step === 'arriving') {
    return (
      <WorkSheet title="Sign in">
        <Spinner label="Signing you in..." />
      </WorkSheet>
    );
  }
  if (step === 'factor') {
    return (
      <WorkSheet title="One more step">
        <ProveSecondFactor onProven={goOnHere} />
      </WorkSheet>
    );
  }
  const way = address.get('way');
  const back = (
    <div className="work-links">
      <Button variant="quiet" onClick={() => turnTo(null)}>
        Other ways to sign in
      </Button>
    </div>
  );
  if (way === 'mail' && ways.email) {
    return (
      <WorkSheet title="Sign in by mail">
        <CodeByMail email={textIn(typed.current, 'email')} next={next} onSignedIn={goOnHere} />
        {back}
      </WorkSheet>
    );
  }
  if (way === 'phone' && ways.phone) {
    return (
      <WorkSheet title="Sign in by phone">
        <CodeByPhone onSignedIn={goOnHere} />
        {back}
      </WorkSheet>
    );
  }
  if (way === 'company' && ways.company) {
    return (
      <WorkSheet title="Company sign-in">
        <CompanySignIn email={textIn(typed.current, 'email')} next={next} />
        {back}
      </WorkSheet>
    );
  }
  return (
    <WorkSheet title="Sign in">
      {user && <SignedIn email={user.email} onGoOn={goOnHere} />}
      <PasswordSignIn ways={ways} notice={notice} next={next} typed={typed} onTurn={turnTo} onSignedIn={goOnHere} />
    </WorkSheet>
  );
}

async function goOn(next: string | null, askForFactor: () => void) {
  if (await owesSecondFactor()) return askForFactor();
  location.replace(await placeAfterSignIn(next));
  return LEAVING;
}

const SignedIn = ({ email, onGoOn }: { email: string; onGoOn: () => Promise<unknown> }) => (
  <Banner kind="info">
    <p>
      You are signed in{email && ' as '}
      {email && <strong>{email}</strong>}. To use another account, sign in below.
    </p>
    <p className="button-row gap-above">
      <Button size="admin" onClick={() => void onGoOn()}>
        Go on
      </Button>
      <a className="button button-secondary button-admin" href={href('/sign-out')}>
        Sign out
      </a>
    </p>
  </Banner>
);

const CompanyForm = defineForm({
  fields: {
    email: {
      label: 'Work email',
      inputMode: 'email',
      autoComplete: 'username',
      autoCapitalize: 'none',
      spellCheck: false,
      enterKeyHint: 'go',
      hint: 'Your company asks for your password, not we.',
      required: true,
    },
  },
  failed: arrivalFailed,
  inWords: identityMessage,
});

function CompanySignIn({ email, next }: { email: string; next: string | null }) {
  async function leave(values: { email: string }) {
    const domain = domainOf(values.email);
    if (domain === null) throw new WrongFields({ email: accounts.addressFormat });
    rememberNext(next);
    const { error } = await clients().auth.signInWithSSO({ domain, options: { redirectTo: `${location.origin}/` } });
    if (error) throw error;
    return LEAVING;
  }
  return <CompanyForm start={{ email }} save={leave} submitLabel="Go to my company" busyLabel="One moment..." />;
}

function PasswordSignIn({
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
