import { useEffect, useMemo, useState } from 'react';
import { changedFields } from '../../../models/project/conflict.ts';
import {
  checkFields,
  type ProjectFields,
  plainFieldsIn,
  plainFieldsOf,
  valuesOf,
} from '../../../models/project/form.ts';
import { forgetUnsaved, keepUnsaved, readUnsaved, type UnsavedFields } from '../../../models/project/unsaved-fields.ts';
import type { ProjectValues } from '../../../models/project/write.ts';
import { useCallerId } from '../../../session/caller.ts';
import { requireFields, useSubmit } from '../../../ui/form/use-submit.ts';
import { typeInto, useTyped } from '../../../ui/form/use-typed.ts';

// Between a change and its copy, in ms.
const KEEP_AFTER = 300;

/** Stores the values; `from` is what was typed, and what it started from. */
export type SaveProject = (values: ProjectValues, from: UnsavedFields) => Promise<void>;

export type ProjectFormState = ReturnType<typeof useProjectForm>;

/**
 * The form of a project: inputs of the browser's own, with rich texts and lists beside them. What is typed
 * outlives a reload of the tab until it is saved or discarded.
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
  const [element, attach] = useState<HTMLFormElement | null>(null);
  // Of the fields, lists and rich texts are as they are now, inputs as they were filled.
  const [filled, setFilled] = useState<UnsavedFields>(
    () => readUnsaved(sessionStorage, user, id) ?? { base: start, fields: start, seen },
  );
  const typed = useTyped(element, plainFieldsIn);
  const state = useMemo(() => ({ ...filled, fields: { ...filled.fields, ...typed } }), [filled, typed]);
  const { base, fields } = state;
  const unsaved = changedFields(base, fields).length > 0;
  const [returned, setReturned] = useState(unsaved);
  const { busy, failure, wrong, run, reset } = useSubmit(failed);

  function fill(next: UnsavedFields) {
    setFilled(next);
    typeInto(element!, { ...plainFieldsOf(next.fields) });
  }

  // Nothing was typed, so what was stored meanwhile may be shown.
  useEffect(() => {
    if (element && !unsaved && seen > filled.seen) fill({ base: start, fields: start, seen });
  });

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
        element?.scrollIntoView({ block: 'start' });
        throw error;
      }
    };
    return run(send, undefined, { form: element });
  }

  return {
    /** For what edits them: lists and rich texts as they are now, inputs as they were filled. */
    fields: filled.fields,
    unsaved,
    /** Fields of an earlier visit of this tab are shown. */
    returned,
    errors: wrong,
    failure,
    busy,
    element,
    attach,
    /** Changes a list or a rich text. */
    set: (change: Partial<ProjectFields>) =>
      setFilled((known) => ({ ...known, fields: { ...known.fields, ...change } })),
    /** Goes on from another beginning. */
    replace(next: UnsavedFields) {
      fill(next);
      reset();
    },
    discard() {
      fill({ base: start, fields: start, seen });
      reset();
      setReturned(false);
    },
    /** Leaving for good: nothing comes back. */
    forget: () => forgetUnsaved(sessionStorage, user, id),
    submit,
  };
}
