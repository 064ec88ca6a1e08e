import { useState } from 'react';
import { MESSAGE_STAYS } from '../../../copy/admin/admin.ts';
import { messages } from '../../../copy/messages.ts';
import { messageOf } from '../../../models/data/api-error.ts';
import type { ProjectRecord } from '../../../models/project/record.ts';
import { isListed, type Status } from '../../../models/project/status.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Toast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/form/button.tsx';
import { Featuring } from '../dashboard/featured/featuring.tsx';
import { useSetStatus } from './project-queries.ts';

/** One press to put a project before readers, and one to take it back. */
export function Publishing({ project }: { project: ProjectRecord }) {
  const change = useSetStatus();
  const [done, setDone] = useState<string | null>(null);
  const listed = isListed(project.status);
  const to: Status = listed ? 'draft' : 'active';
  return (
    <div className="publishing">
      <div className="cluster apart publishing-bar">
        <p>
          {listed ? 'Readers find this project in the portfolio.' : 'Readers do not find this project.'}
          {project.status === 'draft' &&
            project.submitted_at === null &&
            ' Its sender has not finished sending it yet.'}
        </p>
        <Button
          size="admin"
          variant={listed ? 'secondary' : 'primary'}
          busy={change.isPending}
          onClick={() =>
            change.mutate(
              { id: project.id, status: to },
              { onSuccess: () => setDone(listed ? 'Back to draft.' : 'Published.') },
            )
          }
        >
          {listed ? 'Back to draft' : 'Publish'}
        </Button>
      </div>
      <Featuring project={project} />
      {change.error && <Banner kind="error">{messageOf(change.error, messages.anErrorOccurred)}</Banner>}
      <Toast message={done} stays={MESSAGE_STAYS} onGone={() => setDone(null)} />
    </div>
  );
}
