import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { EditConflict } from '#lib/data/api-error.ts';
import { useCallerId } from '#session/caller.ts';
import { readStored, writeStored } from '#session/stored.ts';
import { useSubmit } from '#ui/form/use-submit.ts';
import { type Choice, changedFields, type MergeResult, merge, mergedFields } from '../model/conflict.ts';
import { type Typed, unsavedIn } from '../model/unsaved-fields.ts';

type Write<State> = (from: State) => Promise<Partial<State>>;

export interface FormConflict<State, Flat extends object> {
  meeting: MergeResult<Flat>;
  latest: State;
  saves: { key: number; name: string; at: string; what?: string }[];
  write: Write<State>;
}

interface UnsavedOptions<Fields extends object, State extends Typed<Fields>, Flat extends object> {
  id: string;
  start: State;
  isNewer: (one: State, other: State) => boolean;
  hasMore?: (state: State) => boolean;
  flat: (fields: Fields) => Flat;
  nested: (flat: Flat) => Fields;
  findLatest: (from: State) => Promise<Pick<FormConflict<State, Flat>, 'latest' | 'saves'>>;
  onChanged: (cache: QueryClient) => Promise<unknown>;
  failed: string;
  reasonOf?: (error: unknown, otherwise: string) => string;
}

/** Input survives a reload of the tab, and never overwrites what others saved. */
export function useUnsaved<Fields extends object, State extends Typed<Fields>, Flat extends object>(
  options: UnsavedOptions<Fields, State, Flat>,
) {
  const { id, start, isNewer, hasMore = () => false, flat, nested, findLatest, onChanged, failed, reasonOf } = options;
  const cache = useQueryClient();
  // Input stays with the user who typed it, even when another user signs in.
  const [key] = useState(`madhouse-unsaved-${useCallerId()}-${id}`);
  const element = useRef<HTMLFormElement>(null);
  const [state, setState] = useState(() => unsavedIn(readStored('sessionStorage', key), start) ?? start);
  const [conflict, setConflict] = useState<FormConflict<State, Flat> | null>(null);
  const form = useSubmit(failed, reasonOf);
  const unsaved = hasMore(state) || changedFields(flat(state.base), flat(state.fields)).length > 0;

  // Shows newer stored data when nothing was typed.
  useEffect(() => {
    if (!unsaved && isNewer(start, state)) setState(start);
  });
  useEffect(() => {
    if (!unsaved) return writeStored('sessionStorage', key, null);
    const storeInput = () => writeStored('sessionStorage', key, JSON.stringify(state));
    const timer = setTimeout(storeInput, 300);
    addEventListener('pagehide', storeInput);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', storeInput);
    };
  }, [key, state, unsaved]);

  function setFields(change: Partial<Fields>) {
    const changed = changedFields(flat(state.fields), flat({ ...state.fields, ...change }));
    for (const place of Object.keys(form.wrong))
      if (changed.some((field) => place === field || place.startsWith(`${field}.`))) form.settle(place);
    setState((known) => ({ ...known, fields: { ...known.fields, ...change } }));
  }

  function replace(next: State) {
    setState(next);
    setConflict(null);
    form.reset();
  }

  /** @returns what changed besides the fields; null when others saved meanwhile */
  async function save(write: Write<State>, from: State): Promise<Partial<State> | null> {
    let change: Partial<State>;
    try {
      change = await write(from);
    } catch (error) {
      if (!(error instanceof EditConflict)) throw error;
      const found = await findLatest(from);
      const meeting = merge(flat(from.base), flat(from.fields), flat(found.latest.fields));
      // The other change is outside this form, or equal.
      if (meeting.both.length + meeting.onlyTheirs.length === 0)
        return save(write, { ...found.latest, base: from.base, fields: from.fields });
      await onChanged(cache);
      setConflict({ meeting, write, ...found });
      return null;
    }
    setState((known) => ({ ...known, base: from.fields, ...change }));
    setConflict(null);
    await onChanged(cache);
    return change;
  }

  return {
    ...form,
    ...state,
    state,
    setState,
    setFields,
    unsaved,
    errors: form.wrong,
    conflict,
    element,
    replace,
    save,
    resolve({ meeting, latest }: FormConflict<State, Flat>, choose: (field: keyof Flat & string) => Choice): State {
      const next = { ...latest, base: nested(meeting.theirs), fields: nested(mergedFields(meeting, choose)) };
      replace(next);
      return next;
    },
    forget: () => writeStored('sessionStorage', key, null),
    changed: () => onChanged(cache),
  };
}
