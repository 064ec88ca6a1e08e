import { type ReactNode, useState } from 'react';
import { href, Link, useNavigate } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { TeamLinks } from '#features/drafts/team-links.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { messages } from '#lib/words/messages.ts';
import { useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import { DeleteDialog } from '#ui/admin/delete-dialog.tsx';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead, SmallLink } from '#ui/admin/screen-head.tsx';
import { useReportWhenGone } from '#ui/data/use-report-when-gone.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { LoadedProject } from '../loaded-project.tsx';
import { endRevision, type Plan, revisedFields, revisionOf } from '../model/plans.ts';
import { differences } from '../model/versions/version-difference.ts';
import { findLiveContent, type VersionContent } from '../model/versions/versions.ts';
import { PROJECTS, projectsChanged } from '../project-queries.ts';
import { Differences, VersionPreview } from '../versions/version.tsx';
import { editing as words } from '../words.ts';
import type { Route } from './+types/revision';
import { PlanProblem, RevisionSummary, Schedule } from './plans.tsx';
import '../projects.css';

export const meta = privateTags(words.revision);

const NOT_PUBLISHED = 'The changes were not published.';

export default function RevisionOfProject({ params: { id } }: Route.ComponentProps) {
  const live = useRead([PROJECTS, 'live', id], (data) => findLiveContent(data, id));
  const back = <Link to={href('/admin/projects/:id', { id })}>Back to the project</Link>;
  return (
    <LoadedProject id={id}>
      {(project) => {
        const revision = revisionOf(project);
        return revision ? (
          <Loaded query={live} loading="Loading project" failed={messages.failedToLoadProject}>
            {(content) => content && <Revision id={id} revision={revision} live={content} back={back} />}
          </Loaded>
        ) : (
          <>
            <ScreenHead title={words.revision} back={back} />
            <Banner kind="info">
              There are none: they were published or discarded, or nothing was saved for later.
            </Banner>
          </>
        );
      }}
    </LoadedProject>
  );
}

function Revision({ id, revision, live, back }: { id: string; revision: Plan; live: VersionContent; back: ReactNode }) {
  const [view, setView] = useState('changes');
  const [discarding, setDiscarding] = useState(false);
  const { projectFacts } = useFacts();
  const { say } = useStatus();
  const reportWhenGone = useReportWhenGone(NOT_PUBLISHED);
  const navigate = useNavigate();
  const publish = useWrite((data) => endRevision(data, 'publish_revision', id, revision.updated_at), projectsChanged);
  const discard = useWrite((data) => endRevision(data, 'discard_revision', id, revision.updated_at), projectsChanged);
  function ended(message: string) {
    say(message);
    const isHere = location.pathname === href('/admin/projects/:id/revision', { id });
    if (isHere) void navigate(href('/admin/projects/:id', { id }));
  }
  function publishNow() {
    const published = publish.mutateAsync().then(() => ended('Published.'), reportWhenGone);
    published.catch(() => {});
  }
  const content = { ...live, ...revisedFields(revision, live.facts) };
  const changes = <Differences found={differences(live, content, projectFacts)} same="Nothing differs." />;
  const links = (
    <>
      <p className="field-hint">
        The page with these changes, for people without an account, until they are published or discarded.
      </p>
      <TeamLinks id={id} />
    </>
  );
  return (
    <>
      <ScreenHead title={words.revision} back={back} about={<RevisionSummary revision={revision} />}>
        <SmallLink to={href('/admin/projects/:id/edit', { id })}>Edit</SmallLink>
        <SmallButton variant="danger" onClick={() => setDiscarding(true)}>
          Discard
        </SmallButton>
        <SmallButton variant="primary" busy={publish.isPending} onClick={publishNow}>
          Publish now
        </SmallButton>
      </ScreenHead>
      {publish.error && <Banner kind="error">{messageOf(publish.error, NOT_PUBLISHED)}</Banner>}
      <PlanProblem plan={revision} />
      <div className="panel pad-4 gap-above below-5">
        <Schedule kind="publish" plan={revision} of={{ project: id }} onChanged={projectsChanged} />
      </div>
      <Tabs
        label="Ways to look at these changes"
        chosen={view}
        onChoose={setView}
        tabs={[
          { value: 'changes', label: 'Compared with live', panel: changes },
          { value: 'preview', label: 'Preview', panel: <VersionPreview content={content} /> },
          { value: 'links', label: 'Preview links', panel: links },
        ]}
      />
      <DeleteDialog
        thing={discarding ? { id: undefined } : null}
        title="Discard these changes?"
        confirmLabel="Discard changes"
        failed={messages.anErrorOccurred}
        deletion={discard}
        onClose={() => setDiscarding(false)}
        onDeleted={() => ended('The changes are discarded.')}
      >
        <p>They are lost, with their date and preview links. What readers see stays as it is.</p>
      </DeleteDialog>
    </>
  );
}
