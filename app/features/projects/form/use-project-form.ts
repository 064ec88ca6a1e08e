import { useEffect, useMemo, useState } from 'react';
import { useCallerId } from '#session/caller.ts';
import { requireFields, useSubmit } from '#ui/form/use-submit.ts';
import { typeInto, useTyped } from '#ui/form/use-typed.ts';
import { changedFields } from '../model/conflict.ts';
import { checkFields, type ProjectFields, plainFieldsIn, plainFieldsOf, valuesOf } from '../model/form.ts';
import { forgetUnsaved, keepUnsaved, readUnsaved, type UnsavedFields } from '../model/unsaved-fields.ts';
import type { ProjectValues } from '../model/write.ts';

const KEEP_AFTER = 300;

export type SaveProject = (values: ProjectValues, from: UnsavedFields) => Promise<void>;

export type ProjectFormState = ReturnType<typeof useProjectForm>;

/** Input survives a reload of the tab until it is saved or discarded. @param id `new` for a project not yet created */
export function useProjectForm({
  id,
  start,
  failed,
  check = () => ({}),
}: {
  id: string;
  start: UnsavedFields;
  failed: string;
  check?: (typed: FormData) => Record<string, string | false>;
}) {
  // Input belongs to the user who started it, even when another user signs in.
  const [user] = useState(useCallerId());
  const [element, attach] = useState<HTMLFormElement | null>(null);
  // Lists and rich texts are current; inputs have their initial values.
  const [filled, setFilled] = useState<UnsavedFields>(() => readUnsaved(sessionStorage, user, id) ?? start);
  const typed = useTyped(element, plainFieldsIn);
  const state = useMemo(() => ({ ...filled, fields: { ...filled.fields, ...typed } }), [filled, typed]);
  const { base, fields, media, team } = state;
  const unsaved = changedFields(base, fields).length + media.length + team.length > 0;
  const [returned, setReturned] = useState(unsaved);
  const { busy, failure, wrong, run, reset, settle } = useSubmit(failed);

  function fill(next: UnsavedFields) {
    setFilled(next);
    typeInto(element!, { ...plainFieldsOf(next.fields) });
  }

  // Without input, newer stored data can be shown.
  useEffect(() => {
    if (element && !unsaved && (start.seen > filled.seen || start.version > filled.version)) fill(start);
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

  function submit(save: SaveProject, what = state): Promise<void> {
    const send = async () => {
      requireFields({ ...checkFields(what.fields), ...(element && check(new FormData(element))) });
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
    fields: filled.fields,
    media,
    team,
    unsaved,
    returned,
    errors: wrong,
    settle,
    failure,
    busy,
    element,
    attach,
    set: (change: Partial<ProjectFields>) =>
      setFilled((known) => ({ ...known, fields: { ...known.fields, ...change } })),
    setBelongings: (change: (known: UnsavedFields) => Partial<Pick<UnsavedFields, 'media' | 'team'>>) =>
      setFilled((known) => ({ ...known, ...change(known) })),
    replace(next: UnsavedFields) {
      fill(next);
      reset();
    },
    discard() {
      fill(start);
      reset();
      setReturned(false);
    },
    forget: () => forgetUnsaved(sessionStorage, user, id),
    submit,
  };
}
