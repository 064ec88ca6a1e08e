import { useState } from 'react';
import { href, Link, useNavigate, useSearchParams } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { CreditList } from '#features/credits/credit-list.tsx';
import { creditsIn } from '#features/credits/model/credits.ts';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import { DeleteDialog } from '#ui/admin/delete-dialog.tsx';
import { Loaded } from '#ui/admin/loaded.tsx';
import { ScreenHead } from '#ui/admin/screen-head.tsx';
import { useShown } from '#ui/admin/use-shown.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { Moment } from '#ui/time.tsx';
import { MediaGrid } from '../media/media-grid.tsx';
import { type Difference, differences } from '../model/versions/version-difference.ts';
import type { VersionContent, VersionInFull } from '../model/versions/versions.ts';
import { findVersion, nameOfField, restoreVersion, savedBy, summaryOf } from '../model/versions/versions.ts';
import { FieldFacts, FieldTexts } from '../project-facts.tsx';
import { PROJECTS, projectsChanged } from '../project-queries.ts';
import { Member } from '../team/member.tsx';
import { editing as words } from '../words.ts';
import type { Route } from './+types/version';
import { DiffText } from './diff-text.tsx';
import '../projects.css';

export const meta = privateTags('Version of a project');

export default function VersionOfProject({ params: { id, number } }: Route.ComponentProps) {
  const version = useRead([PROJECTS, 'version', id, number], (data) => findVersion(data, id, Number(number)));
  const backLink = <Link to={href('/admin/projects/:id', { id })}>Back to the project</Link>;
  return (
    <Loaded query={version} loading={words.loadingVersions} failed="Failed to load this version">
      {(found) =>
        found === null ? (
          <>
            <ScreenHead title="This version is not kept" back={backLink} />
            <Banner kind="info">Some old versions are deleted over time, so this one may no longer exist.</Banner>
          </>
        ) : (
          <>
            <ScreenHead title={`Version ${found.number}`} back={backLink}>
              {found.number !== found.latest.number && <Restore key={found.number} projectId={id} version={found} />}
            </ScreenHead>
            <p>
              {savedBy(found)}, <Moment at={found.at} />: {summaryOf(found)}
              {found.number === found.latest.number && '. This is what the project is now.'}
            </p>
            <VersionContentView version={found} />
          </>
        )
      }
    </Loaded>
  );
}

function VersionContentView({ version: { number, content, before, latest } }: { version: VersionInFull }) {
  const [address, setAddress] = useSearchParams();
  const { projectFacts } = useFacts();
  const changes = before ? differences(before, content, projectFacts) : [];
  const same = before ? 'No visible changes.' : 'This is the first version.';
  const sinceThen = (
    <>
      <p className="field-hint">What restoring this version would change, except the status.</p>
      <Differences found={differences(latest.content, content, projectFacts)} same="The project equals this version." />
    </>
  );
  const tabs = [
    { value: 'changes', label: 'What it changed', panel: <Differences found={changes} same={same} /> },
    { value: 'now', label: 'Compared with now', panel: sinceThen },
    { value: 'preview', label: 'Preview', panel: <VersionPreview content={content} /> },
  ].filter(({ value }) => value !== 'now' || number !== latest.number);
  const chosen = tabs.find(({ value }) => value === address.get('view')) ?? (before ? tabs[0]! : tabs.at(-1)!);
  return (
    <div className="above-5">
      <Tabs
        label="Ways to look at this version"
        tabs={tabs}
        chosen={chosen.value}
        onChoose={(view) => setAddress({ view }, { replace: true, preventScrollReset: true })}
      />
    </div>
  );
}

function Restore({ projectId, version }: { projectId: string; version: VersionInFull }) {
  const [asking, setAsking] = useState(false);
  const { number } = version;
  const restore = useWrite((data, old: VersionInFull) => restoreVersion(data, projectId, old), projectsChanged);
  const navigate = useNavigate();
  const { say } = useStatus();
  const isShown = useShown(true);

  function restored(leftOut: number) {
    const missing =
      leftOut === 1
        ? '1 picture or video is missing because its file is gone.'
        : `${leftOut} pictures and videos are missing because their files are gone.`;
    say(`Version ${number} is restored. ${leftOut > 0 ? missing : ''}`.trim());
    if (isShown.current) void navigate(href('/admin/projects/:id', { id: projectId }));
  }

  return (
    <>
      <SmallButton variant="primary" onClick={() => setAsking(true)}>
        {words.restore}
      </SmallButton>
      <DeleteDialog
        thing={asking ? { id: version } : null}
        title={`${words.restore}?`}
        confirmLabel="Restore"
        busyLabel="Restoring..."
        failed="Nothing was restored."
        deletion={restore}
        onClose={() => setAsking(false)}
        onDeleted={(_, { left_out }) => restored(left_out)}
      >
        <p>This restores the texts, fields, media and team of version {number}. The status stays as it is.</p>
        <p className="gap-above-small">The present state stays in the list of versions, so you can restore it.</p>
      </DeleteDialog>
    </>
  );
}

const CHANGE_VERBS = { added: 'Added', removed: 'Removed', moved: 'Moved', changed: 'Changed' };

export const Differences = ({ found, same }: { found: Difference[]; same: string }) =>
  found.length === 0 ? (
    <p className="empty">{same}</p>
  ) : (
    <dl className="differences anywhere hairline">
      {found.map((difference) => (
        <div className="stack split-640 gap-2 gap-x-5 hairline-below pad-y-4" key={difference.key}>
          <dt className="bold">{difference.name}</dt>
          <dd>
            <DifferenceEntry difference={difference} />
          </dd>
        </div>
      ))}
    </dl>
  );

function DifferenceEntry({ difference }: { difference: Difference }) {
  if (difference.shape === 'text') return <DiffText pieces={difference.pieces} />;
  if (difference.shape === 'form') return <p>The words are the same; only formatting, links or pictures differ.</p>;
  if (difference.shape === 'value')
    return (
      <p>
        {difference.before} <span aria-hidden="true">→</span>
        <span className="hidden-text"> became </span> {difference.after}
      </p>
    );
  return (
    <ul>
      {difference.changes.map(({ kind, what, how }) => (
        <li key={`${kind} ${what} ${how}`}>
          <strong>{CHANGE_VERBS[kind]}</strong> {what}
          {how && `, ${how}`}
        </li>
      ))}
    </ul>
  );
}

export const VersionPreview = ({ content }: { content: VersionContent }) => (
  <>
    <h2 className="screen-section anywhere">{content.title}</h2>
    <FieldFacts values={content} />
    <FieldTexts values={content} />
    {content.credits.length > 0 && (
      <section>
        <h2 className="screen-section">{nameOfField('credits')}</h2>
        <CreditList credits={creditsIn(content.credits)} />
      </section>
    )}
    <h2 className="screen-section">{nameOfField('media')}</h2>
    <MediaGrid media={content.media} none="No media." />
    <h2 className="screen-section">{nameOfField('team')}</h2>
    {content.team.length === 0 ? (
      <p className="empty">Nobody.</p>
    ) : (
      <ul className="hairline">
        {content.team.map((member) => (
          <Member key={member.id} member={member} name={member.name ?? 'A person with an account'} />
        ))}
      </ul>
    )}
  </>
);
