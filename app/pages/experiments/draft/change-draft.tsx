import { useEffect, useRef, useState } from 'react';
import { draftWords as words } from '../../../copy/admin/review.ts';
import { isLost } from '../../../models/data/api-error.ts';
import { LONGEST_MESSAGE } from '../../../models/data/limits.ts';
import type { Project } from '../../../models/project/read.ts';
import type { TextPlace } from '../../../models/review/content-checks.ts';
import { type DraftActions, editable } from '../../../models/submission/draft-actions.ts';
import { isThere } from '../../../models/submission/submission.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { keepFocus } from '../../../ui/form/keep-focus.ts';
import { Basics } from '../../submit/basics.tsx';
import { Content } from '../../submit/content.tsx';
import { Credits } from '../../submit/credits.tsx';
import { useSubmissionForm } from '../../submit/form/use-submission-form.ts';
import { Improvements } from '../../submit/improvements/improvements.tsx';
import { SubmittedMedia } from '../../submit/media.tsx';
import { Notices } from '../../submit/notices.tsx';
import { savedLine } from '../../submit/save-line.tsx';

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
