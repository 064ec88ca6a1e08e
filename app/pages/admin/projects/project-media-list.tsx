import { useState } from 'react';
import { admin } from '../../../copy/admin.ts';
import { messages } from '../../../copy/messages.ts';
import { messageOf } from '../../../models/api-error.ts';
import type { ProjectInFull, ProjectMedia } from '../../../models/project-record.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useDeleteMedia } from '../project-queries.ts';
import { Thumbnail } from './thumbnail.tsx';

/** The media of a project in their order, each with its delete button. */
export function ProjectMediaList({ project }: { project: ProjectInFull }) {
  const [leaving, setLeaving] = useState<ProjectMedia | null>(null);
  const deletion = useDeleteMedia();
  const close = () => {
    deletion.reset();
    setLeaving(null);
  };
  return (
    <section aria-labelledby="media">
      <h2 className="screen-section" id="media">
        Media
      </h2>
      {project.project_media.length === 0 ? (
        <p className="empty">No media yet.</p>
      ) : (
        <ol className="media-grid">
          {project.project_media.map((media) => (
            <li key={media.id}>
              <Thumbnail media={media} />
              <div className="media-words">
                <strong>{media.title || 'Untitled'}</strong>
                <a href={media.url} target="_blank" rel="noreferrer">
                  Open {media.type} <Icon name="arrow-out" />
                </a>
              </div>
              <Button
                variant="quiet"
                size="admin"
                className="icon-button icon-button-danger"
                aria-label={`Delete media ${media.title || media.type}`}
                onClick={() => setLeaving(media)}
              >
                <Icon name="trash" />
              </Button>
            </li>
          ))}
        </ol>
      )}
      <ConfirmDialog
        open={leaving !== null}
        title="Delete Media?"
        confirmLabel={messages.deleteConfirm}
        busyLabel={messages.deleting}
        busy={deletion.isPending}
        error={deletion.error && messageOf(deletion.error, admin.failedToDeleteMedia)}
        onCancel={close}
        onConfirm={() => leaving && deletion.mutate(leaving.id, { onSuccess: close })}
      >
        <p>{admin.deleteMediaQuestion}</p>
      </ConfirmDialog>
    </section>
  );
}
