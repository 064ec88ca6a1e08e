import type { Project } from '#features/projects/model/read.ts';
import { projectsChanged, REVIEWS } from '#features/projects/project-queries.ts';
import { useUndoDelete } from '#features/trash/use-undo-delete.ts';
import { useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
import { DayTime } from '#ui/time.tsx';
import type { DraftComment, NewComment } from '../model/draft-room.ts';
import { addComment, deleteComment, findDraftRoom, placeName, resolveComment, threadsOf } from '../model/draft-room.ts';
import { Thread } from './thread.tsx';

export const useRoom = (id: string) => useRead([REVIEWS, 'room', id], (data) => findDraftRoom(data, id));

type TeamRoomProps = { project: Project; heading: 'h2' | 'h3' };

export function TeamRoom({ project: { id, project_media: media }, heading: Heading }: TeamRoomProps) {
  const room = useRoom(id);
  const adding = useWrite((data, comment: NewComment) => addComment(data, id, comment), projectsChanged);
  const resolving = useWrite((data, change: [string, boolean]) => resolveComment(data, ...change), projectsChanged);
  const resolve = (comment: string, resolved: boolean) => resolving.mutateAsync([comment, resolved]);
  const removing = useWrite(deleteComment, projectsChanged);
  const sayDeleted = useUndoDelete();
  const { report } = useStatus();
  const deletion = ({ id }: DraftComment) => ({
    busy: removing.isPending && removing.variables === id,
    onClick: () =>
      void report(removing.mutateAsync(id), 'The comment was not deleted', () =>
        sayDeleted('Comment deleted.', [{ kind: 'comment', id }]),
      ),
  });
  if (room.isPending) return null;
  return (
    <Loaded query={room} loading="" failed="Failed to load the comments">
      {(found) => {
        if (!found || found.comments.length + found.approvals.length === 0) return null;
        const threads = threadsOf(found.comments).sort(
          (one, other) => Number(one.resolved_at !== null) - Number(other.resolved_at !== null),
        );
        return (
          <section className="above-5" aria-labelledby="comments">
            <Heading id="comments" className="screen-section">
              Comments
            </Heading>
            <ul ref={keepFocus}>
              {found.approvals.map(({ client, created_at, current }) => (
                <li className="pad-y-3 hairline-below" key={client + created_at}>
                  <strong>{client}</strong> approved {current ? 'this version' : 'an earlier version'},{' '}
                  <DayTime at={created_at} />
                </li>
              ))}
              {threads.map((thread) => (
                <Thread
                  key={thread.id}
                  thread={thread}
                  place={placeName(thread.place, media)}
                  size="admin"
                  actions={{ add: adding.mutateAsync, resolve, deletion }}
                />
              ))}
            </ul>
          </section>
        );
      }}
    </Loaded>
  );
}
