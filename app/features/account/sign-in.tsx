import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { siteContext } from '#context/site-context.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { owesSecondFactor, placeAfterSignIn, signInPage, takeNext } from '#session/after-sign-in.ts';
import { arrival, hasArrived } from '#session/browser.ts';
import { privatePage } from '#session/private-page.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { Button } from '#ui/form/button.tsx';
import { LEAVING, textIn } from '#ui/form/use-submit.ts';
import { WorkSheet } from '#ui/work-sheet.tsx';
import type { Route } from './+types/sign-in';
import { CodeByMail } from './code/by-mail.tsx';
import { CodeByPhone } from './code/by-phone.tsx';
import { arrivalMessage } from './model/identity-error.ts';
import { CompanySignIn } from './providers-company.tsx';
import { ProveSecondFactor } from './second-factor.tsx';
import './sign-in.css';
import { SignedIn } from './sign-in-already.tsx';
import { PasswordSignIn } from './sign-in-password.tsx';

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
