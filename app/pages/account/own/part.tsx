import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { messages } from '../../../copy/messages.ts';
import { accountMessage } from '../../../models/account/own-factors.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';

/** One part of the account page, and what has just been done in it. */
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
    <section className="account-part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {/* Always there: assistive technology announces changes of what it already knows. */}
      <div aria-live="polite">{done && <Banner kind="success">{done}</Banner>}</div>
      {failure && <Banner kind="error">{failure}</Banner>}
      {children}
    </section>
  );
}

/** A form that a button opens. Closing it gives the focus back to the button. */
export function useOpener() {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLDivElement>(null);
  return {
    open,
    show: () => setOpen(true),
    hide: () => {
      setOpen(false);
      setTimeout(() => button.current?.querySelector('button')?.focus());
    },
    /** Of the element around the button. */
    button,
  };
}

/** What a part of the page does when asked to: busy meanwhile, then done or refused. */
export function useAct() {
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  return {
    busy,
    done,
    failure,
    say: setDone,
    /** @returns whether it went well; `said` is announced then */
    async act(work: () => Promise<unknown>, said: string | null = null): Promise<boolean> {
      if (busy) return false;
      setBusy(true);
      setDone(null);
      setFailure(null);
      try {
        await work();
        setDone(said);
        return true;
      } catch (error) {
        setFailure(accountMessage(error, messages.anErrorOccurred));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

/** Throws what an official client answers with. */
export function checked<Answer extends { error: Error | null }>(answer: Answer): Answer {
  if (answer.error) throw answer.error;
  return answer;
}

/** A short form with its two buttons. */
export const PartForm = ({
  submitLabel,
  busyLabel = 'Saving...',
  busy,
  onSubmit,
  onCancel,
  children,
}: {
  submitLabel: string;
  busyLabel?: string;
  busy: boolean;
  onSubmit: (typed: FormData) => void;
  onCancel: () => void;
  children: ReactNode;
}) => (
  <form
    className="form-stack"
    method="post"
    onSubmit={(event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      onSubmit(new FormData(event.currentTarget));
    }}
  >
    {children}
    <div className="button-row">
      <SubmitButton busy={busy} busyLabel={busyLabel}>
        {submitLabel}
      </SubmitButton>
      <Button variant="secondary" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  </form>
);
