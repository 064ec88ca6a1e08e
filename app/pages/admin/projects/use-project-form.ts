import { useEffect, useRef, useState } from 'react';
import { changedFields } from '../../../models/project/conflict.ts';
import { checkFields, type ProjectFields, valuesOf } from '../../../models/project/form.ts';
import { forgetUnsaved, keepUnsaved, readUnsaved, type UnsavedFields } from '../../../models/project/unsaved-fields.ts';
import type { ProjectValues } from '../../../models/project/write.ts';
import { useCallerId } from '../../../session/caller.ts';
import { requireFields, useSubmit } from '../../../ui/form/use-submit.ts';

// Between a change and its copy, in ms.
const KEEP_AFTER = 300;

/** Stores the values; `from` is what was typed, and what it started from. */
export type SaveProject = (values: ProjectValues, from: UnsavedFields) => Promise<void>;

export type ProjectFormState = ReturnType<typeof useProjectForm>;

/**
 * The fields of a project as they are typed. They outlive a reload of the tab until they are saved or discarded.
 * @param id of the project; `new` for one that does not exist yet
 * @param start the stored fields
 * @param seen updated_at of what is stored; '' for a new one
 * @param failed said when a failure gives no reason
 */
export function useProjectForm({
  id,
  start,
  seen,
  failed,
}: {
  id: string;
  start: ProjectFields;
  seen: string;
  failed: string;
}) {
  // Whoever began to type: what stands here is theirs, also when another signs in meanwhile.
  const [user] = useState(useCallerId());
  const [state, setState] = useState<UnsavedFields>(
    () => readUnsaved(sessionStorage, user, id) ?? { base: start, fields: start, seen },
  );
  const [returned, setReturned] = useState(() => changedFields(state.base, state.fields).length > 0);
  const { busy, failure, wrong, run, reset } = useSubmit(failed);
  const form = useRef<HTMLFormElement>(null);
  const { base, fields } = state;
  const unsaved = changedFields(base, fields).length > 0;

  // Nothing was typed, so what was stored meanwhile may be shown.
  if (!unsaved && seen > state.seen) setState({ base: start, fields: start, seen });

  useEffect(() => {
    if (!unsaved) {
      forgetUnsaved(sessionStorage, user, id);
      return;
    }
    const write = () => keepUnsaved(sessionStorage, user, id, state);
    const timer = setTimeout(write, KEEP_AFTER);
    addEventListener('pagehide', write);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', write);
    };
  }, [user, id, state, unsaved]);

  /** @param what to be saved instead of what stands in the form */
  function submit(save: SaveProject, what = state): Promise<void> {
    const send = async () => {
      requireFields(checkFields(what.fields));
      try {
        await save(valuesOf(what.fields), what);
      } catch (error) {
        form.current?.scrollIntoView({ block: 'start' });
        throw error;
      }
    };
    return run(send, undefined, { form: form.current });
  }

  return {
    ...state,
    unsaved,
    /** Fields of an earlier visit of this tab are shown. */
    returned,
    errors: wrong,
    failure,
    busy,
    form,
    set: (change: Partial<ProjectFields>) =>
      setState((known) => ({ ...known, fields: { ...known.fields, ...change } })),
    /** Goes on from another beginning. */
    replace(next: UnsavedFields) {
      setState(next);
      reset();
    },
    discard() {
      setState({ base: start, fields: start, seen });
      reset();
      setReturned(false);
    },
    /** Leaving for good: nothing comes back. */
    forget: () => forgetUnsaved(sessionStorage, user, id),
    submit,
  };
}
