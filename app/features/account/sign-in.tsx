import { type ReactNode, useEffect, useRef, useState } from 'react';
import { href, useSearchParams } from 'react-router';
import { siteContext } from '#context/site-context.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { privatePage } from '#lib/page-headers.ts';
import { accounts, arrivalFailed } from '#lib/words/accounts.ts';
import { consumeNext, owesSecondFactor, placeAfterSignIn, rememberNext, signInPage } from '#session/after-sign-in.ts';
import { arrival, clients, hasArrived } from '#session/browser.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button, LinkButton, SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { useHydrated } from '#ui/form/use-hydrated.ts';
import { NAVIGATING, textIn } from '#ui/form/use-submit.ts';
import { Icon } from '#ui/icon.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import type { Route } from './+types/sign-in';
import { CodeConfirm, type SentCode } from './code/entry.tsx';
import { CodeByMail, CodeByPhone } from './code/sign-in-by-code.tsx';
import { domainOf, resendConfirmation } from './model/account.ts';
import { arrivalMessage, identityMessage, requireSuccess } from './model/identity-error.ts';
import { Providers, WayButton } from './providers.tsx';
import { ProveSecondFactor } from './second-factor.tsx';
import { type Credentials, emailField, SignInForm, signInWithPassword } from './sign-in-form.ts';
import { useIdentitySubmit } from './use-identity-submit.ts';
import './sign-in.css';

export const headers = () => privatePage;
export const meta = privateTags('Sign in', 'Sign in to manage your experiments.');

export const loader = async ({ context }: Route.LoaderArgs) => ({ ways: await context.get(siteContext).signInWays() });
export const shouldRevalidate = () => false;

const WAYS = [
  { name: 'mail', icon: 'mail', label: 'Email me a code', title: 'Sign in by email' },
  { name: 'phone', icon: 'phone', label: 'Text me a code', title: 'Sign in by phone' },
  { name: 'company', icon: 'building', label: 'Company sign-in', title: 'Company sign-in' },
] as const;

const sheetOf = (title: string, content: ReactNode) => <WorkSheet title={title}>{content}</WorkSheet>;

