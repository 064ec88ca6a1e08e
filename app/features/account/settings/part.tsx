import { type ComponentProps, type ReactNode, useId, useRef, useState } from 'react';
import { messages } from '#lib/words/messages.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { accountMessage } from '../model/own-factors.ts';

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
      {/* Always rendered: assistive technology only announces changes of a known region. */}
      <div aria-live="polite">{done && <Banner kind="success">{done}</Banner>}</div>
      {failure && <Banner kind="error">{failure}</Banner>}
      {children}
    </section>
  );
}

export function useOpener() {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return {
    open,
    show: () => setOpen(true),
    hide: () => {
      setOpen(false);
      setTimeout(() => button.current?.focus());
    },
    button,
  };
}

export const useAccountSubmit = () => useSubmit(messages.anErrorOccurred, accountMessage);

export function checked<Answer extends { error: Error | null }>(answer: Answer): Answer {
  if (answer.error) throw answer.error;
  return answer;
}

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
  onSubmit: ComponentProps<'form'>['onSubmit'];
  onCancel: () => void;
  children: ReactNode;
}) => (
  <form className="form-stack" method="post" onSubmit={onSubmit}>
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
