import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { messages } from '#lib/words/messages.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import type { ProjectInFull } from './model/read.ts';
import { useProject } from './project-queries.ts';

export const LoadedProject = ({ id, children }: { id: string; children: (project: ProjectInFull) => ReactNode }) => (
  <Loaded query={useProject(id)} loading="Loading project" failed={messages.failedToLoadProject}>
    {(project) => (project === null ? <NoProject /> : children(project))}
  </Loaded>
);

export const NoProject = () => (
  <>
    <ScreenHead title="Project not found" back={<Link to={href('/admin')}>Back to Projects</Link>} />
    <Banner kind="error">There is no project at this address. It may have been deleted.</Banner>
  </>
);
