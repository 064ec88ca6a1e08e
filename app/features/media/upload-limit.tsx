import { useEffect, useRef, useState } from 'react';
import { deviceWords } from '#features/submissions/words/device.ts';
import { useCountdown } from '#ui/form/use-countdown.ts';
import { localTime } from '#ui/time.tsx';
import { isNearlyUsedUp, type UploadsAhead, withoutRoom } from './model/allowance.ts';
import { readableSize } from './model/upload.ts';
import './upload-limit.css';

type Kind = 'near' | 'over' | 'paused';

const words = {
  rest: (count: number) =>
    count === 1
      ? 'One picture doesn’t fit in. It’s uploaded automatically after that.'
      : `${count} pictures don’t fit in. They’re uploaded automatically after that.`,
  reached: (files: number, size: string) =>
    `You’ve reached the upload limit of ${files === 1 ? 'one picture' : `${files} pictures`} or ${size}.`,
  paused: (count: number, at: string | null) =>
    `${count === 1 ? 'The last picture is' : `${count} pictures are`} uploaded automatically${at ? ` from ${at}` : ' soon'}.`,
  continues: 'Your uploads continue.',
};

/** Announced only when the situation changes. */
export function UploadLimit({ ahead }: { ahead: UploadsAhead | null }) {
  const resetsAt = ahead?.allowance.resetsAt ?? null;
  const isOver = useHasPassed(resetsAt);
  const kind = ahead && kindOf(ahead);
  const shown = ahead && kind && (kind === 'paused' || !isOver) ? wordsOf(kind, ahead) : null;
  const announcement = useChanges(shown ? kind : null, shown ?? '');
  return (
    <>
      <p className="hidden-text" role="status">
        {announcement}
      </p>
      {shown && (
        <div className="upload-limit edge pad-4 cluster gap-1 gap-x-4 baseline apart panel" data-kind={kind}>
          <p>{shown}</p>
          <Countdown ahead={ahead} />
        </div>
      )}
    </>
  );
}

export function limitNotice(ahead: UploadsAhead | null, isSaved: boolean): { title: string; text: string } {
  if (!ahead?.isPaused) return { title: words.continues, text: deviceWords.sendingNow };
  const { files, bytes } = ahead.allowance;
  return {
    title: words.reached(files.limit, megabytes(bytes.limit)),
    text: `${words.paused(ahead.sizes.length, timeOf(ahead))} Your experiment is sent right after them. ${isSaved ? 'You can close this page: it continues the next time you open it.' : 'Not all of it is saved on this device, so leave this page open.'}`,
  };
}

/** Visual only: screen readers get the time of day. */
export const Countdown = ({ ahead }: { ahead: UploadsAhead | null }) =>
  ahead?.isPaused && ahead.allowance.resetsAt ? (
    <TimeLeft key={ahead.allowance.resetsAt} until={ahead.allowance.resetsAt} />
  ) : null;

function TimeLeft({ until }: { until: number }) {
  const [left] = useCountdown(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
  const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  const parts = [...(hours ? [hours] : []), minutes, seconds];
  const clock = parts.map((part, at) => (at ? `${part}`.padStart(2, '0') : part));
  return (
    <p className="mono figures bold" aria-hidden="true">
      In {clock.join(':')}
    </p>
  );
}

function kindOf(ahead: UploadsAhead): Kind | null {
  if (ahead.isPaused) return 'paused';
  if (withoutRoom(ahead) > 0) return 'over';
  return isNearlyUsedUp(ahead) ? 'near' : null;
}

function wordsOf(kind: Kind, ahead: UploadsAhead): string {
  const { files, bytes } = ahead.allowance;
  const until = timeOf(ahead);
  if (kind === 'paused')
    return `${words.reached(files.limit, megabytes(bytes.limit))} ${words.paused(ahead.sizes.length, until)}`;
  const timeLeft =
    files.left / files.limit <= bytes.left / bytes.limit
      ? `${files.left} of ${files.limit} uploads left${until ? ` until ${until}` : ''}.`
      : `${megabytes(bytes.left)} of ${megabytes(bytes.limit)} left to upload${until ? ` until ${until}` : ''}.`;
  return kind === 'over' ? `${timeLeft} ${words.rest(withoutRoom(ahead))}` : timeLeft;
}

const timeOf = ({ allowance: { resetsAt } }: UploadsAhead) =>
  resetsAt === null ? null : localTime(new Date(resetsAt).toISOString());

const megabytes = (bytes: number) => readableSize(bytes).replace('.0 ', ' ');

function useHasPassed(moment: number | null): boolean {
  const [passed, setPassed] = useState<number | null>(null);
  useEffect(() => {
    if (moment === null) return;
    const timer = setTimeout(() => setPassed(moment), Math.max(0, moment - Date.now()));
    return () => clearTimeout(timer);
  }, [moment]);
  return moment !== null && passed === moment;
}

/** The text at the last change of `kind`, so that a countdown is not announced. */
function useChanges(kind: Kind | null, shown: string): string {
  const announced = useRef<{ kind: Kind | null; text: string }>({ kind: null, text: '' });
  if (kind !== announced.current.kind)
    announced.current = { kind, text: announced.current.kind === 'paused' ? words.continues : shown };
  return announced.current.text;
}
