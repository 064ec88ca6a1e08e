import { href } from 'react-router';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { SmallLink } from '#ui/admin/screen-head.tsx';
import { STATUSES } from './model/status.ts';
import { ProjectScreen } from './project-list.tsx';

export const meta = privateTags('Projects');

const STATUS_NAMES = Object.fromEntries(STATUSES.map((status) => [status, status]));

const Projects = () => (
  <ProjectScreen
    as="project"
    title="Projects"
    about="Every project with its client and budget. Case Studies lists the same records."
    actions={
      <SmallLink variant="primary" to={href('/admin/projects/new')}>
        New Project
      </SmallLink>
    }
    filters={[{ kind: 'select', name: 'status', label: 'Status', all: 'All', options: STATUS_NAMES }]}
  />
);
export default Projects;
