import type { ChangeEvent } from 'react';
import { newId } from '#lib/data/ids.ts';
import { IconButton, SmallButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { MAX_PLAN_LENGTHS, type PlanInstalment } from './model/plan.ts';
import type { PlanProblems } from './model/sheet.ts';
import { PlanInput } from './plan-input.tsx';
import { splitSheet as words } from './words/split-sheet.ts';

type Line = PlanInstalment & { key: string };

type InstalmentFieldsProps = { lines: Line[]; problems: PlanProblems; onLines: (lines: Line[]) => void };

export const InstalmentFields = ({ lines, problems, onLines }: InstalmentFieldsProps) => (
  <fieldset className="split-cut hairline pad-top-3">
    <legend className="bold">{words.instalments}</legend>
    {problems['instalments'] && (
      <p className="field-error" role="alert">
        {problems['instalments']}
      </p>
    )}
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
