import { messageOf } from '#lib/data/api-error.ts';
import { messages } from '#lib/words/messages.ts';
import { tables as words } from '#lib/words/tables.ts';
import { useIsAdmin } from '#session/caller.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import type { ListedProject } from './model/list.ts';
import { isListed, STATUSES } from './model/status.ts';
import type { BulkResult } from './model/write.ts';
import { useSetStatuses } from './project-queries.ts';

interface BulkActionsProps {
  projects: readonly ListedProject[];
  onDone: (ids: readonly string[]) => void;
  onDelete: () => void;
}

export function BulkActions({ projects, onDone, onDelete }: BulkActionsProps) {
  const change = useSetStatuses();
  const isAdmin = useIsAdmin();
  const { say, complain } = useStatus();

  // `mutateAsync`: it resolves even when the page shows other rows by then.
  async function set(status: 'active' | 'archived', changing: readonly ListedProject[]) {
    const idsOf = (some: readonly ListedProject[]) => some.map(({ id }) => id);
    try {
      const { done, refused } = await change.mutateAsync({ ids: idsOf(changing), status });
      onDone(idsOf(projects.filter(({ id }) => !refused.some((one) => one.id === id))));
      const undo = async () => {
        const kept: BulkResult['refused'] = [];
        for (const before of STATUSES) {
          const ids = idsOf(changing.filter((one) => one.status === before && done.includes(one.id)));
          if (ids.length > 0) kept.push(...(await change.mutateAsync({ ids, status: before })).refused);
        }
        if (kept.length > 0) throw new Error(refusalOf(kept, done.length, changing));
      };
      if (done.length > 0) say(`${done.length} ${status === 'active' ? 'published' : 'archived'}.`, { undo });
      if (refused.length > 0) complain(refusalOf(refused, changing.length, changing));
    } catch (error) {
      complain(messageOf(error, messages.anErrorOccurred));
    }
  }

  const drafts = projects.filter(({ status }) => !isListed(status));
  const unarchived = projects.filter(({ status }) => status !== 'archived');
  const busy = change.isPending;
  return (
    <>
      <SmallButton disabled={drafts.length === 0} busy={busy} onClick={() => void set('active', drafts)}>
        {words.publish}
      </SmallButton>
      <SmallButton disabled={unarchived.length === 0} busy={busy} onClick={() => void set('archived', unarchived)}>
        Archive
      </SmallButton>
      {(isAdmin || projects.length === 1) && (
        <SmallButton variant="danger" busy={busy} onClick={onDelete}>
          {words.delete}
        </SmallButton>
      )}
    </>
  );
}

function refusalOf(refused: BulkResult['refused'], of: number, projects: readonly ListedProject[]): string {
  const reasons = [...new Set(refused.map(({ reason }) => reason))].map((reason) => {
    const affected = projects.filter(({ id }) => refused.some((one) => one.id === id && one.reason === reason));
    return `${affected.map(({ title }) => `“${title}”`).join(', ')}: ${reason}`;
  });
  const summary = of === 1 ? 'Not changed.' : `${refused.length} of ${of} not changed and still selected.`;
  return [summary, ...reasons].join(' ');
}