export default function SignIn({ loaderData: { ways } }: Route.ComponentProps) {
  const [address, setAddress] = useSearchParams();
  const [next, setNext] = useState(() => address.get('next'));
  const [step, setStep] = useState<'ways' | 'arriving' | 'factor'>('ways');
  const [notice, setNotice] = useState<string | null>(null);
  const user = useSignedIn();
  const form = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState<SentCode | null>(null);
  const hydrated = useHydrated();

  useEffect(() => {
    if (hasArrived()) setStep('arriving');
    void arrive();
    async function arrive() {
      const arrived = await arrival();
      if (!arrived) return (await owesSecondFactor()) && setStep('factor');
      const target = consumeNext();
      setNext(target);
      // A reload during sign-in continues at the same step.
      history.replaceState(history.state, '', signInPage(target));
      if (!arrived.error) return continueTo(target, () => setStep('factor'));
      setNotice(arrivalMessage(arrived.error));
      setStep('ways');
    }
  }, []);

  useEffect(() => {
    if (user === null) setStep((now) => (now === 'factor' ? 'ways' : now));
  }, [user]);

  const continueHere = () => continueTo(next, () => setStep('factor'));
  async function signIn(credentials: Credentials) {
    setEmail(credentials.email);
    await signInWithPassword(credentials);
    return continueHere();
  }
  function showMethod(way: string | null) {
    if (form.current) setEmail(textIn(new FormData(form.current), 'email'));
    setAddress((known) => {
      if (way) known.set('way', way);
      else known.delete('way');
      return known;
    });
  }

  if (step === 'arriving') return sheetOf('Sign in', <Spinner label="Signing you in..." />);
  if (step === 'factor') return sheetOf('One more step', <ProveSecondFactor onProven={continueHere} />);
  const forms = {
    mail: ways.email && <CodeByMail email={email} next={next} onSignedIn={continueHere} />,
    phone: ways.phone && <CodeByPhone onSignedIn={continueHere} />,
    company: ways.company && <CompanySignIn email={email} next={next} />,
  };
  const available = WAYS.filter(({ name }) => forms[name]);
  const selected = available.find(({ name }) => name === address.get('way'));
  if (selected)
    return (
      <WorkSheet title={selected.title}>
        {forms[selected.name]}
        <div className="work-links">
          <Button variant="quiet" onClick={() => showMethod(null)}>
            Other ways to sign in
          </Button>
        </div>
      </WorkSheet>
    );
  if (sent) return sheetOf('Sign in', <CodeConfirm sent={sent} onSignedIn={continueHere} />);
  return (
    <WorkSheet title="Sign in">
      {user && (
        <Banner kind="info">
          <p>
            You are signed in{user.email && ' as '}
            {user.email && <strong>{user.email}</strong>}. To sign in again, or with another account, continue below.
          </p>
          <p className="button-row gap-above">
            <SmallButton variant="primary" onClick={() => void continueHere()}>
              Continue
            </SmallButton>
            <LinkButton variant="secondary" size="admin" href={href('/sign-out')}>
              Sign out
            </LinkButton>
          </p>
        </Banner>
      )}
      {notice && !ways.email && <Banner kind="error">{notice}</Banner>}
      {ways.email && (
        <SignInForm
          ref={form}
          start={{ email }}
          save={signIn}
          notice={notice}
          hints={(failure) =>
            failure.includes(accounts.emailNotConfirmed) && email && <SendAgain email={email} onSent={setSent} />
          }
          submitLabel="Sign In"
          busyLabel="Signing In..."
        >
          {(field) => (
            <>
              {field('email')}
              {field('password')}
              <a className="forgot tap self-start" href={href('/reset-password')}>
                Forgot your password?
              </a>
            </>
          )}
        </SignInForm>
      )}
      {(available.length > 0 || ways.providers.length > 0) && (
        <Providers providers={ways.providers} next={next}>
          {available.map(({ name, icon, label }) => (
            <WayButton key={name} disabled={!hydrated} onClick={() => showMethod(name)}>
              <Icon name={icon} />
              {label}
            </WayButton>
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
    </WorkSheet>
  );
}

async function continueTo(next: string | null, askForFactor: () => void) {
  if (await owesSecondFactor()) return askForFactor();
  location.replace(await placeAfterSignIn(next));
  return NAVIGATING;
}

const CompanyForm = defineForm({
  fields: {
    email: {
      ...emailField,
      label: 'Work email',
      kind: 'text',
      inputMode: 'email',
      autoCapitalize: 'none',
      spellCheck: false,
      enterKeyHint: 'go',
      hint: 'You enter your password at your company, not here.',
    },
  },
  check: ({ email }) => ({ email: domainOf(email) === null && 'Enter your work email, such as you@company.com' }),
  failed: arrivalFailed,
  inWords: identityMessage,
});

function CompanySignIn({ email, next }: { email: string; next: string | null }) {
  async function redirect(values: { email: string }) {
    rememberNext(next);
    const options = { redirectTo: `${location.origin}/` };
    requireSuccess(await clients().auth.signInWithSSO({ domain: domainOf(values.email)!, options }));
    return NAVIGATING;
  }
  return <CompanyForm start={{ email }} save={redirect} submitLabel="Go to my company" busyLabel="One moment..." />;
}

function SendAgain({ email, onSent }: { email: string; onSent: (sent: SentCode) => void }) {
  const { busy, failure, run } = useIdentitySubmit();
  const resend = async () => ({ to: email, wait: await resendConfirmation(clients().auth, email, location.origin) });
  return (
    <div className="gap-above">
      <SmallButton busy={busy} busyLabel="Sending..." onClick={() => void run(resend, onSent)}>
        Send the confirmation link again
      </SmallButton>
      {failure && <p className="gap-above-small">{failure}</p>}
    </div>
  );
}
