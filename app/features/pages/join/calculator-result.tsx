import { CUTS, type Cut, type SplitResult } from '#features/splits/model/calculator.ts';
import { cutNames, calculator as words } from '#features/splits/words/terms.ts';

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

interface ResultProps {
  result: SplitResult;
}

export const CalculatorTotal = ({ result: { texts } }: ResultProps) => (
  <div className="calculator-total paper pad-y-4 stack gap-0">
    <p className="slip">{words.yours}</p>
    <p className="calculator-sum condensed tight amount black" data-text="total">
      {texts['total']}
    </p>
    <p data-text="ofProfit">{texts['ofProfit']}</p>
    <p className="hidden-text" role="status" data-said="" />
  </div>
);

export const CalculatorLines = ({ result: { texts, mine } }: ResultProps) => (
  <div className="calculator-lines shrink">
    <Strip />
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

const Strip = () => (
  <div className="calculator-strip below-4" aria-hidden="true">
    {CUTS.map((cut) => (
      <span className="stack gap-1 shrink" key={cut} style={{ flexGrow: `var(--cut-${cut})` }}>
        <span className={`edged split-plate on-${PLATES[cut]}`} />
        <span className="calculator-ink on-ink" style={{ width: `var(--cut-${cut}-mine)` }} />
      </span>
    ))}
  </div>
);
