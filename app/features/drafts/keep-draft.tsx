import { useEffect } from 'react';
import { href } from 'react-router';
import { draftWords as words } from '#features/reviews/words/review.ts';
import { forget, readRemembered, remember } from '#session/remembered.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button, LinkButton } from '#ui/form/button.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';

export function KeepDraft({ id, claim, onKept }: { id: string; claim: () => Promise<void>; onKept: () => void }) {
  const user = useSignedIn();
  const { busy, failure, run } = useSubmit(words.failed);
  const claimNow = () => run(claim, onKept);
  // The user clicked the button before signing in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each user
  useEffect(() => {
    if (!user || readRemembered('keep') !== id) return;
    forget('keep');
    void claimNow();
  }, [user?.id]);
  if (!user) {
    const next = `?next=${encodeURIComponent(`${href('/drafts/:id', { id })}#keep`)}`;
    return (
      // Reserves its space until the session is known.
      <div className="stack keep-draft" aria-busy={user === undefined}>
        <p>
          With an account you find this draft again without a link. Sign in or sign up in this browser: you come back
          here, and the draft is in your account.
        </p>
        <div className="button-row">
          <LinkButton href={href('/sign-in') + next} onClick={() => remember('keep', id)}>
            Sign in
          </LinkButton>
          <LinkButton variant="secondary" href={href('/sign-up') + next} onClick={() => remember('keep', id)}>
            Sign up
          </LinkButton>
        </div>
      </div>
    );
  }
  return (
    <>
      <p>
        You are signed in as {user.email}. It will be listed under “{words.mine}”, and your links go on working.
      </p>
      {failure && <Banner kind="error">{failure}</Banner>}
      <div className="button-row">
        <Button busy={busy} onClick={() => void claimNow()}>
          {words.keep}
        </Button>
      </div>
    </>
  );
}
