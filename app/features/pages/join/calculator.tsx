import type { CSSProperties, ReactNode } from 'react';
import { href } from 'react-router';
import type { Cut, Role, SplitAnswer, SplitField, SplitForm, SplitResult } from '#features/splits/model/calculator.ts';
import { answerTo, CUTS, MAX_INVESTORS_PERCENT, resultOf } from '#features/splits/model/calculator.ts';
import { cutNames, cuts, calculator as words } from '#features/splits/words/terms.ts';
import { Button } from '#ui/form/button.tsx';
import '#ui/form/fields.css';

export function Calculator({ form }: { form: SplitForm }) {
  const answer = answerTo(form);
  const result = resultOf(form, answer);
  const style = result.properties as CSSProperties;
  return (
    <section className="calculator pad-top-5 rule" aria-labelledby="calculator" style={style}>
      <header className="stack gap-2 across">
        <h3 className="size-2 black extended" id="calculator">
          {words.title}
        </h3>
        <p>{words.text}</p>
      </header>
      <div className="calculator-total paper pad-y-4 stack gap-0">
        <p className="slip">{words.yours}</p>
        <p className="calculator-sum condensed tight amount black" data-text="total">
          {result.texts['total']}
        </p>
        <p data-text="ofProfit">{result.texts['ofProfit']}</p>
        <p className="hidden-text" role="status" data-said="" />
      </div>
      <CalculatorForm form={form} problems={answer.problems} />
      <CalculatorLines result={result} />
    </section>
  );
}

type FormProps = { form: SplitForm; problems: SplitAnswer['problems'] };

const CalculatorForm = ({ form, problems }: FormProps) => (
  <form
    className="edged calculator-form pad-5 stack gap-5 panel"
    method="get"
    action={`${href('/join')}#split`}
    autoComplete="off"
    noValidate
  >
    <div className="field stack gap-2">
      <label className="bold" htmlFor="profit">
        {words.profit}
      </label>
      <span className="calculator-money block relative size-1 display">
        <span className="absolute" aria-hidden="true">
          ₹
        </span>
        <input
          className="field-input amount"
          {...controlOf('profit', form, problems)}
          inputMode="decimal"
          maxLength={40}
        />
      </span>
      <Note of="profit" problem={problems.profit} hint="In rupees" />
    </div>
    <fieldset>
      <legend className="bold">What I did</legend>
      <RoleChoice of="referrer" form={form} percent={cuts.referrer} />
      <RoleChoice of="closer" form={form} percent={cuts.closer} />
      <RoleChoice of="manager" form={form} percent={cuts.manager} />
      <RoleChoice of="team" form={form}>
        <Part of="teamPart" form={form} problems={problems} />
      </RoleChoice>
      <RoleChoice of="investor" form={form}>
        <Part of="investorPart" form={form} problems={problems} />
      </RoleChoice>
    </fieldset>
    <fieldset>
      <legend className="bold">The idea came from</legend>
      <div className="gap-0 gap-x-5 cluster">
        {Object.entries(words.idea).map(([value, say]) => (
          <label className="check" key={value}>
            <input type="radio" name="idea" value={value} defaultChecked={form.idea === value} />
            {say}
          </label>
        ))}
      </div>
      <p className="field-hint">If no one had the idea, the share goes to the manager.</p>
    </fieldset>
    <div className="field stack gap-2">
      <div className="bold">
        <label htmlFor="investors">{words.investors}</label>{' '}
        <output className="calculator-investors mono" htmlFor="investors" data-text="investors">
          {form.investors}%
        </output>
      </div>
      <input type="range" min={0} max={MAX_INVESTORS_PERCENT} {...controlOf('investors', form, problems)} />
      <span className="inline apart quiet small amount" aria-hidden="true">
        <span>0%</span>
        <span>{MAX_INVESTORS_PERCENT}%</span>
      </span>
      <Note of="investors" problem={problems.investors} hint="The work team gets the rest." />
    </div>
    <Button type="submit">{words.submit}</Button>
  </form>
);

const controlOf = (name: SplitField, form: SplitForm, problems: FormProps['problems']) => ({
  id: name,
  name,
  defaultValue: form[name],
  'aria-describedby': `${name}-note`,
  'aria-invalid': problems[name] ? (true as const) : undefined,
});

/** Hint and error share a line, so that nothing moves. */
const Note = ({ of: field, problem, hint = '' }: { of: SplitField; problem?: string | undefined; hint?: string }) => (
  <span className={problem ? 'field-error' : 'field-hint'} id={`${field}-note`} data-note={field} data-hint={hint}>
    {problem ?? hint}
  </span>
);

type RoleChoiceProps = { of: Role; form: SplitForm; percent?: number; children?: ReactNode };

const RoleChoice = ({ of: role, form, percent, children }: RoleChoiceProps) => (
  <div className="calculator-role">
    <label className="check">
      <input type="checkbox" name="role" value={role} defaultChecked={form.roles.includes(role)} />
      {words.roles[role]}
      {percent !== undefined && <span className="push quiet code">{percent}%</span>}
    </label>
    {children}
  </div>
);

const Part = ({ of: field, form, problems }: FormProps & { of: 'teamPart' | 'investorPart' }) => (
  <div className="calculator-part cluster">
    <label htmlFor={field}>{words[field]}</label>
    <span className="inline gap-1">
      <input className="field-input amount" {...controlOf(field, form, problems)} inputMode="decimal" maxLength={7} />
      <span aria-hidden="true">%</span>
    </span>
    <Note of={field} problem={problems[field]} />
  </div>
);

const PLATES: Record<Cut, string> = {
  referrer: 'hand',
  closer: 'hand',
  manager: 'machine',
  idea: 'overprint',
  team: 'hand',
  investors: 'striped',
  companyPool: 'overprint',
  goalsPool: 'overprint',
  crisisFund: 'overprint',
  unallocated: 'empty',
};

const CalculatorLines = ({ result: { texts, mine } }: { result: SplitResult }) => (
  <div className="calculator-lines shrink">
    <div className="calculator-strip below-4" aria-hidden="true">
      {CUTS.map((cut) => (
        <span className="stack gap-1 shrink" key={cut} style={{ flexGrow: `var(--cut-${cut})` }}>
          <span className={`edged split-plate on-${PLATES[cut]}`} />
          <span className="calculator-ink on-ink" style={{ width: `var(--cut-${cut}-mine)` }} />
        </span>
      ))}
    </div>
    <table className="full figures">
      <caption className="hidden-text">{words.caption}</caption>
      <thead>
        <tr>
          {Object.values(words.columns).map((name) => (
            <th className="code upper quiet" scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {CUTS.map((cut) => (
          <tr key={cut} data-cut={cut} data-mine={mine.includes(cut) ? '' : undefined}>
            <th scope="row">
              <span className={`edged split-swatch on-${PLATES[cut]}`} aria-hidden="true" />
              {cutNames[cut]}
              {cut === 'idea' && <span data-text="toManager">{texts['toManager']}</span>}
            </th>
            <td data-text={`${cut} percent`}>{texts[`${cut} percent`]}</td>
            <td data-text={`${cut} amount`}>{texts[`${cut} amount`]}</td>
            <td className="quiet" data-text={`${cut} mine`} data-label={words.columns.mine}>
              {texts[`${cut} mine`]}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{words.whole}</th>
          <td>100%</td>
          <td data-text="amount">{texts['amount']}</td>
          <td data-text="total" data-label={words.columns.mine}>
            {texts['total']}
          </td>
        </tr>
      </tfoot>
    </table>
  </div>
);
