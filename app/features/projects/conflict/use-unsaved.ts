import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { EditConflict } from '#lib/data/api-error.ts';
import { useCallerId } from '#session/caller.ts';
import { readStored, writeStored } from '#session/stored.ts';
import { useOpenWork } from '#ui/admin/leave-guard.tsx';
import { keepFocus } from '#ui/form/keep-focus.ts';
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

/** Input survives a reload and the end of the session, and never overwrites what others saved. */
export function useUnsaved<Fields extends object, State extends Typed<Fields>, Flat extends object>(
  options: UnsavedOptions<Fields, State, Flat>,
) {
  const { id, start, isNewer, hasMore = () => false, flat, nested, findLatest, onChanged, failed, reasonOf } = options;
  const cache = useQueryClient();
  const element = useRef<HTMLFormElement>(null);
  const { key, input } = useRestoredInput<State>(id, (text) => unsavedIn(text, start));
  const [state, setState] = useState(input ?? start);
  const [met, setMet] = useState<Omit<FormConflict<State, Flat>, 'meeting'> | null>(null);
  const form = useSubmit(failed, reasonOf);
  const unsaved = hasMore(state) || changedFields(flat(state.base), flat(state.fields)).length > 0;
  useStoredInput(key, unsaved ? state : null);
  useEffect(() => keepFocus(element.current), []);
  const meet = ({ base, fields }: State, latest: State) => merge(flat(base), flat(fields), flat(latest.fields));

  // Shows newer stored data when nothing was typed.
  useEffect(() => {
    if (!unsaved && isNewer(start, state)) setState(start);
  });

  function setFields(change: Partial<Fields>) {
    const changed = changedFields(flat(state.fields), flat({ ...state.fields, ...change }));
    for (const place of Object.keys(form.wrong))
      if (changed.some((field) => place === field || place.startsWith(`${field}.`))) form.settle(place);
    setState((known) => ({ ...known, fields: { ...known.fields, ...change } }));
  }

  function replace(next: State) {
    setState(next);
    setMet(null);
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
      const { both, onlyTheirs } = meet(from, found.latest);
      // The other change is outside this form, or equal.
      if (both.length + onlyTheirs.length === 0)
        return save(write, { ...found.latest, base: from.base, fields: from.fields });
      await onChanged(cache);
      setMet({ write, ...found });
      return null;
    }
    setState((known) => ({ ...known, base: from.fields, ...change }));
    setMet(null);
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
    // Compared with each change, because typing continues while it is shown.
    conflict: met && { ...met, meeting: meet(state, met.latest) },
    element,
    replace,
    save,
    resolve({ meeting, latest }: FormConflict<State, Flat>, choose: (field: keyof Flat & string) => Choice): State {
      const next = { ...latest, base: nested(meeting.theirs), fields: nested(mergedFields(meeting, choose)) };
      replace(next);
      return next;
    },
    changed: () => onChanged(cache),
  };
}

/** Input of a form that this tab stored for the user who typed it; another user who signs in does not get it. */
export function useRestoredInput<Input>(form: string, parse: (text: string | null) => Input | null = parseJson) {
  const key = `madhouse-unsaved-${useCallerId()}-${form}`;
  return useState(() => ({ key, input: parse(readStored('sessionStorage', key)) }))[0];
}

const parseJson = (text: string | null) => JSON.parse(text ?? 'null');

/** Stores input, which then survives a reload and the end of the session. @param input null when nothing is unsaved */
export function useStoredInput(key: string, input: object | null): void {
  useOpenWork(input !== null, () => writeStored('sessionStorage', key, null));
  useEffect(() => writeStored('sessionStorage', key, input && JSON.stringify(input)), [key, input]);
}
