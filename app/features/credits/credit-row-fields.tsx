import { useRef } from 'react';
import { withTag } from '#features/projects/model/tags.ts';
import { MAX_CREDIT_NAME_LENGTH, MAX_LABEL_LENGTH } from '#lib/data/limits.ts';
import { MADE } from '#lib/words/credits.ts';
import { IconButton } from '#ui/form/button.tsx';
import { TextField } from '#ui/form/field.tsx';
import { StepButtons } from '#ui/form/sort-controls.tsx';
import { TagsField } from '#ui/form/tags-field.tsx';
import { type CreditProblem, type CreditRow, nameOfRow } from './model/rows.ts';

const remove = (name: string) => `Remove ${name}`;
const PEOPLE = { label: 'People', hint: 'One name at a time. Enter adds it.', add: 'Add person', remove };
const TOOLS = { label: 'Tools', hint: 'Programs, models, instruments.', add: 'Add tool', remove };
const CHOICES = { hand: 'By hand', together: 'Together', machine: 'By machine' };

export function CreditRowFields({
  row,
  place,
  last,
  problem,
  parts,
  people,
  onChange,
  onStep,
  onRemove,
}: {
  row: CreditRow;
  place: number;
  last: boolean;
  problem: CreditProblem | null;
  parts: string;
  people: readonly string[];
  onChange: (part: Partial<CreditRow>) => void;
  onStep: (by: 1 | -1, button: HTMLButtonElement) => void;
  onRemove: (button: HTMLButtonElement) => void;
}) {
  const name = nameOfRow(row, place);
  const messageAt = (at: CreditProblem['at']) => (problem?.at === at ? problem.message : null);
  const hidden = [row.people.concat(row.person || []), row.tools.concat(row.tool || [])].flat().join(', ');
  // Stays open after its last problem is solved.
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
      <MadeChoice row={row} error={messageAt('made')} onChange={onChange} />
      <details className="credit-names" open={isOpened.current || undefined}>
        <summary>
          People and tools
          {hidden && <span className="credit-names-given quiet">: {hidden}</span>}
        </summary>
        <div className="stack credit-names-fields">
          <TagsField
            words={PEOPLE}
            limit={MAX_CREDIT_NAME_LENGTH}
            tags={row.people}
            error={messageAt('people')}
            suggestions={people}
            typing={{ typed: row.person, onType: (person) => onChange({ person }) }}
            onAdd={(typed) => onChange({ people: withTag(row.people, typed), person: '' })}
            onRemove={(gone) => onChange({ people: row.people.filter((each) => each !== gone) })}
          />
          <TagsField
            words={TOOLS}
            limit={MAX_CREDIT_NAME_LENGTH}
            tags={row.tools}
            error={messageAt('tools')}
            typing={{ typed: row.tool, onType: (tool) => onChange({ tool }) }}
            onAdd={(typed) => onChange({ tools: withTag(row.tools, typed), tool: '' })}
            onRemove={(gone) => onChange({ tools: row.tools.filter((each) => each !== gone) })}
          />
        </div>
      </details>
    </fieldset>
  );
}

const MadeChoice = ({
  row,
  error,
  onChange,
}: {
  row: CreditRow;
  error: string | null;
  onChange: (part: Pick<CreditRow, 'made'>) => void;
}) => (
  <fieldset className="shrink">
    <legend className="bold">How was it made?</legend>
    <div className="cluster gap-2 gap-above-small">
      {MADE.map((made) => (
        <label key={made} className="credit-choice paper tap gap-2 framed" data-made={made}>
          <input
            type="radio"
            name={`made-${row.key}`}
            checked={row.made === made}
            aria-describedby={error ? `made-${row.key}-error` : undefined}
            aria-invalid={error ? true : undefined}
            onChange={() => onChange({ made })}
          />
          {CHOICES[made]}
        </label>
      ))}
    </div>
    {error && (
      <span className="field-error" id={`made-${row.key}-error`} role="alert">
        {error}
      </span>
    )}
  </fieldset>
);
