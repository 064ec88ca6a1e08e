import { Featuring } from '#features/dashboard/featured/featuring.tsx';
import { messageOf } from '#lib/data/api-error.ts';
import { messages } from '#lib/words/messages.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import type { ProjectInFull } from '../model/read.ts';
import { isListed, type Status } from '../model/status.ts';
import { useSetStatus } from '../project-queries.ts';

export function Publishing({ project }: { project: ProjectInFull }) {
  const change = useSetStatus();
  const { say } = useStatus();
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
              { onSuccess: () => say(listed ? 'Back to draft.' : 'Published.') },
            )
          }
        >
          {listed ? 'Back to draft' : 'Publish'}
        </Button>
      </div>
      <Featuring project={project} />
      {change.error && <Banner kind="error">{messageOf(change.error, messages.anErrorOccurred)}</Banner>}
    </div>
  );
}
