import { useEffect, useState } from 'react';
import { href, Link } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { Featuring } from '#features/dashboard/featured/featuring.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import type { ProjectFact } from '#features/settings/model/project-facts.ts';
import { wordDiff } from '#lib/data/word-diff.ts';
import { LeaveGuard } from '#ui/admin/leave-guard.tsx';
import { ScreenHead, SmallLink } from '#ui/admin/screen-head.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button, LinkButton, SmallButton } from '#ui/form/button.tsx';
import type { Route } from './+types/edit';
import { Conflict } from './conflict/conflict.tsx';
import { FormBar, ProjectForm } from './form/project-form.tsx';
import { type ProjectConflict, useEditing } from './form/use-editing.ts';
import { LoadedProject } from './loaded-project.tsx';
import { MediaEditor } from './media/media-editor.tsx';
import type { Choice } from './model/conflict.ts';
import { type FlatField, type FlatFields, isFact, kindOf, nestedFields, PROJECT_FIELDS } from './model/fields.ts';
import { valuesOf } from './model/form.ts';
import { type PartLists, revisionOf } from './model/plans.ts';
import type { ProjectInFull } from './model/read.ts';
import { valueText } from './model/value-text.ts';
import { linesOf } from './model/versions/version-difference.ts';
import { nameOfField } from './model/versions/versions.ts';
import { useParts } from './planned/use-parts.ts';
import { useProject } from './project-queries.ts';
import { Team } from './team/team.tsx';
import { DiffText } from './versions/diff-text.tsx';
import { editing as words } from './words.ts';

export const meta = privateTags('Edit project');

export default function EditProject({ params: { id } }: Route.ComponentProps) {
  // Reads the project again: a cached one may be outdated, and a form stays open for long.
  const { refetch } = useProject(id);
  useEffect(() => void refetch(), [refetch]);
  return <LoadedProject id={id}>{(project) => <Editor key={id} project={project} />}</LoadedProject>;
}

function Editor({ project }: { project: ProjectInFull }) {
  const { form, isRevisionConflict, save, saveForLater, saveChoice } = useEditing(project);
  const projectPath = href('/admin/projects/:id', { id: project.id });
  const revision = revisionOf(project);
  const hasRevision = revision !== null;
  const canStage = hasRevision || project.status !== 'draft';
  const staged = (['media', 'team'] as const).filter((part) => revision?.fields[part]);
  const isStaged = staged.length > 0;
  const [chosen, setChosen] = useState(hasRevision);
  useEffect(() => {
    if (hasRevision) setChosen(true);
  }, [hasRevision]);
  const later = chosen || isStaged;
  const parts = useParts(project, later);
  const { projectFacts } = useFacts();
  const { say, report } = useStatus();
  const publishes = hasRevision && form.fields.status !== 'draft';
  const resolvePart = (part: keyof PartLists, whose: Choice) =>
    void report(parts.resolve(part, whose), words.failedToSave, () => say(words.saved));
  return (
    <>
      <ScreenHead title="Edit project" back={<Link to={projectPath}>Back to the project</Link>}>
        <LinkButton variant="secondary" size="admin" href={href('/case-studies/:id/:slug?', { id: project.id })}>
          View page
        </LinkButton>
      </ScreenHead>
      {form.conflict && (
        <Conflict
          thing="project"
          {...(isRevisionConflict && { title: 'The site changed after these changes were saved for later' })}
          {...comparisonOf(form.conflict, projectFacts)}
          met={form.conflict}
          form={form}
          onSave={saveChoice}
        />
      )}
      {revision && (
        <div className="below-5">
          <Banner kind="info">These changes are saved for later. Readers see them once they are published.</Banner>
        </div>
      )}
      <ProjectForm
        form={form}
        bar={
          <FormBar busy={form.busy} label={publishes ? 'Save and publish' : 'Save Changes'} busyLabel="Saving...">
            {canStage && (
              <Button type="submit" value="later" variant="secondary" size="admin" busy={form.busy}>
                Save for later
              </Button>
            )}
            <SmallLink to={projectPath}>Cancel</SmallLink>
          </FormBar>
        }
        rail={<Featuring project={project} />}
        people={[...new Set(parts.team.list.flatMap(({ name, user }) => name || user?.name || []))]}
        onSave={save}
        onSaveForLater={saveForLater}
      />
      {canStage && (
        <fieldset className="gap-above" disabled={isStaged}>
          <legend className="bold">Readers see changes of media and team</legend>
          <div className="gap-0 gap-x-5 cluster">
            {[false, true].map((value) => (
              <label className="check" key={String(value)}>
                <input type="radio" name="parts" checked={later === value} onChange={() => setChosen(value)} />
                {value ? 'When published' : 'At once'}
              </label>
            ))}
          </div>
          {isStaged && (
            <p className="field-hint">To change this, first publish or discard the changes saved for later.</p>
          )}
        </fieldset>
      )}
      {staged
        .filter((part) => revision?.parts.conflicts.includes(part))
        .map((part) => (
          <div className="gap-above" key={part}>
            <Banner kind="warning">
              <p>{nameOfField(part)}: the site changed after these changes were saved for later.</p>
              <div className="button-row gap-above-small">
                <SmallButton onClick={() => resolvePart(part, 'theirs')}>Keep theirs</SmallButton>
                <SmallButton onClick={() => resolvePart(part, 'mine')}>Take mine</SmallButton>
                <Link to={href('/admin/projects/:id/revision', { id: project.id })}>Compare</Link>
              </div>
            </Banner>
          </div>
        ))}
      <MediaEditor id={project.id} media={parts.media} />
      <Team team={parts.team} />
      <LeaveGuard />
    </>
  );
}

const comparisonOf = ({ meeting }: ProjectConflict, defined: readonly ProjectFact[]) => ({
  nameOf: (field: FlatField) =>
    isFact(field) ? (defined.find(({ id }) => field === `facts.${id}`)?.name ?? field) : PROJECT_FIELDS[field].label,
  compare: (field: FlatField) => {
    const { mine, theirs } = meeting;
    if (isFact(field)) return { mine: mine[field] ?? 'Nothing', theirs: theirs[field] ?? 'Nothing' };
    const linesIn = (fields: FlatFields) => linesOf(String(fields[field]));
    if (kindOf(field) === 'html') return { difference: <DiffText pieces={wordDiff(linesIn(theirs), linesIn(mine))} /> };
    const textOf = (fields: FlatFields) => valueText(field, valuesOf(nestedFields(fields))[field]) ?? 'Nothing';
    return { mine: textOf(mine), theirs: textOf(theirs) };
  },
});
