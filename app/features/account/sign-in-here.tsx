import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { href, useLocation } from 'react-router';
import { ApiError } from '#lib/data/api-error.ts';
import { owesSecondFactor, signInPage } from '#session/after-sign-in.ts';
import { TitledSection } from '#ui/layout/section.tsx';
import { ProveSecondFactor } from './second-factor.tsx';
import { SignInForm, signInWithPassword } from './sign-in-form.ts';

export const needsSignIn = (error: unknown): boolean => error instanceof ApiError && error.code === 'PT403';

type SignInHereProps = { title: string; children: ReactNode; onSignedIn: () => void };

export function SignInHere({ title, children, onSignedIn }: SignInHereProps) {
  const [owes, setOwes] = useState(false);
  const { pathname } = useLocation();
  const signedIn = useEffectEvent(onSignedIn);
  // The admin gate hides this screen while it requests the code; effects run again once it is shown.
  useEffect(() => {
    if (owes) void owesSecondFactor().then((stillOwes) => stillOwes || signedIn());
  }, [owes]);
  return (
    <div className="stack work-aside panel pad-5">
      <TitledSection className="form-stack" titleId="sign-in-here" heading="size-1" title={title}>
        {owes ? (
          <ProveSecondFactor onProven={async () => onSignedIn()} />
        ) : (
          <>
            <p>{children}</p>
            <SignInForm
              submitLabel="Sign In"
              busyLabel="Signing In..."
              save={async (credentials) => {
                await signInWithPassword(credentials);
                if (await owesSecondFactor()) setOwes(true);
                else onSignedIn();
              }}
            />
            <a href={href('/reset-password')}>Forgot your password?</a>
            <a href={signInPage(pathname)}>No password? Sign in another way and come back</a>
          </>
        )}
      </TitledSection>
    </div>
  );
}
