import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#lib/data/api-error.ts';
import { EditConflict } from '#lib/data/edit-conflict.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { type Choice, type MergeResult, merge, mergedFields } from '../model/conflict.ts';
import { type FlatField, type FlatFields, flatFields, nestedFields, type ProjectFields } from '../model/fields.ts';
import { fieldsOf } from '../model/form.ts';
import { revisionOf, stageProject, withFields } from '../model/plans.ts';
import { findProjectInFull, type ProjectInFull } from '../model/read.ts';
import { startOf, type UnsavedFields } from '../model/unsaved-fields.ts';
import { listVersionsAfter, type Version } from '../model/versions/versions.ts';
import { type ProjectValues, updateProject } from '../model/write.ts';
import { PROJECTS, projectsChanged } from '../project-queries.ts';
import { type SaveProject, useProjectForm } from './use-project-form.ts';

export interface ProjectConflict {
  meeting: MergeResult<FlatFields>;
  saves: Version[];
  seen: string;
  version: number;
  staged: string;
  later: boolean;
  isOfRevision?: boolean;
}

const mergeFlat = (base: ProjectFields, mine: ProjectFields, theirs: ProjectFields) =>
  merge(flatFields(base), flatFields(mine), flatFields(theirs));

/** Form state of a stored project; never overwrites changes saved since the project or its revision was read. */
export function useEditing(project: ProjectInFull) {
  const cache = useQueryClient();
  const form = useProjectForm({
    id: project.id,
    start: startOf(project),
    failed: 'Failed to update project',
  });
  const [conflict, setConflict] = useState<ProjectConflict | null>(null);
  const [saved, setSaved] = useState(false);
  const revision = revisionOf(project);
  const [settled, setSettled] = useState('');
  const state = `${project.updated_at} ${revision?.updated_at}`;
  const { data: newer = [] } = useQuery({
    queryKey: [PROJECTS, 'newer', project.id, revision?.base_version],
    queryFn: () => listVersionsAfter(clients().data(), project.id, revision?.base_version ?? 0),
    enabled: revision !== null,
  });

  function revisionConflict(): ProjectConflict | null {
    if (!revision || settled === state) return null;
    const meeting = mergeFlat(fieldsOf(withFields(project, revision.base)), form.fields, fieldsOf(project));
    if (meeting.both.length === 0) return null;
    const { updated_at: seen, version } = project;
    return { meeting, saves: newer, seen, version, staged: revision.updated_at, later: true, isOfRevision: true };
  }

  async function save(later: boolean, values: ProjectValues, from: UnsavedFields): Promise<void> {
    const { base, fields, seen } = from;
    const data = clients().data();
    try {
      if (later || from.staged || revision) await stageProject(data, project.id, values, from, !later);
      else await updateProject(data, project.id, values, seen);
    } catch (error) {
      if (!(error instanceof EditConflict)) throw error;
      const latest = await findProjectInFull(data, project.id);
      if (!latest) throw new ApiError(messages.failedToLoadProject);
      const start = startOf(latest);
      const meeting = mergeFlat(base, fields, start.fields);
      // The other change is outside this form, or equal.
      if (meeting.both.length + meeting.onlyTheirs.length === 0) {
        return save(later, values, { ...from, seen: start.seen, version: start.version, staged: start.staged });
      }
      const saves = await listVersionsAfter(data, project.id, from.version);
      await projectsChanged(cache);
      setConflict({ meeting, saves, seen: start.seen, version: start.version, staged: start.staged, later });
      return;
    }
    await projectsChanged(cache);
    form.replace({ ...from, base: fields });
    setConflict(null);
    setSaved(true);
  }

  function resolveConflict(met: ProjectConflict, choose: (field: FlatField) => Choice) {
    const { meeting, seen, version, staged } = met;
    const base = nestedFields(meeting.theirs);
    const fields = nestedFields(mergedFields(meeting, choose));
    const next = { ...startOf(), base, fields, seen, version, staged };
    form.replace(next);
    setConflict(null);
    if (met.isOfRevision) setSettled(state);
    return next;
  }

  const saveAs =
    (later: boolean): SaveProject =>
    (values, from) =>
      save(later, values, from);
  return {
    form,
    conflict: conflict ?? revisionConflict(),
    saved,
    save: saveAs(false),
    saveForLater: () => void form.submit(saveAs(true)),
    keepTheirs: (met: ProjectConflict) => void resolveConflict(met, () => 'theirs'),
    saveChoice: (met: ProjectConflict, choose: (field: FlatField) => Choice) =>
      form.submit(saveAs(met.later), resolveConflict(met, choose)),
  };
}
