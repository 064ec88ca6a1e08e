import { useEffect, useRef, useState } from 'react';
import { href, useNavigate } from 'react-router';
import { useFacts } from '#context/use-facts.ts';
import { ApiError } from '#lib/data/api-error.ts';
import { messages } from '#lib/words/messages.ts';
import { clients } from '#session/browser.ts';
import { fromCache, useRead } from '#session/use-read.ts';
import { focusField, requireFields, unreadableIn } from '#ui/form/use-submit.ts';
import { type FormConflict, useUnsaved } from '../conflict/use-unsaved.ts';
import { merge } from '../model/conflict.ts';
import { type FlatFields, flatFields, nestedFields, type ProjectFields } from '../model/fields.ts';
import { checkFields, fieldsOf, valuesOf } from '../model/form.ts';
import { revisionOf, stageProject, withFields } from '../model/plans.ts';
import { findProjectInFull, type ProjectInFull } from '../model/read.ts';
import { startOf, type UnsavedFields } from '../model/unsaved-fields.ts';
import { listVersionsAfter, savedBy, summaryOf, type Version } from '../model/versions/versions.ts';
import { updateProject } from '../model/write.ts';
import { PROJECTS, projectsChanged } from '../project-queries.ts';

export type SaveProject = (from: UnsavedFields) => Promise<unknown>;
export type ProjectConflict = FormConflict<UnsavedFields, FlatFields>;
export type ProjectFormState = ReturnType<typeof useProjectForm>;

const savesOf = (versions: Version[]): ProjectConflict['saves'] =>
  versions.map((one) => ({ key: one.number, name: savedBy(one), at: one.at, what: summaryOf(one) }));

type FormOptions = { id: string; start: UnsavedFields; failed: string; check?: () => Record<string, string | false> };

export function useProjectForm({ id, start, failed, check = () => ({}) }: FormOptions) {
  const { projectFacts } = useFacts();
  const credits = useRef<HTMLDivElement>(null);
  const form = useUnsaved<ProjectFields, UnsavedFields, FlatFields>({
    id,
    start,
    isNewer: (one, other) => one.seen > other.seen || one.version > other.version || one.staged > other.staged,
    hasMore: ({ media, team }) => media.length + team.length > 0,
    flat: flatFields,
    nested: nestedFields,
    async findLatest({ version }) {
      const latest = await findProjectInFull(clients().data(), id);
      if (!latest) throw new ApiError(messages.failedToLoadProject);
      return { latest: startOf(latest), saves: savesOf(await listVersionsAfter(clients().data(), id, version)) };
    },
    onChanged: projectsChanged,
    failed,
  });
  const { element, setState } = form;
  const [returned, setReturned] = useState(form.unsaved);
  const [next, setNext] = useState<{ id: string } | null>(null);
  const navigate = useNavigate();
  // Navigates after the state has changed, because the leave guard needs a confirmation while fields are unsaved.
  useEffect(() => {
    if (next) void navigate(href('/admin/projects/:id', next));
  }, [next, navigate]);

  function submit(save: SaveProject, what = form.state): Promise<void> {
    const send = async () => {
      requireFields({ ...checkFields(what.fields, projectFacts), ...unreadableIn(element.current), ...check() });
      try {
        await save(what);
      } catch (error) {
        element.current?.scrollIntoView({ block: 'start' });
        throw error;
      }
    };
    return form.run(send, undefined, {
      focus: (field) => (field === 'credits' ? credits.current?.focus() : focusField(element.current, field)),
    });
  }

  return {
    ...form,
    returned,
    // A new object each time: the guard may have kept the user here before.
    leaveTo: (id: string) => setNext({ id }),
    credits,
    setBelongings: (change: (known: UnsavedFields) => Partial<Pick<UnsavedFields, 'media' | 'team'>>) =>
      setState((known) => ({ ...known, ...change(known) })),
    discard() {
      form.replace(start);
      setReturned(false);
    },
    submit,
  };
}

/** Form state of a stored project; never overwrites changes saved since the project or its revision was read. */
export function useEditing(project: ProjectInFull) {
  const { id } = project;
  const form = useProjectForm({ id, start: startOf(project), failed: 'Failed to update project' });
  const revision = revisionOf(project);
  const [settled, setSettled] = useState('');
  const state = `${project.updated_at} ${revision?.updated_at}`;
  const since = revision?.base_version ?? 0;
  const options = { ...fromCache, enabled: revision !== null };
  const newer = useRead([PROJECTS, 'newer', id, since], (data) => listVersionsAfter(data, id, since), options).data;

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
    return { meeting, saves: savesOf(newer ?? []), latest: startOf(project), write: writeAs(true) };
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
