import { useState } from 'react';
import { clients } from '#session/browser.ts';
import { fromCache, useRead } from '#session/use-read.ts';
import { merge } from '../model/conflict.ts';
import { flatFields } from '../model/fields.ts';
import { fieldsOf, valuesOf } from '../model/form.ts';
import { revisionOf, stageProject, withFields } from '../model/plans.ts';
import type { ProjectInFull } from '../model/read.ts';
import { startOf, type UnsavedFields } from '../model/unsaved-fields.ts';
import { listVersionsAfter } from '../model/versions/versions.ts';
import { updateProject } from '../model/write.ts';
import { PROJECTS } from '../project-queries.ts';
import { type ProjectConflict, savesOf, useProjectForm } from './use-project-form.ts';

/** Form state of a stored project; never overwrites changes saved since the project or its revision was read. */
export function useEditing(project: ProjectInFull) {
  const { id } = project;
  const form = useProjectForm({ id, start: startOf(project), failed: 'Failed to update project' });
  const revision = revisionOf(project);
  const [settled, setSettled] = useState('');
  const state = `${project.updated_at} ${revision?.updated_at}`;
  const since = revision?.base_version;
  const { data: newer = [] } = useRead(
    [PROJECTS, 'newer', id, since],
    (data) => listVersionsAfter(data, id, since ?? 0),
    { ...fromCache, enabled: revision !== null },
  );

  const writeAs = (later: boolean) => async (from: UnsavedFields) => {
    const data = clients().data();
    const values = valuesOf(from.fields);
    if (later || from.staged || revision) await stageProject(data, id, values, from, !later);
    else await updateProject(data, id, values, from.seen);
    return {};
  };

  function revisionConflict(): ProjectConflict | null {
    if (!revision || settled === state) return null;
    const base = flatFields(fieldsOf(withFields(project, revision.base)));
    const meeting = merge(base, flatFields(form.fields), flatFields(fieldsOf(project)));
    if (meeting.both.length === 0) return null;
    return { meeting, saves: savesOf(newer), latest: startOf(project), write: writeAs(true) };
  }

  const conflict = form.conflict ?? revisionConflict();
  const saveBy = (write: ProjectConflict['write']) => async (from: UnsavedFields) => {
    if (await form.save(write, from)) form.leaveTo(id);
  };
  return {
    form: {
      ...form,
      conflict,
      resolve(...[met, choose]: Parameters<typeof form.resolve>) {
        if (met !== form.conflict) setSettled(state);
        return form.resolve(met, choose);
      },
    },
    isRevisionConflict: form.conflict === null,
    save: saveBy(writeAs(false)),
    saveForLater: saveBy(writeAs(true)),
    saveChoice: (chosen: UnsavedFields) => void form.submit(saveBy(conflict!.write), chosen),
  };
}
