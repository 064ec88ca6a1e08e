import { useState } from 'react';
import { href, Link } from 'react-router';
import { dollars } from '../../../models/data/money.ts';
import type { ListedProject } from '../../../models/project/list.ts';
import { Icon } from '../../../ui/icon.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { EditOrDelete } from '../experiments/edit-or-delete.tsx';
import { DeleteProject } from './delete-project.tsx';
import './project-list.css';
import { Thumbnail } from './thumbnail.tsx';

export function ProjectList({ projects }: { projects: ListedProject[] }) {
  const [leaving, setLeaving] = useState<ListedProject | null>(null);
  return (
    <>
      <ul className="rows">
        {projects.map((project) => (
          <ProjectRow key={project.id} project={project} onDelete={() => setLeaving(project)} />
        ))}
      </ul>
      <DeleteProject project={leaving} onClose={() => setLeaving(null)} />
    </>
  );
}

const ProjectRow = ({ project, onDelete }: { project: ListedProject; onDelete: () => void }) => (
  <li className="row row-project" data-row>
    <div className="row-words">
      <Link className="row-title" to={href('/admin/projects/:id', { id: project.id })}>
        {project.title}
      </Link>
      <span className="row-meta">
        <StatusBadge status={project.status} /> {project.client}{' '}
        {project.budget !== null && <span className="amount">{dollars(project.budget)}</span>}
      </span>
    </div>
    <div className="row-actions">
      <Link
        className="icon-button"
        to={href('/admin/projects/:id', { id: project.id })}
        aria-label={`View ${project.title}`}
      >
        <Icon name="eye" />
      </Link>
      <EditOrDelete project={project} onDelete={onDelete} />
    </div>
    {project.project_media.length > 0 && (
      <div className="thumbnails">
        {project.project_media.map((media) => (
          <Thumbnail key={media.id} media={media} />
        ))}
      </div>
    )}
  </li>
);
