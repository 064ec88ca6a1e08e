import { useState } from 'react';
import { href, Link, useNavigate, useSearchParams } from 'react-router';
import { CreditList } from '#features/credits/credit-list.tsx';
import { CreditShares } from '#features/credits/credit-strip.tsx';
import { Featuring } from '#features/dashboard/featured/featuring.tsx';
import { TeamRoom } from '#features/drafts/room/team-room.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { pageParam } from '#lib/data/list-params.ts';
import { pagesOf } from '#lib/data/page.ts';
import { readOne } from '#lib/data/rows.ts';
import { admin } from '#lib/words/admin.ts';
import { creditWords } from '#lib/words/credits.ts';
import { messages } from '#lib/words/messages.ts';
import { useIsAdmin } from '#session/caller.ts';
import { fromCache, keepsShown, useRead } from '#session/use-read.ts';
import { LeaveGuard } from '#ui/admin/leave-guard.tsx';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead, SmallLink } from '#ui/admin/screen-head.tsx';
import { Pagination } from '#ui/data/pagination.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { LinkButton, SmallButton } from '#ui/form/button.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { DayTime, Moment } from '#ui/time.tsx';
import type { Route } from './+types/detail';
import { DeleteProjects } from './delete-project.tsx';
import { LoadedProject } from './loaded-project.tsx';
import { DeleteMedia, DeleteMediaButton, MediaGrid } from './media/media-grid.tsx';
import { type Author, findAuthor, type ProjectInFull, type ProjectMedia } from './model/read.ts';
import { isListed, type Status } from './model/status.ts';
import { listVersions, savedBy, summaryOf, type Version } from './model/versions/versions.ts';
import { ProjectPlans } from './planned/plans.tsx';
import { useParts } from './planned/use-parts.ts';
import { FieldFacts, FieldTexts } from './project-facts.tsx';
import { PROJECTS, useSetStatus } from './project-queries.ts';
import { Team } from './team/team.tsx';
import { editing as words } from './words.ts';
import './projects.css';

export const meta = privateTags('Project');

export default function ProjectDetail({ params: { id } }: Route.ComponentProps) {
  return <LoadedProject id={id}>{(project) => <ProjectInDetail project={project} />}</LoadedProject>;
}

function ProjectInDetail({ project }: { project: ProjectInFull }) {
  const { team } = useParts(project, false);
  const [leaving, setLeaving] = useState(false);
  const isAdmin = useIsAdmin();
  const navigate = useNavigate();
  return (
    <>
      <ScreenHead title={project.title} back={<Link to={href('/admin')}>Back to Projects</Link>}>
        <LinkButton variant="secondary" size="admin" href={href('/case-studies/:id/:slug?', { id: project.id })}>
          View page
        </LinkButton>
        <SmallLink to={href('/admin/projects/:id/edit', { id: project.id })}>Edit</SmallLink>
        {isAdmin && <SmallLink to={href('/admin/projects/:id/split', { id: project.id })}>Split sheet</SmallLink>}
        <SmallButton variant="danger" onClick={() => setLeaving(true)}>
          Delete
        </SmallButton>
      </ScreenHead>
      <Publishing project={project} />
      <TeamRoom project={project} heading="h2" />
      <div className="stack split-1200 with-aside gap-0 gap-x-7">
        <div>
          <FieldTexts values={project} />
          {project.shares && (
            <TitledSection titleId="who-made-what" title={creditWords.title}>
              <CreditShares shares={project.shares} />
              <CreditList credits={project.credits} />
            </TitledSection>
          )}
          <ProjectMediaList project={project} />
        </div>
        <div>
          <TitledSection titleId="details" title="Details">
            <FieldFacts values={project}>
              <dt>Created</dt>
              <dd>
                <DayTime at={project.created_at} />
              </dd>
              <dt>Last change</dt>
              <dd>
                <DayTime at={project.updated_at} />
              </dd>
              <AuthorFacts id={project.id} />
            </FieldFacts>
          </TitledSection>
          <ProjectEnquiry project={project.id} />
          <Team team={team} />
        </div>
      </div>
      <VersionList id={project.id} />
      <DeleteProjects
        projects={leaving ? [project] : null}
        onClose={() => setLeaving(false)}
        onDeleted={() => void navigate(href('/admin'), { replace: true })}
      />
      <LeaveGuard />
    </>
  );
}

function AuthorFacts({ id }: { id: string }) {
  const { data: author, isError } = useRead([PROJECTS, 'author', id], (data) => findAuthor(data, id), fromCache);
  const unknown = isError ? 'Could not be loaded' : '\u00a0';
  return (
    <>
      <dt>Created by</dt>
      <dd>{author ? nameOf(author) : unknown}</dd>
      {author?.submitted && <dt>Submitted by</dt>}
      {author?.submitted && <dd>{author.address ? <MailLink to={author.address} /> : admin.noAddress}</dd>}
    </>
  );
}

