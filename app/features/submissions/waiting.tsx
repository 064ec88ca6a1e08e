import { useEffect, useRef } from 'react';
import { SendingWaits } from '#features/media/upload-limit.tsx';
import { Button } from '#ui/form/button.tsx';
import type { SubmissionForm } from './form/form.ts';
import type { FormState } from './form/form-state.ts';
import { deviceWords as words } from './words/device.ts';

export function Waiting({ state, form }: { state: FormState; form: SubmissionForm | null }) {
  const { phase, line, later, saved, ahead } = state;
  const waits = phase === 'waiting';
  const shown = line !== null && (waits || phase === 'submitting');
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!shown) return;
    scrollTo({ top: 0 });
    place.current?.focus({ preventScroll: true });
  }, [shown]);
  return (
    <div className="submit-waiting" role="status">
      {shown && (
        <div ref={place} className="submit-returned" tabIndex={-1}>
          {line === 'limit' ? (
            <SendingWaits ahead={ahead} isSaved={saved !== 'impossible'} />
          ) : (
            <div>
              <h2>{waits ? words.waiting[line] : words.back}</h2>
              <p>
                {!waits ? words.sendingNow : saved === 'impossible' ? words.waitingUnsaved : words.waitingSaved}{' '}
                {waits && saved !== 'impossible' && words.waitingPage}
              </p>
            </div>
          )}
          <div className="cluster">
            {waits && <Button onClick={() => void form?.sending.submit()}>{words.tryNow}</Button>}
            <Button variant="secondary" onClick={() => void form?.sending.later()}>
              {words.sendLater}
            </Button>
          </div>
        </div>
      )}
      {later && phase === 'editing' && <p className="submit-later">{words.later}</p>}
    </div>
  );
}
