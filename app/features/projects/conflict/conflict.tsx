import { useEffect, useRef, useState } from 'react';
import { wordDiff } from '#lib/data/word-diff.ts';
import { Button } from '#ui/form/button.tsx';
import { Moment } from '#ui/time.tsx';
import type { Choice } from '../model/conflict.ts';
import { kindOf, PROJECT_FIELDS, type ProjectField } from '../model/fields.ts';
import { valuesOf } from '../model/form.ts';
import { valueText } from '../model/value-text.ts';
import { linesOf } from '../model/versions/version-difference.ts';
import { savedBy, summaryOf } from '../model/versions/versions.ts';
import '../projects.css';
import type { ProjectConflict as Met } from '../form/use-editing.ts';
import { DiffText } from '../versions/diff-text.tsx';

const namesOf = (fields: ProjectField[]) => fields.map((field) => PROJECT_FIELDS[field].label).join(', ');

export function Conflict({
  met,
  busy,
  onKeepTheirs,
  onSave,
}: {
  met: Met;
  busy: boolean;
  onKeepTheirs: () => void;
  onSave: (choose: (field: ProjectField) => Choice) => void;
}) {
  const { both, onlyTheirs, onlyMine } = met.meeting;
  const [comparing, setComparing] = useState(false);
  const [choices, setChoices] = useState<Partial<Record<ProjectField, Choice>>>({});
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus();
    title.current?.scrollIntoView({ block: 'start' });
  }, []);
  return (
    <section className="stack gap-3 conflict edge panel pad-5 below-5" aria-labelledby="conflict">
      <h2 id="conflict" ref={title} tabIndex={-1}>
        Someone saved this project while you were writing
      </h2>
      <ul className="conflict-saves anywhere">
        {met.saves.map((save) => (
          <li key={save.number}>
            <strong>{savedBy(save)}</strong>, <Moment at={save.at} />: {summaryOf(save)}
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
        both.map((field) => (
          <Comparison
            key={field}
            field={field}
            met={met}
            choice={choices[field] ?? 'mine'}
            onChoose={(choice) => setChoices((known) => ({ ...known, [field]: choice }))}
          />
        ))}
      <div className="button-row">
        {both.length === 0 ? (
          <Button size="admin" busy={busy} onClick={() => onSave(() => 'mine')}>
            Save mine too
          </Button>
        ) : comparing ? (
          <Button size="admin" busy={busy} onClick={() => onSave((field) => choices[field] ?? 'mine')}>
            Save this choice
          </Button>
        ) : (
          <>
            <Button size="admin" variant="secondary" onClick={onKeepTheirs}>
              Keep theirs
            </Button>
            <Button size="admin" variant="secondary" busy={busy} onClick={() => onSave(() => 'mine')}>
              Take mine
            </Button>
            <Button size="admin" variant="secondary" onClick={() => setComparing(true)}>
              Compare field by field
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

function Comparison({
  field,
  met: {
    meeting: { mine, theirs },
  },
  choice,
  onChoose,
}: {
  field: ProjectField;
  met: Met;
  choice: Choice;
  onChoose: (choice: Choice) => void;
}) {
  const name = PROJECT_FIELDS[field].label;
  const isHtml = kindOf(field) === 'html';
  return (
    <fieldset className="conflict-field paper anywhere framed pad-4">
      <legend>{name}</legend>
      {isHtml && (
        <>
          <p className="field-hint">What yours changes in theirs:</p>
          <DiffText pieces={wordDiff(linesOf(String(theirs[field])), linesOf(String(mine[field])))} />
        </>
      )}
      {(['theirs', 'mine'] as const).map((whose) => (
        <label className="check" key={whose}>
          <input type="radio" name={`conflict-${field}`} checked={choice === whose} onChange={() => onChoose(whose)} />
          <span>
            {whose === 'mine' ? 'Mine' : 'Theirs'}
            {!isHtml && `: ${valueText(field, valuesOf(whose === 'mine' ? mine : theirs)[field]) ?? 'Nothing'}`}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
