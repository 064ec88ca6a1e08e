import { useState } from 'react';
import { clients } from '#session/browser.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Button } from '#ui/form/button.tsx';
import { useSubmit } from '#ui/form/use-submit.ts';
import { LongMoment } from '#ui/time.tsx';
import { CLEANUP_STEPS, type CleanupStep, type PastCleanup, type Restoring, restoreCleanup } from '../model/cleanup.ts';

const BELONGINGS = ['media item, text or team entry', 'media items, texts and team entries'] as const;

interface PastCleanupsProps {
  cleanups: PastCleanup[];
  disabled: boolean;
  onStopped: () => Promise<void>;
  onRestored: (sentence: string) => Promise<void>;
}

export function PastCleanups({ cleanups, disabled, onRestored, onStopped }: PastCleanupsProps) {
  const { pressed, failure, run } = useSubmit(
    'Restoring stopped before everything was restored. Try again in a moment to restore the rest.',
  );
  const [progress, setProgress] = useState<Restoring | null>(null);

  async function restore({ id }: PastCleanup) {
    try {
      const count = await restoreCleanup(clients().data(), id, setProgress);
      const back = `${countWithNoun(count, 'case study is', 'case studies are')} back, with all that belongs to them.`;
      await onRestored(count === 0 ? 'The deleted case studies are restored.' : back);
    } catch (error) {
      await onStopped();
      throw error;
    } finally {
      setProgress(null);
    }
  }

  return (
    <>
      {failure && <Banner kind="error">{failure}</Banner>}
      {cleanups.map((cleanup) => (
        <section className="stack start anywhere rule pad-top-4" key={cleanup.id} aria-label="Can be brought back">
          <p>
            {cleanup.restoring && (
              <strong>{`Partly restored: ${cleanup.restored} of ${cleanup.found ?? 0} case studies. `}</strong>
            )}
            <strong>
              {countWithNoun(cleanup.projects, 'case study', 'case studies')} with{' '}
              {countWithNoun(cleanup.belongings, ...BELONGINGS)}
            </strong>{' '}
            {cleanup.restoring ? 'are still gone, since ' : 'went on '}
            <LongMoment at={cleanup.began_at} />
            {cleanup.began_by && <>, by {cleanup.began_by}</>}. They can be brought back until{' '}
            <LongMoment at={cleanup.kept_until} />.
          </p>
          {pressed === cleanup.id && progress && (
            <div className="cleanup-restoring full">
              <p>{`${progress.found - progress.left} of ${progress.found} case studies are back. If this page is closed, it resumes where it stopped.`}</p>
              <CleanupBar aria-label="Bringing back" max={progress.found} value={progress.found - progress.left} />
            </div>
          )}
          <Button
            variant="secondary"
            disabled={disabled}
            busy={pressed === cleanup.id}
            busyLabel="Restoring..."
            onClick={() => void run(() => restore(cleanup), undefined, { name: cleanup.id })}
          >
            {cleanup.restoring ? 'Continue restoring' : 'Restore everything'}
          </Button>
        </section>
      ))}
    </>
  );
}

export const CleanupBar = (bar: { 'aria-label': string; max: number; value: number }) => (
  <progress className="cleanup-progress progress block panel full framed gap-above-small" {...bar} />
);

const NAMES: Record<CleanupStep, string> = {
  project_media: 'Media items',
  case_study_metadata: 'Texts and tags',
  project_members: 'Team entries',
  projects: 'Case studies',
};

export type Progress = Partial<Record<CleanupStep, { deleted: number; over: boolean }>>;

type CountedListProps = { rows: Record<CleanupStep, number> | null; progress: Progress | null };

export const CountedList = ({ rows, progress }: CountedListProps) => (
  <ol className="cleanup-list hairline" data-counted={rows !== null || progress !== null || undefined}>
    {CLEANUP_STEPS.map((step) => {
      const stepProgress = progress?.[step];
      const state = !stepProgress ? 'waiting' : stepProgress.over ? 'gone' : 'going';
      const remaining = rows && Math.max(rows[step] - (stepProgress?.deleted ?? 0), 0);
      return (
        <li className={`stack baseline pad-y-2 hairline-below ${LOOKS[state]}`} key={step}>
          <span className="cleanup-count heading size-2 amount">
            {state === 'gone' ? stepProgress?.deleted : remaining}
          </span>
          <span>{NAMES[step]}</span>
          {progress && <span className="cleanup-state mono">{STATES[state]}</span>}
        </li>
      );
    })}
  </ol>
);

const STATES = { waiting: 'Waiting', going: 'Deleting...', gone: 'Deleted' };
const LOOKS = { waiting: '', going: 'bold', gone: 'quiet' };

export const rowsInWords = (rows: Record<CleanupStep, number>): string =>
  [
    countWithNoun(rows.projects, 'case study', 'case studies'),
    countWithNoun(rows.project_media, 'media item', 'media items'),
    countWithNoun(rows.case_study_metadata, 'set of texts and tags', 'sets of texts and tags'),
    countWithNoun(rows.project_members, 'team entry', 'team entries'),
  ].join(', ');

const countWithNoun = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
