import { useEffect, useRef, useState } from 'react';
import { useFacts } from '#context/use-facts.ts';
import { useCallerId } from '#session/caller.ts';
import { focusField, requireFields, useSubmit } from '#ui/form/use-submit.ts';
import { changedFields } from '../model/conflict.ts';
import { flatFields, type ProjectFields } from '../model/fields.ts';
import { checkFields, valuesOf } from '../model/form.ts';
import { forgetUnsaved, keepUnsaved, readUnsaved, type UnsavedFields } from '../model/unsaved-fields.ts';
import type { ProjectValues } from '../model/write.ts';

const SAVE_DELAY_MS = 300;

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
  check?: () => Record<string, string | false>;
}) {
  // Input stays with the user who typed it, even when another user signs in.
  const [user] = useState(useCallerId());
  const { projectFacts } = useFacts();
  const element = useRef<HTMLFormElement>(null);
  const credits = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<UnsavedFields>(() => readUnsaved(sessionStorage, user, id) ?? start);
  const { base, fields, media, team } = state;
  const unsaved = changedFields(flatFields(base), flatFields(fields)).length + media.length + team.length > 0;
  const [returned, setReturned] = useState(unsaved);
  const { busy, failure, wrong, run, reset, settle } = useSubmit(failed);

  // Shows newer stored data when nothing was typed.
  useEffect(() => {
    const isNewer = start.seen > state.seen || start.version > state.version || start.staged > state.staged;
    if (!unsaved && isNewer) setState(start);
  });

  useEffect(() => {
    if (!unsaved) {
      forgetUnsaved(sessionStorage, user, id);
      return;
    }
    const saveInput = () => keepUnsaved(sessionStorage, user, id, state);
    const timer = setTimeout(saveInput, SAVE_DELAY_MS);
    addEventListener('pagehide', saveInput);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', saveInput);
    };
  }, [user, id, state, unsaved]);

  function submit(save: SaveProject, what = state): Promise<void> {
    const send = async () => {
      requireFields({ ...checkFields(what.fields, projectFacts), ...check() });
      try {
        await save(valuesOf(what.fields), what);
      } catch (error) {
        element.current?.scrollIntoView({ block: 'start' });
        throw error;
      }
    };
    return run(send, undefined, {
      focus: (field) => (field === 'credits' ? credits.current?.focus() : focusField(element.current, field)),
    });
  }

  return {
    fields,
    media,
    team,
    unsaved,
    returned,
    errors: wrong,
    settle,
    failure,
    busy,
    element,
    credits,
    set: (change: Partial<ProjectFields>) =>
      setState((known) => ({ ...known, fields: { ...known.fields, ...change } })),
    setBelongings: (change: (known: UnsavedFields) => Partial<Pick<UnsavedFields, 'media' | 'team'>>) =>
      setState((known) => ({ ...known, ...change(known) })),
    replace(next: UnsavedFields) {
      setState(next);
      reset();
    },
    discard() {
      setState(start);
      reset();
      setReturned(false);
    },
    forget: () => forgetUnsaved(sessionStorage, user, id),
    submit,
  };
}
