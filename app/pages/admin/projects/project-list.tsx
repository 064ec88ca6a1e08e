import { useState } from 'react';
import { Link } from 'react-router';
import { admin } from '../../../copy/admin.ts';
import { messages } from '../../../copy/messages.ts';
import { withDollar } from '../../../models/project-form.ts';
import { type ProjectRecord, thumbnailsOf } from '../../../models/project-record.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { Loaded } from '../loaded.tsx';
import { useProjects } from '../project-queries.ts';
import { DeleteProject } from './delete-project.tsx';
import { Thumbnail } from './thumbnail.tsx';

/** Every project, with up to four of its media and what can be done with it. */
export function ProjectList() {
  const projects = useProjects();
  const [leaving, setLeaving] = useState<ProjectRecord | null>(null);
  return (
    <>
      <Loaded query={projects} loading="Loading projects" failed={messages.failedToLoadProjects}>
        {(all) =>
          all.length === 0 ? (
            <p className="empty">{admin.noProjects}</p>
          ) : (
            <ul className="rows">
              {all.map((project) => (
                <ProjectRow key={project.id} project={project} onDelete={() => setLeaving(project)} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <DeleteProject project={leaving} onClose={() => setLeaving(null)} />
    </>
  );
}

const ProjectRow = ({ project, onDelete }: { project: ProjectRecord; onDelete: () => void }) => (
  <li className="row row-project">
    <div className="row-words">
      <Link className="row-title" to={`/admin/projects/${project.id}`}>
        {project.title}
      </Link>
      <span className="row-meta">
        <StatusBadge status={project.status} /> {project.client}{' '}
        {project.budget !== null && <span className="amount">{withDollar(project.budget)}</span>}
      </span>
    </div>
    <div className="row-actions">
      <Link className="icon-button" to={`/admin/projects/${project.id}`} aria-label={`View ${project.title}`}>
        <Icon name="eye" />
      </Link>
      <Link className="icon-button" to={`/admin/projects/${project.id}/edit`} aria-label={`Edit ${project.title}`}>
        <Icon name="edit" />
      </Link>
      <Button
        variant="quiet"
        size="admin"
        className="icon-button icon-button-danger"
        aria-label={`Delete ${project.title}`}
        onClick={onDelete}
      >
        <Icon name="trash" />
      </Button>
    </div>
    {project.project_media.length > 0 && (
      <div className="thumbnails">
        {thumbnailsOf(project).map((media) => (
          <Thumbnail key={media.id} media={media} />
        ))}
      </div>
    )}
  </li>
);
