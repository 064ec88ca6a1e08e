import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { messageOf } from '#lib/data/api-error.ts';

export const LEAVING = Symbol('leaving');

type Problems = Partial<Record<string, string | null | false>>;

/** Thrown instead of submitting: errors by field, in their order. */
export class WrongFields extends Error {
  override readonly name = 'WrongFields';
  readonly fields: Record<string, string>;

  constructor(fields: Record<string, string>) {
    super();
    this.fields = fields;
  }
}

export function requireFields(problems: Problems): void {
  const wrong = Object.entries(problems).filter((entry): entry is [string, string] => Boolean(entry[1]));
  if (wrong.length > 0) throw new WrongFields(Object.fromEntries(wrong));
}

export const textIn = (typed: FormData, name: string): string => String(typed.get(name) ?? '').trim();

/**
 * Focuses the first control of a form with this name or id, or of a part of it such as `name.0`, else an invalid one, and
 * opens what hides it.
 */
export function focusField(form: HTMLFormElement | null, wanted: string | null = null): HTMLElement | undefined {
  const controls = [...(form?.elements ?? [])] as HTMLInputElement[];
  const found =
    controls.find(({ name, id }) => name === wanted || id === wanted || name?.startsWith(`${wanted}.`)) ??
    controls.find(({ ariaInvalid }) => ariaInvalid === 'true');
  for (let around = found?.closest('details'); around; around = around.parentElement?.closest('details'))
    around.open = true;
  found?.focus();
  return found;
}

interface State {
  pressed: string | null;
  done: string | null;
  failure: string | null;
  error: unknown;
  wrong: Record<string, string>;
}

const quiet: State = { pressed: null, done: null, failure: null, error: null, wrong: {} };

/** Prevents double submits and focuses the first invalid field. @param failed message for an error without one */
export function useSubmit(failed: string, wordsOf: (error: unknown, otherwise: string) => string = messageOf) {
  const [state, setState] = useState(quiet);
  const underway = useRef(false);
  const here = useRef(true);
  const change = useCallback((part: Partial<State>) => setState((before) => ({ ...before, ...part })), []);
  const say = useCallback((done: string | null) => change({ done }), [change]);

  useEffect(() => {
    here.current = true;
    // Back navigation from the cache must find the form usable.
    const back = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      underway.current = false;
      setState((before) => ({ ...before, pressed: null }));
    };
    addEventListener('pageshow', back);
    return () => {
      here.current = false;
      removeEventListener('pageshow', back);
    };
  }, []);

  /**
   * Ignored while another task is running. @param next success message or next view @param otherwise replaces `failed`
   */
  async function run<Result>(
    work: () => Promise<Result>,
    next?: string | ((result: Exclude<Result, typeof LEAVING>) => void),
    {
      name = '',
      focus,
      otherwise = failed,
    }: { name?: string; focus?: (field: string) => void; otherwise?: string } = {},
  ): Promise<void> {
    if (underway.current) return;
    underway.current = true;
    setState({ ...quiet, pressed: name });
    try {
      const result = await work();
      if (result === LEAVING) return;
      underway.current = false;
      change({ pressed: null });
      if (typeof next === 'string') say(next);
      else if (here.current) next?.(result as Exclude<Result, typeof LEAVING>);
    } catch (error) {
      underway.current = false;
      if (!(error instanceof WrongFields)) return setState({ ...quiet, failure: wordsOf(error, otherwise), error });
      // Synchronously: a disabled or unrendered field cannot be focused.
      flushSync(() => setState({ ...quiet, wrong: error.fields }));
      const [first] = Object.keys(error.fields);
      focus?.(first!);
    }
  }

  return {
    ...state,
    busy: state.pressed !== null,
    run,
    submit:
      <Result>(
        work: (typed: FormData, pressed: string, form: HTMLFormElement) => Promise<Result>,
        next?: string | ((result: Exclude<Result, typeof LEAVING>, form: HTMLFormElement) => void),
      ) =>
      (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        const form = event.currentTarget;
        const typed = new FormData(form);
        const { submitter } = event.nativeEvent as SubmitEvent;
        const name = submitter?.getAttribute('value') ?? '';
        void run(() => work(typed, name, form), typeof next === 'function' ? (result) => next(result, form) : next, {
          name,
          focus: (field) => focusField(form, field),
        });
      },
    say,
    settle: (name: string) => setState((before) => ({ ...before, wrong: { ...before.wrong, [name]: '' } })),
    reset: () => setState(({ pressed }) => ({ ...quiet, pressed })),
  };
}
