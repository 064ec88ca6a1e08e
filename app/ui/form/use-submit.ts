import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { messageOf } from '#lib/data/api-error.ts';

export const NAVIGATING = Symbol('leaving');

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
  const errors = Object.entries(problems).filter((entry): entry is [string, string] => Boolean(entry[1]));
  if (errors.length > 0) throw new WrongFields(Object.fromEntries(errors));
}

/** Problems of numbers and dates that the browser cannot read, so that their fields count as empty. */
export const unreadableIn = (form: HTMLFormElement | null): Problems => {
  const unreadable = controlsIn(form).filter(({ validity }) => validity?.badInput);
  const problem = (type: string) =>
    type === 'date' ? 'Please complete this date, or clear it' : 'This is not a number';
  return Object.fromEntries(unreadable.map(({ name, type }) => [name, problem(type)]));
};

const controlsIn = (form: HTMLFormElement | null) => [...(form?.elements ?? [])] as HTMLInputElement[];

export const textIn = (typed: FormData, name: string): string => String(typed.get(name) ?? '').trim();

/** Shows and focuses the first control with this name, or of a part such as `name.0`, or this id, else an invalid one. */
export function focusField(form: HTMLFormElement | null, wanted: string | null = null): HTMLElement | undefined {
  const controls = controlsIn(form);
  const control =
    controls.find(({ name }) => `${name}.`.startsWith(`${wanted}.`)) ??
    document.getElementById(`${wanted}`) ??
    controls.find(({ ariaInvalid }) => ariaInvalid === 'true');
  for (let around = control?.closest('details'); around; around = around.parentElement?.closest('details'))
    around.open = true;
  control?.focus();
  return control;
}

interface State {
  pressed: string | null;
  done: string | null;
  failure: string | null;
  error: unknown;
  wrong: Record<string, string>;
}

type RunOptions = { name?: string; focus?: (field: string) => void; otherwise?: string };

const quiet: State = { pressed: null, done: null, failure: null, error: null, wrong: {} };

/** Prevents double submits and focuses the first invalid field. @param failed message for an error without one */
export function useSubmit(failed: string, wordsOf: (error: unknown, otherwise: string) => string = messageOf) {
  const [state, setState] = useState(quiet);
  const isRunning = useRef(false);
  const isMounted = useRef(true);
  const change = useCallback((part: Partial<State>) => setState((before) => ({ ...before, ...part })), []);
  const setMessage = useCallback((done: string | null) => change({ done }), [change]);

  useEffect(() => {
    isMounted.current = true;
    // Re-enables the form after back navigation from the browser's cache.
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      isRunning.current = false;
      setState((before) => ({ ...before, pressed: null }));
    };
    addEventListener('pageshow', onPageShow);
    return () => {
      isMounted.current = false;
      removeEventListener('pageshow', onPageShow);
    };
  }, []);

  /** Ignored while another task runs. @param next success message or view @param otherwise replaces `failed` */
  async function run<Result>(
    work: () => Promise<Result>,
    next?: string | ((result: Exclude<Result, typeof NAVIGATING>) => void),
    { name = '', focus, otherwise = failed }: RunOptions = {},
  ): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ ...quiet, pressed: name });
    try {
      const result = await work();
      if (result === NAVIGATING) return;
      isRunning.current = false;
      change({ pressed: null });
      if (typeof next === 'string') setMessage(next);
      else if (isMounted.current) next?.(result as Exclude<Result, typeof NAVIGATING>);
    } catch (error) {
      isRunning.current = false;
      if (!(error instanceof WrongFields)) return setState({ ...quiet, failure: wordsOf(error, otherwise), error });
      // Renders synchronously, because a disabled or missing field cannot be focused.
      flushSync(() => setState({ ...quiet, wrong: error.fields }));
      focus?.(Object.keys(error.fields)[0]!);
    }
  }

  return {
    ...state,
    busy: state.pressed !== null,
    run,
    submit:
      <Result>(
        work: (typed: FormData, pressed: string, form: HTMLFormElement) => Promise<Result>,
        next?: string | ((result: Exclude<Result, typeof NAVIGATING>, form: HTMLFormElement) => void),
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
    say: setMessage,
    settle: (name: string) => setState((before) => ({ ...before, wrong: { ...before.wrong, [name]: '' } })),
    reset: () => setState(({ pressed }) => ({ ...quiet, pressed })),
  };
}
