import type { ComponentProps, ReactNode } from 'react';
import { lazily } from '#ui/lazily.tsx';
import { Basics, Content, Credits, SendRow } from './form-sections.tsx';
import { MediaSection } from './media-section.tsx';
import { TEXTS } from './model/submission.ts';
import { Notices } from './notices.tsx';
import { useFormFocus } from './use-form-focus.ts';
import type { useSubmission } from './use-submission.ts';

const ToImprove = lazily(() => import('./to-improve.tsx').then((module) => module.ToImprove));

interface SubmissionFormProps
  extends Pick<ComponentProps<'form'>, 'className' | 'inert' | 'aria-label' | 'aria-labelledby'> {
  form: ReturnType<typeof useSubmission>;
  send: { label: string; busyLabel: string };
  side?: ReactNode;
  children: ReactNode;
}

export function SubmissionForm({ form, send, side, children, ...attributes }: SubmissionFormProps) {
  const { state, actions, element } = form;
  const focus = useFormFocus(element);
  const { submission } = state;
  return (
    <>
      <Notices state={state} actions={actions} onGoTo={focus.goToFailure} />
      <form
        {...attributes}
        ref={element}
        noValidate
        // The device's copy is authoritative; autofill would restore fields of a sent form.
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          void actions?.submit();
        }}
      >
        <div className="stack gap-7">
          <Basics state={state} actions={actions} />
          <MediaSection state={state} actions={actions} />
          <Content state={state} actions={actions} place={focus.place} />
          <Credits state={state} actions={actions} />
          {children}
          {(submission.media.length > 0 || TEXTS.some((text) => submission[text] !== '')) && (
            <ToImprove submission={submission} focus={focus} />
          )}
          <SendRow state={state} actions={actions} {...send} />
        </div>
        {side}
      </form>
    </>
  );
}
