import { type ChangeEvent, type InputHTMLAttributes, useId } from 'react';
import { newId } from '#lib/data/ids.ts';
import { FieldError } from '#ui/admin/field-error.tsx';
import { IconButton, SmallButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { byCut, byInput, MAX_PLAN_LENGTHS, PEOPLE_CUTS, type PlanInstalment, type PlanPerson } from './model/plan.ts';
import type { PlanProblems } from './model/sheet.ts';
import { splitSheet as words } from './words/split-sheet.ts';
import { cutNames } from './words/terms.ts';

type Keyed<Line> = Line & { key: string };
type LinesProps<Line> = { lines: Keyed<Line>[]; problems: PlanProblems; onLines: (lines: Keyed<Line>[]) => void };
type PeopleFieldsProps = LinesProps<PlanPerson> & { investors: string; members: Pick<PlanPerson, 'name' | 'member'>[] };

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
          <legend className="bold full">{cutNames[cut]}</legend>
          <p className="field-hint">{words.hint[cut]}</p>
          <FieldError>{problems[`cut.${cut}`]}</FieldError>
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

export const InstalmentFields = ({ lines, problems, onLines }: LinesProps<PlanInstalment>) => (
  <fieldset className="split-cut hairline pad-top-3">
    <legend className="bold full">{words.instalments}</legend>
    <FieldError>{problems['instalments']}</FieldError>
    <ol>
      {lines.map((line, at) => {
        const field = (name: keyof PlanInstalment, said: string) => ({
          value: line[name],
          onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
            onLines(lines.with(at, { ...line, [name]: target.value })),
          problem: problems[`instalments.${at}.${name}`],
          'aria-label': `Instalment ${at + 1}: ${said}`,
        });
        const remove = () => onLines(lines.toSpliced(at, 1));
        return (
          <li className="split-instalment stack gap-2 top" key={line.key}>
            <PlanInput {...field('due', words.due)} type="date" />
            <PlanInput {...field('words', words.words)} maxLength={MAX_PLAN_LENGTHS.words} />
            <PlanInput {...field('percent', 'Percent')} inputMode="decimal" maxLength={MAX_PLAN_LENGTHS.percent} />
            <span className="pad-top-3" aria-hidden="true">
              %
            </span>
            <IconButton icon="close" label={words.remove(`instalment ${at + 1}`)} onClick={remove} />
          </li>
        );
      })}
    </ol>
    <SmallButton
      variant="quiet"
      onClick={() => onLines([...lines, { key: newId(), due: lines.at(-1)?.due ?? '', words: '', percent: '' }])}
    >
      <Icon name="plus" /> Add an instalment
    </SmallButton>
  </fieldset>
);

type PlanInputProps = { problem: string | undefined; hint?: string | null } & InputHTMLAttributes<HTMLInputElement>;

function PlanInput({ problem, hint, className = '', ...input }: PlanInputProps) {
  const id = useId();
  const message = problem ?? hint;
  return (
    <span>
      <input
        autoComplete="off"
        aria-invalid={problem ? true : undefined}
        aria-describedby={message ? id : undefined}
        {...input}
        className={`field-input ${className}`}
      />
      {message && (
        <span className={problem ? 'field-error' : 'field-hint'} id={id}>
          {message}
        </span>
      )}
    </span>
  );
}
