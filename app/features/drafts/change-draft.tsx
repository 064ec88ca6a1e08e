import { useEffect, useRef } from 'react';
import type { Project } from '#features/projects/model/read.ts';
import { draftWords as words } from '#features/reviews/words/review.ts';
import { Basics, Content, Credits, SendRow } from '#features/submissions/form-sections.tsx';
import { Improvements } from '#features/submissions/improvements.tsx';
import { MediaSection } from '#features/submissions/media-section.tsx';
import { isThere } from '#features/submissions/model/submission.ts';
import { Notices } from '#features/submissions/notices.tsx';
import { useFormFocus } from '#features/submissions/use-form-focus.ts';
import { useSubmission } from '#features/submissions/use-submission.ts';
import { isLost } from '#lib/data/api-error.ts';
import { LONGEST_MESSAGE } from '#lib/data/limits.ts';
import { Field } from '#ui/form/field.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { type DraftActions, editable } from './model/draft-actions.ts';

export function ChangeDraft({
  experiment,
  desk,
  onSent,
}: {
  experiment: Project;
  desk: DraftActions;
  onSent: (missing: number) => void;
}) {
  const unanswered = useRef(false);
  const { state, actions, element } = useSubmission({
    submission: editable(experiment),
    name: `madhouse-draft-${experiment.id}`,
    async send({ contact: _, ...draft }) {
      await desk.sendBack(draft, String(new FormData(element.current!).get('said'))).catch(async (error: unknown) => {
        // An earlier attempt may have succeeded although its response was lost.
        if (!(unanswered.current && (await desk.find())?.state?.state === 'changed')) {
          unanswered.current = isLost(error);
          throw error;
        }
      });
      const stored = draft.media.filter(isThere).length;
      return {
        id: experiment.id,
        asGuest: false,
        media: { stored, of: draft.media.length },
        textsStored: true,
        unfinished: false,
        closed: false,
        lost: false,
      };
    },
  });
  const focus = useFormFocus(element);
  const media = state.phase === 'submitted' ? state.outcome?.media : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reported once, whatever the callback
  useEffect(() => {
    if (media) onSent(media.of - media.stored);
  }, [media]);
  return (
    <section aria-labelledby="change-title" ref={keepFocus}>
      <h2 id="change-title">{words.edit}</h2>
      <Notices state={state} actions={actions} onGoTo={focus.goToFailure} />
      <form
        className="draft-form stack gap-7"
        ref={element}
        noValidate
        autoComplete="off"
        aria-labelledby="change-title"
        onSubmit={(event) => {
          event.preventDefault();
          void actions?.submit();
        }}
      >
        <Basics state={state} actions={actions} />
        <MediaSection state={state} actions={actions} />
        <Content state={state} actions={actions} place={focus.place} />
        <Credits state={state} actions={actions} />
        <Field label="What did you change? (optional)" hint="A word to the people who review it.">
          {(aria) => <textarea {...aria} className="field-input" rows={3} maxLength={LONGEST_MESSAGE} name="said" />}
        </Field>
        <Improvements submission={state.submission} focus={focus} />
        <SendRow state={state} actions={actions} label={words.sendBack} busyLabel={words.sendingBack} />
      </form>
    </section>
  );
}
