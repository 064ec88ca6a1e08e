import { type ReactNode, useState } from 'react';
import { href } from 'react-router';
import { owesSecondFactor } from '#session/after-sign-in.ts';
import { TitledSection } from '#ui/layout/section.tsx';
import { ProveSecondFactor } from './second-factor.tsx';
import { SignInForm, signInWithPassword } from './sign-in-form.ts';

export function SignInHere({
  title,
  children,
  onSignedIn,
}: {
  title: string;
  children: ReactNode;
  onSignedIn: () => void;
}) {
  const [owes, setOwes] = useState(false);
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
          </>
        )}
      </TitledSection>
    </div>
  );
}
