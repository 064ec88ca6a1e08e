import { useId } from 'react';
import { splitSheet as words } from '../../../copy/admin/split-sheet.ts';
import type { PlanInstalment } from '../../../models/split/plan.ts';
import type { PlanProblems } from '../../../models/split/sheet.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Icon } from '../../../ui/icon.tsx';

/** When everybody on the sheet is paid, and which part. */
export function InstalmentFields({
  instalments,
  problems,
  onChange,
}: {
  instalments: PlanInstalment[];
  problems: PlanProblems;
  onChange: (instalments: PlanInstalment[]) => void;
}) {
  const id = useId();
  const change = (at: number, part: Partial<PlanInstalment>) =>
    onChange(instalments.map((one, place) => (place === at ? { ...one, ...part } : one)));
  return (
    <fieldset className="split-cut">
      <legend className="field-label">{words.instalments}</legend>
      {problems['instalments'] && (
        <p className="field-error" role="alert">
          {problems['instalments']}
        </p>
      )}
      <ol>
        {instalments.map((one, at) => {
          const of = (field: keyof PlanInstalment) => ({
            problem: problems[`instalments.${at}.${field}`],
            id: `${id}-${at}-${field}`,
          });
          const label = (said: string) => `Instalment ${at + 1}: ${said}`;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an instalment has nothing else that stays, and never moves
            <li className="split-instalment" key={at}>
              <Control of={of('due')} label={label(words.due)}>
                {(aria) => (
                  <input
                    {...aria}
                    type="date"
                    value={one.due}
                    onChange={(event) => change(at, { due: event.target.value })}
                  />
                )}
              </Control>
              <Control of={of('words')} label={label(words.words)}>
                {(aria) => (
                  <input
                    {...aria}
                    maxLength={120}
                    autoComplete="off"
                    value={one.words}
                    onChange={(event) => change(at, { words: event.target.value })}
                  />
                )}
              </Control>
              <Control of={of('percent')} label={label(words.part)}>
                {(aria) => (
                  <input
                    {...aria}
                    inputMode="decimal"
                    autoComplete="off"
                    maxLength={6}
                    value={one.percent}
                    onChange={(event) => change(at, { percent: event.target.value })}
                  />
                )}
              </Control>
              <span className="split-unit" aria-hidden="true">
                %
              </span>
              <button
                type="button"
                className="icon-button"
                aria-label={words.remove(`instalment ${at + 1}`)}
                onClick={() => onChange(instalments.filter((_, place) => place !== at))}
              >
                <Icon name="close" />
              </button>
            </li>
          );
        })}
      </ol>
      <Button
        variant="quiet"
        size="admin"
        onClick={() => onChange([...instalments, { due: instalments.at(-1)?.due ?? '', words: '', percent: '' }])}
      >
        <Icon name="plus" /> {words.addInstalment}
      </Button>
    </fieldset>
  );
}

const Control = ({
  of: { problem, id },
  label,
  children,
}: {
  of: { problem: string | undefined; id: string };
  label: string;
  children: (aria: {
    className: string;
    'aria-label': string;
    'aria-invalid': true | undefined;
    'aria-describedby': string | undefined;
  }) => React.ReactNode;
}) => (
  <span>
    {children({
      className: 'field-input',
      'aria-label': label,
      'aria-invalid': problem ? true : undefined,
      'aria-describedby': problem ? id : undefined,
    })}
    {problem && (
      <span className="field-error" id={id}>
        {problem}
      </span>
    )}
  </span>
);
