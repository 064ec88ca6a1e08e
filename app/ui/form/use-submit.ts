import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { messageOf } from '../../models/data/api-error.ts';

/** What a piece of work answers when another page or step is on its way: what was pressed stays busy until it is there. */
export const LEAVING = Symbol('leaving');

type Problems = Partial<Record<string, string | null | false>>;

/** Thrown instead of sending: what is wrong, by the names of fields, in the order they stand in. */
export class WrongFields extends Error {
  override readonly name = 'WrongFields';
  readonly fields: Record<string, string>;

  constructor(fields: Record<string, string>) {
    super();
    this.fields = fields;
  }
}

/** Goes on when nothing is wrong with any field. @throws WrongFields */
export function requireFields(problems: Problems): void {
  const wrong = Object.entries(problems).filter((entry): entry is [string, string] => Boolean(entry[1]));
  if (wrong.length > 0) throw new WrongFields(Object.fromEntries(wrong));
}

/** What was typed into a field, without spaces around it. */
export const textIn = (typed: FormData, name: string): string => String(typed.get(name) ?? '').trim();

interface State {
  /** Which button or which work keeps it busy; null while nothing does. */
  pressed: string | null;
  done: string | null;
  failure: string | null;
  error: unknown;
  wrong: Record<string, string>;
}

const quiet: State = { pressed: null, done: null, failure: null, error: null, wrong: {} };

export type Submit = ReturnType<typeof useSubmit>;

/**
 * What every form does when it is sent: nothing twice, busy meanwhile, then done, refused in words, or led to the first
 * field that is wrong.
 * @param failed said when a failure gives no reason
 * @param wordsOf the sentence for what was thrown: a lost answer, a limit, a refusal
 */
export function useSubmit(failed: string, wordsOf: (error: unknown, otherwise: string) => string = messageOf) {
  const [state, setState] = useState(quiet);
  const underway = useRef(false);
  const here = useRef(true);
  const change = useCallback((part: Partial<State>) => setState((before) => ({ ...before, ...part })), []);
  const say = useCallback((done: string | null) => change({ done }), [change]);
  const complain = useCallback((failure: string) => change({ failure }), [change]);

  useEffect(() => {
    here.current = true;
    // Whoever comes back by history finds the form ready.
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
   * Does one piece of work; not while another is under way.
   * @param next what is said then, or follows on the screen as long as that is there
   * @param name tells which button is busy, where there are several
   * @param otherwise said instead of `failed`
   */
  async function run<Result>(
    work: () => Promise<Result>,
    next?: string | ((result: Exclude<Result, typeof LEAVING>) => void),
    { name = '', form, otherwise = failed }: { name?: string; form?: HTMLFormElement | null; otherwise?: string } = {},
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
      // Drawn at once: what is busy, or not there, takes no focus.
      flushSync(() => setState({ ...quiet, wrong: error.fields }));
      const [first] = Object.keys(error.fields);
      form?.querySelector<HTMLElement>(`[name="${first}"], [data-field="${first}"]`)?.focus();
    }
  }

  return {
    ...state,
    busy: state.pressed !== null,
    run,
    /** For `onSubmit`. The work gets what was typed, and the value of the button that was pressed. */
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
          form,
        });
      },
    /** Tells what was done. */
    say,
    /** Tells what went wrong elsewhere. */
    complain,
    /** What was wrong with a field is being put right. */
    settle: (name: string) => setState((before) => ({ ...before, wrong: { ...before.wrong, [name]: '' } })),
    /** Nothing is said any more. */
    reset: () => setState(({ pressed }) => ({ ...quiet, pressed })),
  };
}
