import { useId, useLayoutEffect, useRef, useState } from 'react';
import { newId } from '#lib/data/ids.ts';
import { creditFormWords as words } from '#lib/words/credits.ts';
import { CreditRowFields } from './credit-row-fields.tsx';
import { CreditStrip, ShareWords } from './credit-strip.tsx';
import { type CreditRow, creditsProblem, newRow, sharesSoFar } from './model/rows.ts';
import './credits-editor.css';
import { Icon } from '#ui/icon.tsx';

export function CreditsEditor({
  id,
  rows,
  complain,
  people = [],
  onChange,
}: {
  id: string;
  rows: CreditRow[];
  /** After a submit attempt, missing fields are reported too. */
  complain: boolean;
  people?: readonly string[];
  onChange: (rows: CreditRow[]) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const other = useRef<HTMLButtonElement>(null);
  const [said, setSaid] = useState('');
  const parts = useId();
  const shares = sharesSoFar(rows);
  const problem = complain ? creditsProblem(rows) : null;
  const left = words.suggestions.filter((part) => !rows.some((row) => row.part.trim() === part));

  // Focused as soon as it is rendered, so that no keystroke is lost.
  const wanted = useRef<string | null>(null);
  const focusOn = (selector: string) => {
    wanted.current = selector;
  };
  useLayoutEffect(() => {
    const found = wanted.current && place.current?.querySelector<HTMLElement>(wanted.current);
    if (!found) return;
    found.focus();
    wanted.current = null;
  });

  function add(part: string) {
    const row = newRow(newId(), part);
    onChange([...rows, row]);
    if (part) setSaid(words.added(part));
    focusOn(`[data-credit="${row.key}"] ${part ? '[type="radio"]' : 'input'}`);
  }

  function remove(row: CreditRow, at: number) {
    onChange(rows.filter(({ key }) => key !== row.key));
    setSaid(words.removed(words.rowName(row.part, at)));
    const next = rows[at + 1] ?? rows[at - 1];
    if (next) focusOn(`[data-credit="${next.key}"] input`);
    else other.current?.focus();
  }

  function step(row: CreditRow, at: number, by: 1 | -1, button: string) {
    onChange(rows.toSpliced(at, 1).toSpliced(at + by, 0, row));
    setSaid(words.moved(words.rowName(row.part, at), at + by + 1, rows.length));
    focusOn(`[id="${button}"]`);
  }

  return (
    <div className="credits-editor" id={id} ref={place} tabIndex={-1} data-field="credits">
      <p className="field-hint">{words.help}</p>
      <div className="credits-so-far">
        {shares ? (
          <>
            <CreditStrip shares={shares} />
            <p className="slip">
              <ShareWords shares={shares} />
            </p>
            <p className="field-hint">{words.strip}</p>
          </>
        ) : (
          <p className="field-hint">{words.nothingYet}</p>
        )}
      </div>
      {rows.length > 0 && (
        <ol className="stack">
          {rows.map((row, at) => (
            <li key={row.key} data-credit={row.key}>
              <CreditRowFields
                row={row}
                place={at}
                last={at === rows.length - 1}
                problem={problem?.key === row.key ? problem : null}
                parts={parts}
                people={people}
                onChange={(part) => onChange(rows.map((each) => (each.key === row.key ? { ...each, ...part } : each)))}
                onStep={(by, button) => step(row, at, by, button)}
                onRemove={() => remove(row, at)}
              />
            </li>
          ))}
        </ol>
      )}
      <datalist id={parts}>
        {left.map((part) => (
          <option key={part} value={part} />
        ))}
      </datalist>
      <div className="credits-add">
        {left.map((part) => (
          <button key={part} type="button" className="chip" aria-label={words.addPart(part)} onClick={() => add(part)}>
            <Icon name="plus" />
            {part}
          </button>
        ))}
        <button type="button" className="chip" ref={other} onClick={() => add('')}>
          <Icon name="plus" />
          {words.addOther}
        </button>
      </div>
      <p className="hidden-text" role="status">
        {said}
      </p>
    </div>
  );
}
