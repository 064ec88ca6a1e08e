import { type Ref, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { newId } from '#lib/data/ids.ts';
import { focusField } from '#ui/form/use-submit.ts';
import { Icon } from '#ui/icon.tsx';
import { CreditRowFields } from './credit-row-fields.tsx';
import { CreditShares } from './credit-strip.tsx';
import { type CreditRow, creditsProblem, nameOfRow, newRow, sharesSoFar } from './model/rows.ts';
import './credits-editor.css';

const SUGGESTIONS = ['Idea', 'Writing', 'Pictures', 'Film', 'Code', 'Sound'];

export function CreditsEditor({
  id,
  ref,
  rows,
  complain,
  people = [],
  onChange,
}: {
  id: string;
  ref?: Ref<HTMLDivElement>;
  rows: CreditRow[];
  /** After a submit attempt, missing fields are reported too. */
  complain: boolean;
  people?: readonly string[];
  onChange: (rows: CreditRow[]) => void;
}) {
  const [said, setSaid] = useState('');
  const parts = useId();
  const shares = sharesSoFar(rows);
  const problem = complain ? creditsProblem(rows) : null;
  const unusedSuggestions = SUGGESTIONS.filter((part) => !rows.some((row) => row.part.trim() === part));

  const changeRows = (next: CreditRow[]) => flushSync(() => onChange(next));

  function add(part: string, { form }: HTMLButtonElement) {
    const row = newRow(newId(), part);
    changeRows([...rows, row]);
    if (part) setSaid(`${part} was added.`);
    focusField(form, `${part ? 'made' : 'part'}-${row.key}`);
  }

  function remove(row: CreditRow, at: number, { form }: HTMLButtonElement) {
    changeRows(rows.toSpliced(at, 1));
    setSaid(`${nameOfRow(row, at)} was removed.`);
    const next = rows[at + 1] ?? rows[at - 1];
    focusField(form, next ? `part-${next.key}` : 'other-part');
  }

  function step(row: CreditRow, at: number, by: 1 | -1, button: HTMLButtonElement) {
    changeRows(rows.toSpliced(at, 1).toSpliced(at + by, 0, row));
    setSaid(`${nameOfRow(row, at)} is number ${at + by + 1} of ${rows.length} now.`);
    button.focus();
  }

  return (
    <div className="stack credits-editor" id={id} ref={ref} tabIndex={-1}>
      <p className="field-hint">
        Choose for each part of the work whether people made it, machines, or both. By machine: a model or program made
        what you see; a person chose it. Together: both worked on it. Ordinary tools such as a camera, a drawing program
        or a spell checker count as by hand.
      </p>
      <div className="stack gap-1 credits-so-far">
        {shares ? (
          <>
            <CreditShares shares={shares} />
            <p className="field-hint">
              Each part counts the same, and what was made together counts half. The percentages are calculated.
            </p>
          </>
        ) : (
          <p className="field-hint">No credits yet. Add a part and the bar fills in.</p>
        )}
      </div>
      {rows.length > 0 && (
        <ol className="stack">
          {rows.map((row, at) => (
            <li key={row.key}>
              <CreditRowFields
                row={row}
                place={at}
                last={at === rows.length - 1}
                problem={problem?.key === row.key ? problem : null}
                parts={parts}
                people={people}
                onChange={(part) => onChange(rows.with(at, { ...row, ...part }))}
                onStep={(by, button) => step(row, at, by, button)}
                onRemove={(button) => remove(row, at, button)}
              />
            </li>
          ))}
        </ol>
      )}
      <datalist id={parts}>
        {unusedSuggestions.map((part) => (
          <option key={part} value={part} />
        ))}
      </datalist>
      <div className="cluster gap-2 credits-add">
        {unusedSuggestions.map((part) => (
          <button
            key={part}
            type="button"
            className="chip"
            aria-label={`Add ${part}`}
            onClick={({ currentTarget }) => add(part, currentTarget)}
          >
            <Icon name="plus" />
            {part}
          </button>
        ))}
        <button
          type="button"
          className="chip"
          name="other-part"
          onClick={({ currentTarget }) => add('', currentTarget)}
        >
          <Icon name="plus" />
          Add another part
        </button>
      </div>
      <p className="hidden-text" role="status">
        {said}
      </p>
    </div>
  );
}
