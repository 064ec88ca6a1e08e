import { useId } from 'react';
import { splitSheet as words } from '../../../copy/admin/split-sheet.ts';
import { cutNames } from '../../../copy/public/split.ts';
import {
  byInput,
  PEOPLE_CUTS,
  type PeopleCut,
  type PlannedProject,
  type PlanPerson,
  type SplitPlan,
} from '../../../models/split/plan.ts';
import type { PlanProblems } from '../../../models/split/sheet.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Icon } from '../../../ui/icon.tsx';

/** Names for each share, and for the team and the investors what each has put in. Members of the team are suggested. */
export function PeopleFields({
  plan,
  members,
  problems,
  onChange,
}: {
  plan: SplitPlan;
  members: PlannedProject['members'];
  problems: PlanProblems;
  onChange: (people: PlanPerson[]) => void;
}) {
  const list = useId();
  const { people } = plan;
  const change = (at: number, part: Partial<PlanPerson>) =>
    onChange(people.map((person, place) => (place === at ? { ...person, ...part } : person)));
  const shown = PEOPLE_CUTS.filter((cut) => cut !== 'investors' || plan.investors.trim() !== '0');
  return (
    <>
      <datalist id={list}>
        {[...new Set(members.map(({ name }) => name))].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {shown.map((cut) => (
        <fieldset className="split-cut" key={cut}>
          <legend className="field-label">{cutNames[cut]}</legend>
          <p className="field-hint">{words.hint[cut]}</p>
          {problems[`cut.${cut}`] && (
            <p className="field-error" role="alert">
              {problems[`cut.${cut}`]}
            </p>
          )}
          <ul>
            {people.map(
              (person, at) =>
                person.cut === cut && (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing else that stays, and never moves
                  <li key={at}>
                    <Person
                      person={person}
                      list={list}
                      missing={problems[`cut.${cut}`] !== undefined}
                      problems={{ name: problems[`people.${at}.name`], input: problems[`people.${at}.input`] }}
                      onName={(name) =>
                        change(at, {
                          name,
                          member: members.find((known) => known.name === name.trim())?.member ?? null,
                        })
                      }
                      onInput={(input) => change(at, { input })}
                      onRemove={() => onChange(people.filter((_, place) => place !== at))}
                    />
                  </li>
                ),
            )}
          </ul>
          <Button
            variant="quiet"
            size="admin"
            onClick={() => onChange([...people, { cut, name: '', member: null, input: '' }])}
          >
            <Icon name="plus" /> {words.add(cutNames[cut])}
          </Button>
        </fieldset>
      ))}
    </>
  );
}

function Person({
  person: { cut, name, member, input },
  list,
  missing,
  problems,
  onName,
  onInput,
  onRemove,
}: {
  person: PlanPerson & { cut: PeopleCut };
  list: string;
  missing: boolean;
  problems: { name: string | undefined; input: string | undefined };
  onName: (name: string) => void;
  onInput: (input: string) => void;
  onRemove: () => void;
}) {
  const id = useId();
  return (
    <div className="split-person">
      <span>
        <input
          className="field-input"
          list={list}
          aria-label={`${cutNames[cut]}: ${words.name}`}
          aria-invalid={problems.name || missing ? true : undefined}
          aria-describedby={`${id}-name`}
          autoComplete="off"
          maxLength={200}
          placeholder={words.name}
          value={name}
          onChange={(event) => onName(event.target.value)}
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
            maxLength={10}
            placeholder={words.input}
            value={input}
            onChange={(event) => onInput(event.target.value)}
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
