import { type Ref, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { withTag } from '#features/projects/model/tags.ts';
import { newId } from '#lib/data/ids.ts';
import { MAX_CREDIT_NAME_LENGTH, MAX_LABEL_LENGTH } from '#lib/data/limits.ts';
import { MADE } from '#lib/words/credits.ts';
import { IconButton } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { StepButtons } from '#ui/form/sort-controls.tsx';
import { TagsField } from '#ui/form/tags-field.tsx';
import { focusField } from '#ui/form/use-submit.ts';
import { Icon } from '#ui/icon.tsx';
import { CreditShares } from './credit-strip.tsx';
import { type CreditProblem, type CreditRow, creditsProblem, nameOfRow, newRow, sharesSoFar } from './model/rows.ts';
import './credits-editor.css';

const SUGGESTIONS = ['Idea', 'Writing', 'Pictures', 'Film', 'Code', 'Sound'];

interface CreditsEditorProps {
  id: string;
  ref?: Ref<HTMLDivElement>;
  rows: CreditRow[];
  /** After a submit attempt, missing fields are reported too. */
  complain: boolean;
  people?: readonly string[];
  onChange: (rows: CreditRow[]) => void;
}

export function CreditsEditor({ id, ref, rows, complain, people = [], onChange }: CreditsEditorProps) {
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
        {[...unusedSuggestions, ''].map((part) => (
          <button
            key={part}
            type="button"
            className="chip"
            name={part ? undefined : 'other-part'}
            aria-label={part ? `Add ${part}` : undefined}
            onClick={({ currentTarget }) => add(part, currentTarget)}
          >
            <Icon name="plus" />
            {part || 'Add another part'}
          </button>
        ))}
      </div>
      <p className="hidden-text" role="status">
        {said}
      </p>
    </div>
  );
}

const remove = (name: string) => `Remove ${name}`;
const PEOPLE = { label: 'People', hint: 'One name at a time. Enter adds it.', add: 'Add person', remove };
const TOOLS = { label: 'Tools', hint: 'Programs, models, instruments.', add: 'Add tool', remove };
const CHOICES = { hand: 'By hand', together: 'Together', machine: 'By machine' };

interface CreditRowProps {
  row: CreditRow;
  place: number;
  last: boolean;
  problem: CreditProblem | null;
  parts: string;
  people: readonly string[];
  onChange: (part: Partial<CreditRow>) => void;
  onStep: (by: 1 | -1, button: HTMLButtonElement) => void;
  onRemove: (button: HTMLButtonElement) => void;
}

function CreditRowFields({ row, place, last, problem, parts, people, onChange, onStep, onRemove }: CreditRowProps) {
  const name = nameOfRow(row, place);
  const messageAt = (at: CreditProblem['at']) => (problem?.at === at ? problem.message : null);
  const madeError = messageAt('made');
  const hidden = [row.people.concat(row.person || []), row.tools.concat(row.tool || [])].flat().join(', ');
  const namesIn = (field: 'people' | 'tools', typedField: 'person' | 'tool') => ({
    limit: MAX_CREDIT_NAME_LENGTH,
    tags: row[field],
    error: messageAt(field),
    typing: { typed: row[typedField], onType: (typed: string) => onChange({ [typedField]: typed }) },
    onAdd: (typed: string) => onChange({ [field]: withTag(row[field], typed), [typedField]: '' }),
    onRemove: (gone: string) => onChange({ [field]: row[field].filter((each) => each !== gone) }),
  });
  const isOpened = useRef(false);
  isOpened.current ||= messageAt('people') !== null || messageAt('tools') !== null;
  return (
    <fieldset className="stack credit-row panel shrink pad-4">
      <legend className="hidden-text">{name}</legend>
      <div className="cluster bottom gap-3 credit-row-part">
        <TextField
          label="Part of the work"
          name={`part-${row.key}`}
          list={parts}
          limit={MAX_LABEL_LENGTH}
          autoComplete="off"
          value={row.part}
          error={messageAt('part')}
          onChange={({ target }) => onChange({ part: target.value })}
        />
        <div className="inline gap-0 push">
          <StepButtons name={name} first={place === 0} last={last} onStep={onStep} />
          <IconButton
            icon="trash"
            className="sort-button"
            label={remove(name)}
            onClick={({ currentTarget }) => onRemove(currentTarget)}
          />
        </div>
      </div>
      <fieldset className="shrink">
        <legend className="bold">How was it made?</legend>
        <div className="cluster gap-2 gap-above-small">
          {MADE.map((made) => (
            <label key={made} className="credit-choice paper tap gap-2 framed" data-made={made}>
              <input
                type="radio"
                name={`made-${row.key}`}
                checked={row.made === made}
                aria-describedby={madeError ? `made-${row.key}-error` : undefined}
                aria-invalid={madeError ? true : undefined}
                onChange={() => onChange({ made })}
              />
              {CHOICES[made]}
            </label>
          ))}
        </div>
        {madeError && (
          <span className="field-error" id={`made-${row.key}-error`} role="alert">
            {madeError}
          </span>
        )}
      </fieldset>
      <details className="credit-names" open={isOpened.current || undefined}>
        <summary>
          People and tools
          {hidden && <span className="credit-names-given quiet">: {hidden}</span>}
        </summary>
        <div className="stack credit-names-fields">
          <TagsField words={PEOPLE} suggestions={people} {...namesIn('people', 'person')} />
          <TagsField words={TOOLS} {...namesIn('tools', 'tool')} />
        </div>
      </details>
    </fieldset>
  );
}
