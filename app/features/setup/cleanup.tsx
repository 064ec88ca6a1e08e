import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { href } from 'react-router';
import { needsSignIn, SignInHere } from '#features/account/sign-in-here.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { messageOf, reasonOf } from '#lib/data/api-error.ts';
import { privatePage } from '#lib/page-headers.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { createQueryCache } from '#session/query-cache.ts';
import { useSignedIn } from '#session/use-signed-in.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { confirmField } from '#ui/form/confirm-field.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { SubmitButton } from '#ui/form/submit-button.tsx';
import { Clock, LongMoment } from '#ui/time.tsx';
import { WorkSheet } from '#ui/work-sheet.tsx';
import { CleanupBar, CountedList, PastCleanups, type Progress, rowsInWords } from './cleanup/past-cleanups.tsx';
import type { CleanupOutcome, CleanupOverview, CleanupStep } from './model/cleanup.ts';
import { CLEANUP_STEPS, deleteAllCaseStudies, readCleanupOverview } from './model/cleanup.ts';
import './setup.css';

const TITLE = 'Database Cleanup Utility';
const CONFIRMATION = 'DELETE ALL';

export const headers = () => privatePage;
export const meta = privateTags(TITLE);

type Result = { outcome: CleanupOutcome } | { failure: unknown } | { restored: string };

export default function Cleanup() {
  const user = useSignedIn();
  const { data, error } = useOverview(user);
  const overview = error ? undefined : data;
  const [phase, setPhase] = useState<'idle' | 'confirm' | 'deleting'>('idle');
  const [progress, setProgress] = useState<Progress>({});
  const [result, setResult] = useState<Result | null>(null);
  const targets = { delete: useRef<HTMLButtonElement>(null), result: useRef<HTMLDivElement>(null) };

  const focusAfterRender = (target: keyof typeof targets) =>
    requestAnimationFrame(() => targets[target].current?.focus());
  const idle = (from: keyof typeof targets) => {
    setPhase('idle');
    focusAfterRender(from);
  };

  const showStep = (step: CleanupStep, deleted: number, over: boolean) =>
    setProgress((known) => ({ ...known, [step]: { deleted, over } }));

  function resume() {
    setResult(null);
    void look();
    focusAfterRender('delete');
  }

  async function run() {
    setPhase('deleting');
    setProgress({});
    setResult(null);
    const result = await deleteAllCaseStudies(clients().data(), showStep).then(
      (outcome) => ({ outcome }),
      (failure: unknown) => ({ failure }),
    );
    await look();
    setResult(result);
    idle('result');
  }

  const failure = result && 'failure' in result && result.failure;
  const reason = phase === 'deleting' ? null : reasonToSignIn(user, overview, needsSignIn(failure));
  const aside = reason && (
    <SignInHere title={user && overview !== null ? 'Sign in again' : 'Sign in as an admin'} onSignedIn={resume}>
      {reason}
    </SignInHere>
  );
  return (
    <div className="cleanup">
      <WorkSheet title={TITLE} aside={aside}>
        {result && (
          <div className="form-stack cleanup-result" ref={targets.result} tabIndex={-1}>
            <CleanupResult result={result} />
          </div>
        )}
        <p>
          This deletes every case study, published or not, and everything listed below. It disappears from the site at
          once.
          {overview &&
            ` All of it, uploaded files included, is kept for ${overview.kept_days} days and can be brought back here.`}
        </p>
        <CountedList rows={overview?.rows ?? null} progress={phase === 'deleting' ? progress : null} />
        {error && <Banner kind="error">{messageOf(error, 'The affected data could not be counted.')}</Banner>}
        {phase === 'idle' && (
          <form
            className="form-stack"
            onSubmit={(event) => {
              event.preventDefault();
              setResult(null);
              setPhase('confirm');
            }}
          >
            {overview?.may_wipe_until && isFresh(overview) && (
              <p className="field-hint">
                Your sign-in is good for this until <Clock at={overview.may_wipe_until} />.
              </p>
            )}
            <SubmitButton ref={targets.delete} variant="danger">
              Delete ALL Case Studies
            </SubmitButton>
          </form>
        )}
        {phase === 'confirm' && (
          <ConfirmForm
            save={async () => {}}
            onSaved={() => void run()}
            onCancel={() => idle('delete')}
            submitLabel="Confirm deletion"
            submit={{ variant: 'danger', className: 'button-filled' }}
          />
        )}
        {phase === 'deleting' && <CleanupProgress progress={progress} rows={overview?.rows ?? null} />}
        {overview && phase !== 'deleting' && (
          <PastCleanups
            cleanups={overview.cleanups}
            disabled={phase === 'confirm'}
            onStopped={look}
            onRestored={async (sentence) => {
              await look();
              setResult({ restored: sentence });
              idle('result');
            }}
          />
        )}
        <div className="work-links">
          <a href={href('/admin')}>Back to Admin</a>
          <a href={href('/')}>Return to Home</a>
        </div>
      </WorkSheet>
    </div>
  );
}

