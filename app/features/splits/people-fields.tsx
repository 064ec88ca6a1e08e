import { useId } from 'react';
import { newId } from '#lib/data/ids.ts';
import { IconButton, SmallButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { byCut, byInput, MAX_PLAN_LENGTHS, PEOPLE_CUTS, type PlannedProject, type PlanPerson } from './model/plan.ts';
import type { PlanProblems } from './model/sheet.ts';
import { PlanInput } from './plan-input.tsx';
import { splitSheet as words } from './words/split-sheet.ts';
import { cutNames } from './words/terms.ts';

type Line = PlanPerson & { key: string };

interface PeopleFieldsProps {
  lines: Line[];
  investors: string;
  members: PlannedProject['members'];
  problems: PlanProblems;
  onLines: (lines: Line[]) => void;
}

export function PeopleFields({ lines, investors, members, problems, onLines }: PeopleFieldsProps) {
  const list = useId();
  const isWithoutInvestors = investors.trim() === '0';
  const add = (cut: PlanPerson['cut']) =>
    onLines(byCut([...lines, { key: newId(), cut, name: '', member: null, input: '' }]));
  const change = (at: number, changed: Partial<PlanPerson>) => onLines(lines.with(at, { ...lines[at]!, ...changed }));
  const rename = (at: number, name: string) =>
    change(at, { name, member: members.find((known) => known.name === name.trim())?.member ?? null });
  const remove = (at: number) => onLines(lines.toSpliced(at, 1));
  return (
    <>
      <datalist id={list}>
        {[...new Set(members.map(({ name }) => name))].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {PEOPLE_CUTS.map((cut) => (
        <fieldset className="split-cut hairline pad-top-3" key={cut} hidden={cut === 'investors' && isWithoutInvestors}>
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
                    <div className="split-person stack gap-2 top">
                      <PlanInput
                        problem={problems[`people.${at}.name`]}
                        hint={line.member && 'On the team'}
                        {...(problems[`cut.${cut}`] !== undefined && { 'aria-invalid': true })}
                        list={list}
                        aria-label={`${cutNames[cut]}: ${words.name}`}
                        maxLength={MAX_PLAN_LENGTHS.name}
                        placeholder={words.name}
                        value={line.name}
                        onChange={({ target }) => rename(at, target.value)}
                      />
                      {byInput(cut) && (
                        <PlanInput
                          problem={problems[`people.${at}.input`]}
                          className="amount"
                          aria-label={`${cutNames[cut]}: ${words.input}${line.name ? `, ${line.name}` : ''}`}
                          inputMode="decimal"
                          maxLength={MAX_PLAN_LENGTHS.input}
                          placeholder={words.input}
                          value={line.input}
                          onChange={({ target }) => change(at, { input: target.value })}
                        />
                      )}
                      <IconButton icon="close" label={words.remove(line.name)} onClick={() => remove(at)} />
                    </div>
                  </li>
                ),
            )}
          </ul>
          <SmallButton variant="quiet" onClick={() => add(cut)}>
            <Icon name="plus" /> Add to {cutNames[cut]}
          </SmallButton>
        </fieldset>
      ))}
    </>
  );
}
