import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const CONTROLS = 'input:not([type="file"], [type="hidden"]), textarea, select';

/** What was done before the page came to life. */
interface EarlyInput {
  /** To be called when all is hydrated, before anything is drawn anew. */
  noteCursor(): void;
  /** Enters what was noted once more, as if it were done now, and notes nothing more. */
  enter(): void;
}

/**
 * Notes what is typed, ticked and chosen while the page has not come to life: React hears nothing of it, and shows its
 * own empty state with the next change. To be called before hydration.
 */
export function noteEarlyInput(): EarlyInput {
  const noted = new Map<Control, string | boolean>();
  // A word that is being composed with an input method comes whole at its end, by itself.
  let composing: EventTarget | null = null;
  const note = ({ target }: Event) => {
    if (target instanceof Element && target.matches(CONTROLS)) noted.set(target as Control, stateOf(target as Control));
  };
  const compose = ({ type, target }: Event) => {
    composing = type === 'compositionend' ? null : target;
  };
  for (const control of document.querySelectorAll<Control>(CONTROLS))
    if (stateOf(control) !== firstStateOf(control)) noted.set(control, stateOf(control));
  const end = new AbortController();
  const options = { capture: true, signal: end.signal };
  for (const type of ['input', 'change']) document.addEventListener(type, note, options);
  for (const type of ['compositionstart', 'compositionend']) document.addEventListener(type, compose, options);

  let cursor: Cursor | null = null;
  return {
    noteCursor() {
      const field = document.activeElement;
      if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
      // Fields for addresses and numbers do not tell where the cursor stands.
      if (field.selectionStart !== null) cursor = { field, start: field.selectionStart, end: field.selectionEnd };
    },
    enter() {
      end.abort();
      // One after the other: a handler may build on what the one before it has made of the state.
      for (const [control, state] of noted)
        if (control.isConnected && !control.matches(':disabled') && control !== composing)
          flushSync(() => enter(control, state));
      if (cursor && noted.has(cursor.field) && cursor.field === document.activeElement && cursor.field !== composing)
        cursor.field.setSelectionRange(cursor.start, cursor.end);
    },
  };
}

interface Cursor {
  field: HTMLInputElement | HTMLTextAreaElement;
  start: number;
  end: number | null;
}

const isTick = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio');

const stateOf = (control: Control) => (isTick(control) ? control.checked : control.value);

/** What the server wrote. */
function firstStateOf(control: Control): string | boolean {
  if (isTick(control)) return control.defaultChecked;
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue;
  const options = [...control.options];
  return (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? '';
}

/** Enters a value so that React takes it for new: it compares with what was last set by its own hand. */
function enter(control: Control, state: string | boolean): void {
  if (isTick(control)) {
    // A radio button that is not chosen was left for another, which says so itself.
    if (control.type === 'radio' && !state) return;
    control.checked = !state;
    control.click();
    return;
  }
  if (!(control instanceof HTMLSelectElement)) control.value = control.defaultValue;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')!.set!.call(control, state);
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }));
}

/**
 * Enters the early input once all that was hydrated has run its effects and what they changed is drawn. It stands around
 * the router: beside it, the two would share out the names that React gives to fields (`useId`) unlike the server.
 */
export function Alive({ early, children }: { early: EarlyInput; children: ReactNode }) {
  const [alive, setAlive] = useState(false);
  useLayoutEffect(() => early.noteCursor(), [early]);
  useEffect(() => setAlive(true), []);
  useLayoutEffect(() => {
    if (alive) queueMicrotask(early.enter);
  }, [alive, early]);
  return children;
}
