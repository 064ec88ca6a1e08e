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
import { editing as words } from '../words.ts';
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
        {words.metTitle}
      </h2>
      <ul className="conflict-saves anywhere">
        {met.saves.map((save) => (
          <li key={save.number}>
            <strong>{savedBy(save)}</strong>, <Moment at={save.at} />: {summaryOf(save)}
          </li>
        ))}
      </ul>
      <p>{words.metSafe}</p>
      <p>{both.length > 0 ? words.metBoth(namesOf(both)) : words.metNone}</p>
      {onlyTheirs.length > 0 && <p>{words.metTheirs(namesOf(onlyTheirs))}</p>}
      {onlyMine.length > 0 && both.length > 0 && <p>{words.metMine(namesOf(onlyMine))}</p>}
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
            {words.saveBoth}
          </Button>
        ) : comparing ? (
          <Button size="admin" busy={busy} onClick={() => onSave((field) => choices[field] ?? 'mine')}>
            {words.saveChoice}
          </Button>
        ) : (
          <>
            <Button size="admin" variant="secondary" onClick={onKeepTheirs}>
              {words.keepTheirs}
            </Button>
            <Button size="admin" variant="secondary" busy={busy} onClick={() => onSave(() => 'mine')}>
              {words.takeMine}
            </Button>
            <Button size="admin" variant="secondary" onClick={() => setComparing(true)}>
              {words.compare}
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