const MailLink = ({ to }: { to: string }) => <a href={`mailto:${encodeURIComponent(to)}`}>{to}</a>;

const nameOf = ({ creator }: Author) =>
  creator ? [creator.name, creator.email].filter(Boolean).join(', ') : admin.guest;

function Publishing({ project }: { project: ProjectInFull }) {
  const change = useSetStatus();
  const { say, report } = useStatus();
  const listed = isListed(project.status);
  const isUnfinished = project.status === 'draft' && project.submitted_at === null;
  const newStatus: Status = listed ? 'draft' : 'active';
  const setNewStatus = () =>
    void report(change.mutateAsync({ id: project.id, status: newStatus }), messages.anErrorOccurred, () =>
      say(listed ? 'Back to draft.' : 'Published.'),
    );
  return (
    <div className="stack gap-4 panel pad-4">
      <ProjectPlans project={project}>
        <p className="grow">
          {listed ? 'Readers find this project in the portfolio.' : 'Readers do not find this project.'}
          {isUnfinished && ' Its sender has not finished sending it yet.'}
        </p>
        <SmallButton variant={listed ? 'secondary' : 'primary'} busy={change.isPending} onClick={setNewStatus}>
          {listed ? 'Back to draft' : 'Publish'}
        </SmallButton>
      </ProjectPlans>
      <Featuring project={project} />
    </div>
  );
}

function ProjectMediaList({ project }: { project: ProjectInFull }) {
  const [leaving, setLeaving] = useState<ProjectMedia | null>(null);
  return (
    <TitledSection titleId="media" title={words.media}>
      <MediaGrid
        media={project.project_media}
        none={words.noMedia}
        action={(media) => <DeleteMediaButton media={media} onClick={() => setLeaving(media)} />}
      />
      <DeleteMedia media={leaving} onClose={() => setLeaving(null)} />
    </TitledSection>
  );
}

type EnquiryStep = Pick<Version, 'at' | 'actor_kind' | 'actor'> & {
  action: string;
  changes: { handled?: boolean[] } | null;
};
type Enquiry = { name: string; email: string; message: string; created_at: string; history: EnquiryStep[] };

function ProjectEnquiry({ project }: { project: string }) {
  const { data: enquiry } = useRead([PROJECTS, 'enquiry', project], (data) =>
    readOne<Enquiry | null>(data.rpc('project_enquiry', { p_id: project }, { get: true })),
  );
  if (!enquiry) return null;
  const { name, email, message, created_at, history } = enquiry;
  return (
    <TitledSection titleId="enquiry" title="Enquiry">
      <p>
        {name}, <MailLink to={email} />
      </p>
      <p className="pre-wrap anywhere gap-above-small">{message}</p>
      <ol className="hairline gap-above">
        <li className="row-meta hairline-below pad-y-2">
          Received, <Moment at={created_at} />
        </li>
        {history.map((entry) => (
          <li key={entry.at} className="row-meta hairline-below pad-y-2">
            {nameOfStep(entry)} by {savedBy(entry)}, <Moment at={entry.at} />
          </li>
        ))}
      </ol>
    </TitledSection>
  );
}

function nameOfStep({ action, changes }: EnquiryStep): string {
  if (action.endsWith('.start_project')) return 'Project started';
  return changes?.handled?.[1] ? 'Marked as handled' : 'Marked as new';
}

const addressOfPage = (page: number) => (page === 1 ? '?' : `?versions=${page}`);

function VersionList({ id }: { id: string }) {
  const [address] = useSearchParams();
  const requested = pageParam.read(address.get('versions') ?? '');
  const options = { ...fromCache, ...keepsShown };
  const versions = useRead([PROJECTS, 'versions', id, requested], (data) => listVersions(data, id, requested), options);
  const pathOf = ({ number }: Version) => href('/admin/projects/:id/versions/:number', { id, number: String(number) });
  return (
    <TitledSection titleId="versions" title="Versions">
      <Loaded query={versions} loading={words.loadingVersions} failed="Failed to load versions">
        {({ rows, total, page }) => (
          <>
            <ol className="hairline" reversed>
              {rows.map((version, index) => (
                <li className="row" key={version.number}>
                  <div className="row-words">
                    <Link className="row-title" to={pathOf(version)}>
                      Version {version.number}
                      {page === 1 && index === 0 && <span className="regular quiet"> (now)</span>}
                    </Link>
                    <span className="row-meta">{summaryOf(version)}</span>
                  </div>
                  <span className="row-meta">
                    {savedBy(version)}, <Moment at={version.at} />
                  </span>
                </li>
              ))}
            </ol>
            <Pagination pages={pagesOf(total)} current={page} addressOf={addressOfPage} />
          </>
        )}
      </Loaded>
    </TitledSection>
  );
}
