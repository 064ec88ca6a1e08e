import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#lib/data/api-error.ts';
import { EditConflict } from '#lib/data/edit-conflict.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { type Choice, type MergeResult, merge, mergedFields } from '../model/conflict.ts';
import type { ProjectField, ProjectFields } from '../model/fields.ts';
import { fieldsOf } from '../model/form.ts';
import { findProjectInFull, type ProjectInFull } from '../model/read.ts';
import { startOf, type UnsavedFields } from '../model/unsaved-fields.ts';
import { listVersionsAfter, type Version } from '../model/versions/versions.ts';
import { type ProjectValues, updateProject } from '../model/write.ts';
import { projectsChanged } from '../project-queries.ts';
import { useProjectForm } from './use-project-form.ts';

export interface ProjectConflict {
  meeting: MergeResult<ProjectFields>;
  saves: Version[];
  seen: string;
  version: number;
}

/** Form state of a stored project; never overwrites changes saved since the project was read. */
export function useEditing(project: ProjectInFull) {
  const cache = useQueryClient();
  const form = useProjectForm({
    id: project.id,
    start: startOf(project),
    failed: 'Failed to update project',
  });
  const [conflict, setConflict] = useState<ProjectConflict | null>(null);
  const [saved, setSaved] = useState(false);

  async function save(values: ProjectValues, from: UnsavedFields): Promise<void> {
    const { base, fields, seen } = from;
    const data = clients().data();
    try {
      await updateProject(data, project.id, values, seen);
    } catch (error) {
      if (!(error instanceof EditConflict)) throw error;
      const latest = await findProjectInFull(data, project.id);
      if (!latest) throw new ApiError(messages.failedToLoadProject);
      const meeting = merge(base, fields, fieldsOf(latest));
      // The other change is outside this form, or equal.
      if (meeting.both.length + meeting.onlyTheirs.length === 0) {
        return save(values, { ...from, seen: latest.updated_at, version: latest.version });
      }
      const saves = await listVersionsAfter(data, project.id, from.version);
      await projectsChanged(cache);
      setConflict({ meeting, saves, seen: latest.updated_at, version: latest.version });
      return;
    }
    await projectsChanged(cache);
    form.replace({ ...from, base: fields });
    setConflict(null);
    setSaved(true);
  }

  function resolveConflict({ meeting, seen, version }: ProjectConflict, choose: (field: ProjectField) => Choice) {
    const next = { ...startOf(), base: meeting.theirs, fields: mergedFields(meeting, choose), seen, version };
    form.replace(next);
    setConflict(null);
    return next;
  }

  return {
    form,
    conflict,
    saved,
    save,
    keepTheirs: (met: ProjectConflict) => void resolveConflict(met, () => 'theirs'),
    saveChoice: (met: ProjectConflict, choose: (field: ProjectField) => Choice) =>
      form.submit(save, resolveConflict(met, choose)),
  };
}
