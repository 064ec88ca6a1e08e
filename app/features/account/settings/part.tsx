import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { accountMessage } from '../model/own-factors.ts';
import { type AccountOffers, askOffers } from '../model/sign-in-methods.ts';

export function AccountPart({
  title,
  done,
  failure,
  children,
}: {
  title: string;
  done?: string | null | undefined;
  failure?: string | null | undefined;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className="stack account-part anywhere shrink hairline pad-top-5" aria-labelledby={id}>
      <h2 className="size-1" id={id}>
        {title}
      </h2>
      {/* Always rendered: assistive technology only announces changes of a known region. */}
      <div aria-live="polite">{done && <Banner kind="success">{done}</Banner>}</div>
      {failure && <Banner kind="error">{failure}</Banner>}
      {children}
    </section>
  );
}

export const useAccountSubmit = () => useSubmit(messages.anErrorOccurred, accountMessage);

export function checked<Answer extends { error: Error | null }>(answer: Answer): Answer {
  if (answer.error) throw answer.error;
  return answer;
}

/** What the account has, with a form to change it. */
export function AccountFact({
  title,
  fact,
  change = 'Change',
  what,
  done,
  failure,
  form,
  children,
}: {
  title: string;
  fact: string;
  change?: string;
  what: string;
  done: string | null;
  failure?: string | null;
  form: (close: () => void) => ReactNode;
  children?: (isOpen: boolean) => ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    setTimeout(() => button.current?.focus());
  };
  return (
    <AccountPart title={title} done={done} failure={failure}>
      {open ? (
        form(close)
      ) : (
        <div className="gap-4 cluster apart">
          <p className="shrink">{fact}</p>
          <Button ref={button} variant="quiet" onClick={() => setOpen(true)}>
            {change}
            <span className="hidden-text"> {what}</span>
          </Button>
        </div>
      )}
      {children?.(open)}
    </AccountPart>
  );
}

let loadedOffers: Promise<AccountOffers> | undefined;

export function useOffers(): AccountOffers | null {
  const [offers, setOffers] = useState<AccountOffers | null>(null);
  useEffect(() => {
    loadedOffers ??= askOffers(clients());
    void loadedOffers.then(setOffers);
  }, []);
  return offers;
}
