import { useState } from 'react';
import { cleanupWords as words } from '../../../copy/cleanup.ts';
import { messageOf } from '../../../models/api-error.ts';
import { type PastCleanup, restoreCleanup } from '../../../models/cleanup.ts';
import { clients } from '../../../session/browser.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { counted } from './counted-list.tsx';
import { Moment } from './moment.tsx';

/** What can be brought back, and the button that does it. */
export function PastCleanups({
  cleanups,
  disabled,
  onRestored,
}: {
  cleanups: PastCleanup[];
  disabled: boolean;
  /** Hears what came back, in words. */
  onRestored: (sentence: string) => Promise<void>;
}) {
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function restore({ id }: PastCleanup) {
    setBusy(id);
    setFailure(null);
    try {
      const count = await restoreCleanup(clients().data(), id);
      await onRestored(
        count === 0
          ? 'What was deleted is back.'
          : `${counted(count, 'case study is', 'case studies are')} back, with all that belongs to them.`,
      );
    } catch (error) {
      setFailure(messageOf(error, words.failedToRestore));
    } finally {
      setBusy(null);
    }
  }

  return (
    <>
      {failure && <Banner kind="error">{failure}</Banner>}
      {cleanups.map((cleanup) => (
        <section className="cleanup-past" key={cleanup.id} aria-label="Can be brought back">
          <p>
            <strong>
              {counted(cleanup.projects, 'case study', 'case studies')} with{' '}
              {counted(cleanup.belongings, 'media item, text or team entry', 'media items, texts and team entries')}
            </strong>{' '}
            went on <Moment at={cleanup.began_at} />
            {cleanup.began_by && <>, by {cleanup.began_by}</>}. They can be brought back until{' '}
            <Moment at={cleanup.kept_until} />.
          </p>
          <Button
            variant="secondary"
            disabled={disabled}
            busy={busy === cleanup.id}
            busyLabel="Restoring..."
            onClick={() => void restore(cleanup)}
          >
            Restore everything
          </Button>
        </section>
      ))}
    </>
  );
}
