import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { focusField } from '#ui/form/use-submit.ts';
import { restoreFocus } from '#ui/restore-focus.ts';
import { Moment } from '#ui/time.tsx';
import type { Choice } from '../model/conflict.ts';
import type { FormConflict } from './use-unsaved.ts';
import '../projects.css';

interface ConflictProps<State, Fields extends object> {
  thing: 'project' | 'page';
  title?: string;
  met: FormConflict<State, Fields>;
  form: {
    busy: boolean;
    element: RefObject<HTMLFormElement | null>;
    resolve: (met: FormConflict<State, Fields>, choose: (field: keyof Fields & string) => Choice) => State;
  };
  nameOf: (field: keyof Fields & string) => string;
  compare: (field: keyof Fields & string) => { difference: ReactNode } | Record<Choice, string>;
  onSave: (chosen: State) => void;
}

/** What to do about changes that were saved while the user was writing. */
export function Conflict<State, Fields extends object>(props: ConflictProps<State, Fields>) {
  const { thing, title: heading = `Someone saved this ${thing} while you were writing` } = props;
  const { met, form, nameOf, compare, onSave } = props;
  const { both, onlyTheirs, onlyMine, theirs } = met.meeting;
  const { say } = useStatus();
  const [comparing, setComparing] = useState(false);
  const [choices, setChoices] = useState<Partial<Record<keyof Fields, Choice>>>({});
  const choiceOf = (field: keyof Fields): Choice => choices[field] ?? 'mine';
  const save = () => onSave(form.resolve(met, choiceOf));
  // Like submitting, adds a tag that is only typed. The event does not bubble, so nothing is saved.
  const takeTyped = () => {
    form.element.current?.dispatchEvent(new Event('submit'));
    restoreFocus(title.current);
  };
  function keepTheirs() {
    form.resolve(met, () => 'theirs');
    focusField(form.element.current, Object.keys(theirs)[0]);
    say('Their version is in the form.');
  }
  const namesOf = (fields: (keyof Fields & string)[]) => fields.map(nameOf).join(', ');
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus();
    title.current?.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <section className="stack gap-3 conflict edge panel pad-5 below-5" aria-labelledby="conflict">
      <h2 id="conflict" ref={title} tabIndex={-1}>
        {heading}
      </h2>
      <ul className="conflict-saves anywhere">
        {met.saves.map(({ key, name, at, what }) => (
          <li key={key}>
            <strong>{name}</strong>, <Moment at={at} />
            {what && `: ${what}`}
          </li>
        ))}
      </ul>
      <p>Nothing was overwritten, and nothing you typed is lost.</p>
      <p>
        {both.length > 0
          ? `You both changed: ${namesOf(both)}. Choose which version to keep.`
          : 'You changed different fields, so both changes can be kept.'}
      </p>
      {onlyTheirs.length > 0 && <p>They also changed: {namesOf(onlyTheirs)}. Their change is kept.</p>}
      {onlyMine.length > 0 && both.length > 0 && (
        <p>You also changed: {namesOf(onlyMine)}. Your change is kept in the form.</p>
      )}
      {comparing &&
        both.map((field) => {
          const sides = compare(field);
          return (
            <fieldset className="conflict-field paper anywhere framed pad-4" key={field}>
              <legend className="bold">{nameOf(field)}</legend>
              {'difference' in sides && (
                <>
                  <p className="field-hint">What yours changes in theirs:</p>
                  {sides.difference}
                </>
              )}
              {(['theirs', 'mine'] as const).map((whose) => (
                <label className="check" key={whose}>
                  <input
                    type="radio"
                    name={`conflict-${field}`}
                    checked={choiceOf(field) === whose}
                    onChange={() => setChoices((known) => ({ ...known, [field]: whose }))}
                  />
                  <span>
                    {whose === 'mine' ? 'Mine' : 'Theirs'}
                    {whose in sides && `: ${sides[whose as keyof typeof sides]}`}
                  </span>
                </label>
              ))}
            </fieldset>
          );
        })}
      {/* Keyed by the conflicts: a click that adds one with such a tag shows it, and decides nothing. */}
      <div className="button-row" onClickCapture={takeTyped}>
        {comparing || both.length === 0 ? (
          <SmallButton key={`save ${both}`} variant="primary" busy={form.busy} onClick={save}>
            {both.length === 0 ? 'Save mine too' : 'Save this choice'}
          </SmallButton>
        ) : (
          <>
            <SmallButton key={`theirs ${both}`} onClick={keepTheirs}>
              Keep theirs
            </SmallButton>
            <SmallButton key={`mine ${both}`} busy={form.busy} onClick={save}>
              Take mine
            </SmallButton>
            <SmallButton onClick={() => setComparing(true)}>Compare field by field</SmallButton>
          </>
        )}
      </div>
    </section>
  );
}
