import { type ReactNode, useEffect, useState } from 'react';
import { arrivalFailed } from '../../copy/accounts.ts';
import { identityMessage } from '../../models/account/identity-error.ts';
import type { Provider } from '../../models/account/sign-in-methods.ts';
import { rememberNext } from '../../session/after-sign-in.ts';
import { clients } from '../../session/browser.ts';
import { Banner } from '../../ui/feedback/banner.tsx';
import { Button } from '../../ui/form/button.tsx';
import { useHydrated } from '../../ui/form/use-hydrated.ts';
import { ProviderMark } from './providers-mark.tsx';

/** Buttons that lead to other companies' logins, and back to the site's root; further ways stand below them as children. */
export function Providers({
  providers,
  next,
  children,
}: {
  providers: Provider[];
  /** Where to go on to after coming back. */
  next: string | null;
  children?: ReactNode;
}) {
  const alive = useHydrated();
  const [leaving, setLeaving] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  // Whoever comes back by history finds the buttons as they were.
  useEffect(() => {
    const back = () => setLeaving(null);
    addEventListener('pageshow', back);
    return () => removeEventListener('pageshow', back);
  }, []);

  async function leave(provider: Provider) {
    setLeaving(provider.name);
    setFailure(null);
    rememberNext(next);
    const { error } = await clients().auth.signInWithOAuth({
      provider: provider.name as 'google',
      options: { redirectTo: `${location.origin}/` },
    });
    if (!error) return;
    setFailure(identityMessage(error, arrivalFailed));
    setLeaving(null);
  }

  return (
    <section className="ways" aria-label="Other ways">
      <p className="ways-or" aria-hidden="true">
        or
      </p>
      {failure && <Banner kind="error">{failure}</Banner>}
      {providers.map((provider) => (
        <Button
          key={provider.name}
          variant="secondary"
          className="way"
          disabled={!alive}
          busy={leaving === provider.name}
          onClick={() => void leave(provider)}
        >
          <ProviderMark name={provider.name} />
          Continue with {provider.label}
        </Button>
      ))}
      {children}
    </section>
  );
}
