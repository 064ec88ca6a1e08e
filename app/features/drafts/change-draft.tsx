import { useEffect, useRef, useState } from 'react';
import type { Project } from '#features/projects/model/read.ts';
import type { TextPlace } from '#features/reviews/model/content-checks.ts';
import { draftWords as words } from '#features/reviews/words/review.ts';
import { useSubmissionForm } from '#features/submissions/form/use-submission-form.ts';
import { Improvements } from '#features/submissions/improvements/improvements.tsx';
import { isThere } from '#features/submissions/model/submission.ts';
import { Notices } from '#features/submissions/notices.tsx';
import { savedLine } from '#features/submissions/save-line.tsx';
import { Basics } from '#features/submissions/sections/basics.tsx';
import { Content } from '#features/submissions/sections/content.tsx';
import { Credits } from '#features/submissions/sections/credits.tsx';
import { SubmittedMedia } from '#features/submissions/sections/media.tsx';
import { isLost } from '#lib/data/api-error.ts';
import { LONGEST_MESSAGE } from '#lib/data/limits.ts';
import { Button } from '#ui/form/button.tsx';
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
  const [place, setPlace] = useState<TextPlace | null>(null);
  const unanswered = useRef(false);
  const { state, form, alive, element } = useSubmissionForm({
    stored: { submission: editable(experiment), name: `madhouse-draft-${experiment.id}` },
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
  const media = state.phase === 'submitted' ? state.outcome?.media : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reported once, whatever the callback
  useEffect(() => {
    if (media) onSent(media.of - media.stored);
  }, [media]);
  return (
    <section aria-labelledby="change-title" ref={keepFocus}>
      <h2 id="change-title">{words.edit}</h2>
      <Notices state={state} form={form} />
      <form
        className="draft-form submit-sheets"
        ref={element}
        noValidate
        autoComplete="off"
        aria-labelledby="change-title"
        onSubmit={(event) => {
          event.preventDefault();
          void form?.sending.submit();
        }}
      >
        <Basics state={state} form={form} />
        <SubmittedMedia state={state} form={form} />
        <Content state={state} form={form} place={place} />
        <Credits state={state} form={form} />
        <Field label="What did you change? (optional)" hint="A word to the people who review it.">
          {(aria) => <textarea {...aria} className="field-input" rows={3} maxLength={LONGEST_MESSAGE} name="said" />}
        </Field>
        <Improvements submission={state.submission} onText={setPlace} />
        <div className="cluster submit-send">
          <Button type="submit" disabled={!alive} busy={state.phase === 'submitting'} busyLabel={words.sendingBack}>
            {words.sendBack}
          </Button>
          <p role="status">{savedLine(state)}</p>
        </div>
      </form>
    </section>
  );
}
