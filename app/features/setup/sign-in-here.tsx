import { type ReactNode, useState } from 'react';
import { href } from 'react-router';
import { identityMessage } from '#features/account/model/identity-error.ts';
import { ProveSecondFactor } from '#features/account/second-factor.tsx';
import { accounts } from '#lib/words/accounts.ts';
import { owesSecondFactor } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { forgetAdmin } from '#session/current-user.ts';
import { type Credentials, CredentialsForm } from '#ui/form/credentials-form.tsx';

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
      <section className="form-stack" aria-labelledby="sign-in-here">
        <h2 className="size-1" id="sign-in-here">
          {title}
        </h2>
        {owes ? (
          <ProveSecondFactor onProven={async () => onSignedIn()} />
        ) : (
          <>
            <p>{children}</p>
            <CredentialsForm
              submitLabel="Sign In"
              busyLabel="Signing In..."
              failed={accounts.failedToLogIn}
              wordsOf={identityMessage}
              onSubmit={async (credentials) => {
                await signIn(credentials);
                if (await owesSecondFactor()) setOwes(true);
                else onSignedIn();
              }}
            />
            <a href={href('/reset-password')}>Forgot your password?</a>
          </>
        )}
      </section>
    </div>
  );
}

async function signIn({ email, password }: Credentials) {
  forgetAdmin();
  const { error } = await clients().auth.signInWithPassword({ email, password });
  if (error) throw error;
}
