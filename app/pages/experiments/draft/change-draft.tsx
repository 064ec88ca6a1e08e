import { useEffect, useRef, useState } from 'react';
import { draftWords as words } from '../../../copy/review.ts';
import type { TextPlace } from '../../../models/content-checks.ts';
import { type DraftDesk, editable } from '../../../models/draft-desk.ts';
import type { Experiment } from '../../../models/experiment.ts';
import { isThere } from '../../../models/submission.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Basics } from '../submit/basics.tsx';
import { Content } from '../submit/content.tsx';
import { Credits } from '../submit/credits.tsx';
import { Failure } from '../submit/failure.tsx';
import { Media } from '../submit/media.tsx';
import { Returned } from '../submit/returned.tsx';
import { savedLine } from '../submit/slip.tsx';
import { ToImprove } from '../submit/to-improve.tsx';
import { useSubmissionForm } from '../submit/use-submission-form.ts';

const LONGEST = 5000;

/** The submit form's inputs with a stored draft in them; what is not sent back yet is kept on the device. */
export function ChangeDraft({
  experiment,
  desk,
  onSent,
}: {
  experiment: Experiment;
  desk: DraftDesk;
  onSent: () => Promise<void>;
}) {
  const [said, setSaid] = useState('');
  const [place, setPlace] = useState<TextPlace | null>(null);
  const latest = useRef(said);
  latest.current = said;
  const { state, form, alive } = useSubmissionForm({
    stored: { submission: editable(experiment), name: `madhouse-draft-${experiment.id}` },
    async send({ contact: _, ...draft }) {
      await desk.sendBack(draft, latest.current);
      const stored = draft.media.filter(isThere).length;
      return {
        id: experiment.id,
        media: { stored, of: draft.media.length },
        textsStored: true,
        unfinished: false,
        closed: false,
      };
    },
  });
  const done = useRef<HTMLDivElement>(null);
  const sent = state.phase === 'submitted';
  useEffect(() => {
    if (!sent) return;
    scrollTo({ top: 0 });
    done.current?.focus({ preventScroll: true });
  }, [sent]);
  if (sent) {
    const lost = state.outcome ? state.outcome.media.of - state.outcome.media.stored : 0;
    return (
      <div ref={done} tabIndex={-1} className="draft-sent">
        <Banner kind="success">
          {words.sentBack}
          {lost > 0 && ` ${lost} of your pictures did not arrive and are not in it.`}
        </Banner>
        <div className="button-row">
          <Button variant="secondary" onClick={() => void onSent()}>
            Go on
          </Button>
        </div>
      </div>
    );
  }
  return (
    <section aria-labelledby="change-title">
      <h2 id="change-title">{words.edit}</h2>
      <Failure failure={state.failure} />
      {state.returned && (
        <Returned kind="written" onGoOn={() => form?.goOn()} onStartOver={() => void form?.startOver()} />
      )}
      <form
        className="draft-form submit-sheets"
        noValidate
        autoComplete="off"
        aria-labelledby="change-title"
        onSubmit={(event) => {
          event.preventDefault();
          void form?.submit();
        }}
      >
        <Basics state={state} form={form} />
        <Media state={state} form={form} />
        <Content state={state} form={form} place={place} />
        <Credits state={state} form={form} />
        <Field label="What did you change? (optional)" hint="A word to the people who review it.">
          {(aria) => (
            <textarea
              {...aria}
              className="field-input"
              rows={3}
              maxLength={LONGEST}
              value={said}
              onChange={(event) => setSaid(event.target.value)}
            />
          )}
        </Field>
        <ToImprove submission={state.submission} onText={setPlace} />
        <div className="submit-send">
          <Button type="submit" disabled={!alive} busy={state.phase === 'submitting'} busyLabel={words.sendingBack}>
            {words.sendBack}
          </Button>
          <p role="status">{savedLine(state.saved)}</p>
        </div>
      </form>
    </section>
  );
}
