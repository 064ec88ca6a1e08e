import { useState } from 'react';
import { Button } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import type { ProjectInFull, ProjectMedia } from './model/read.ts';
import { editing as words } from './words.ts';
import './media/media.css';
import { Thumbnail } from '#features/media/thumbnail.tsx';
import { DeleteMedia } from './media/delete-media.tsx';

export function ProjectMediaList({ project }: { project: ProjectInFull }) {
  const [leaving, setLeaving] = useState<ProjectMedia | null>(null);
  return (
    <section aria-labelledby="media">
      <h2 className="screen-section" id="media">
        {words.media}
      </h2>
      {project.project_media.length === 0 ? (
        <p className="empty">{words.noMedia}</p>
      ) : (
        <ol className="media-grid">
          {project.project_media.map((media) => (
            <li key={media.id}>
              <Thumbnail beside media={media} />
              <div className="media-words">
                <strong>{media.title || 'Untitled'}</strong>
                {media.description && <span>{media.description}</span>}
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
      <DeleteMedia media={leaving} onClose={() => setLeaving(null)} />
    </section>
  );
}
