import { useId } from 'react';
import { newId } from '#lib/data/ids.ts';
import { Button } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { byCut, byInput, LONGEST_IN_PLAN, PEOPLE_CUTS, type PlannedProject, type PlanPerson } from './model/plan.ts';
import type { PlanProblems } from './model/sheet.ts';
import { splitSheet as words } from './words/split-sheet.ts';
import { cutNames } from './words/terms.ts';

type Line = PlanPerson & { key: string };

export function PeopleFields({
  lines,
  investors,
  members,
  problems,
  onLines,
}: {
  lines: Line[];
  investors: string;
  members: PlannedProject['members'];
  problems: PlanProblems;
  onLines: (lines: Line[]) => void;
}) {
  const list = useId();
  return (
    <>
      <datalist id={list}>
        {[...new Set(members.map(({ name }) => name))].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {PEOPLE_CUTS.map((cut) => (
        <fieldset
          className="split-cut hairline pad-top-3"
          key={cut}
          hidden={cut === 'investors' && investors.trim() === '0'}
        >
          <legend className="bold">{cutNames[cut]}</legend>
          <p className="field-hint">{words.hint[cut]}</p>
          {problems[`cut.${cut}`] && (
            <p className="field-error" role="alert">
              {problems[`cut.${cut}`]}
            </p>
          )}
          <ul>
            {lines.map(
              (line, at) =>
                line.cut === cut && (
                  <li key={line.key}>
                    <Person
                      line={line}
                      list={list}
                      members={members}
                      missing={problems[`cut.${cut}`] !== undefined}
                      problems={{ name: problems[`people.${at}.name`], input: problems[`people.${at}.input`] }}
                      onChange={(change) => onLines(lines.with(at, { ...line, ...change }))}
                      onRemove={() => onLines(lines.toSpliced(at, 1))}
                    />
                  </li>
                ),
            )}
          </ul>
          <Button
            variant="quiet"
            size="admin"
            onClick={() => onLines(byCut([...lines, { key: newId(), cut, name: '', member: null, input: '' }]))}
          >
            <Icon name="plus" /> {words.add(cutNames[cut])}
          </Button>
        </fieldset>
      ))}
    </>
  );
}

function Person({
  line: { cut, name, member, input },
  list,
  members,
  missing,
  problems,
  onChange,
  onRemove,
}: {
  line: Line;
  list: string;
  members: PlannedProject['members'];
  missing: boolean;
  problems: { name: string | undefined; input: string | undefined };
  onChange: (change: Partial<PlanPerson>) => void;
  onRemove: () => void;
}) {
  const id = useId();
  const memberCalled = (typed: string) => members.find((known) => known.name === typed.trim())?.member ?? null;
  return (
    <div className="split-person stack gap-2 top">
      <span>
        <input
          className="field-input"
          list={list}
          aria-label={`${cutNames[cut]}: ${words.name}`}
          aria-invalid={problems.name || missing ? true : undefined}
          aria-describedby={`${id}-name`}
          autoComplete="off"
          maxLength={LONGEST_IN_PLAN.name}
          placeholder={words.name}
          value={name}
          onChange={({ target }) => onChange({ name: target.value, member: memberCalled(target.value) })}
        />
        <span className={problems.name ? 'field-error' : 'field-hint'} id={`${id}-name`}>
          {problems.name ?? (member ? words.member : '')}
        </span>
      </span>
      {byInput(cut) && (
        <span className="split-input">
          <input
            className="field-input amount"
            aria-label={`${cutNames[cut]}: ${words.input}${name ? `, ${name}` : ''}`}
            aria-invalid={problems.input ? true : undefined}
            aria-describedby={problems.input ? `${id}-input` : undefined}
            inputMode="decimal"
            autoComplete="off"
            maxLength={LONGEST_IN_PLAN.input}
            placeholder={words.input}
            value={input}
            onChange={({ target }) => onChange({ input: target.value })}
          />
          {problems.input && (
            <span className="field-error" id={`${id}-input`}>
              {problems.input}
            </span>
          )}
        </span>
      )}
      <button type="button" className="icon-button" aria-label={words.remove(name)} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </div>
  );
}