function CleanupProgress({ progress, rows }: { progress: Progress; rows: CleanupOverview['rows'] | null }) {
  const done = CLEANUP_STEPS.filter((step) => progress[step]?.over).length;
  const step = CLEANUP_STEPS[done];
  const deleted = step ? (progress[step]?.deleted ?? 0) : 0;
  const share = step && rows && rows[step] > 0 ? Math.min(deleted / rows[step], 1) : 0;
  return (
    <div>
      <p role="status">
        Deleting: step {Math.min(done + 1, CLEANUP_STEPS.length)} of {CLEANUP_STEPS.length}.
      </p>
      <CleanupBar aria-label="Deletion" max={CLEANUP_STEPS.length} value={done + share} />
    </div>
  );
}

function CleanupResult({ result }: { result: Result }) {
  if ('restored' in result) return <Banner kind="success">{result.restored}</Banner>;
  if ('failure' in result) return <Banner kind="error">{reasonOf(result.failure, messages.unknownError)}</Banner>;
  const { deleted, kept_until, warning } = result.outcome;
  return (
    <>
      <Banner kind="success">
        <p>All case studies were deleted: {rowsInWords(deleted)}.</p>
        <p>
          They can be brought back until <LongMoment at={kept_until} />.
        </p>
      </Banner>
      {warning && <Banner kind="warning">{warning}</Banner>}
    </>
  );
}

const ConfirmForm = defineForm({
  fields: { confirmation: confirmField(CONFIRMATION) },
  check: ({ confirmation }) => ({
    confirmation: confirmation !== CONFIRMATION && `Please type "${CONFIRMATION}" to confirm deletion`,
  }),
  failed: '',
});

type User = ReturnType<typeof useSignedIn>;

const cache = createQueryCache();
const look = () => cache.invalidateQueries();

/** Null for users who are not admins. */
const useOverview = (user: User) =>
  useQuery(
    {
      queryKey: [user?.id],
      queryFn: () => readCleanupOverview(clients().data()),
      enabled: Boolean(user),
      staleTime: 0,
      retry: false,
      refetchInterval: ({ state: { data } }) =>
        data && isFresh(data) ? Date.parse(data.may_wipe_until!) - Date.now() + 500 : false,
    },
    cache,
  );

const isFresh = ({ may_wipe_until: until }: CleanupOverview) => Date.parse(until ?? '') > Date.now();

function reasonToSignIn(user: User, overview: CleanupOverview | null | undefined, stale: boolean): string | null {
  if (user === null)
    return 'Only an admin can delete all case studies. Without a sign-in the server refuses, and nothing is deleted.';
  if (user && overview === null)
    return `You are signed in as ${user.email}, who is not an admin. The server refuses, and nothing is deleted.`;
  const isOld = stale || (overview && !isFresh(overview));
  return isOld ? 'You signed in more than ten minutes ago. Please confirm that it’s you by signing in again.' : null;
}
