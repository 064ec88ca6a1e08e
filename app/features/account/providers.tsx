import type { ReactNode } from 'react';
import { arrivalFailed } from '#lib/words/accounts.ts';
import { rememberNext } from '#session/after-sign-in.ts';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { useHydrated } from '#ui/form/use-hydrated.ts';
import { LEAVING, useSubmit } from '#ui/form/use-submit.ts';
import { identityMessage } from './model/identity-error.ts';
import type { Provider } from './model/sign-in-methods.ts';
import { ProviderMark } from './providers-mark.tsx';

export function Providers({
  providers,
  next,
  children,
}: {
  providers: Provider[];
  next: string | null;
  children?: ReactNode;
}) {
  const alive = useHydrated();
  const { pressed, failure, run } = useSubmit(arrivalFailed, identityMessage);

  async function leave({ name }: Provider) {
    rememberNext(next);
    const { error } = await clients().auth.signInWithOAuth({
      provider: name as 'google',
      options: { redirectTo: `${location.origin}/` },
    });
    if (error) throw error;
    return LEAVING;
  }

  return (
    <section className="stack gap-3 ways" aria-label="Other ways">
      <p className="ways-or stack gap-4 quiet" aria-hidden="true">
        or
      </p>
      {failure && <Banner kind="error">{failure}</Banner>}
      {providers.map((provider) => (
        <Button
          key={provider.name}
          variant="secondary"
          className="way"
          disabled={!alive}
          busy={pressed === provider.name}
          onClick={() => void run(() => leave(provider), undefined, { name: provider.name })}
        >
          <ProviderMark name={provider.name} />
          Continue with {provider.label}
        </Button>
      ))}
      {children}
    </section>
  );
}
