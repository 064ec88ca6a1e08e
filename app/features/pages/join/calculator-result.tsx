import type { CSSProperties } from 'react';
import {
  type Cut,
  havePaise,
  inRupees,
  MOST_INVESTORS,
  partOf,
  percentages,
  percentOfWhole,
  type SplitForm,
  type SplitLine,
  sumOfLines,
} from '#features/splits/model/calculator.ts';
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

const USUAL = percentages(MOST_INVESTORS);

/** `live.ts` updates the elements with a `data-` name. */
export const CalculatorTotal = ({ lines }: { lines: SplitLine[] | null }) => {
  const total = lines ? inRupees(sumOfLines(lines, 'mine'), havePaise(lines)) : '–';
  return (
    <div className="calculator-total pad-y-4 stack gap-0">
      <p className="slip">{words.yours}</p>
      <p className="calculator-sum amount black" data-sum="mine" style={{ '--letters': total.length } as CSSProperties}>
        {total}
      </p>
      <p data-of-profit="">{lines ? words.ofProfit(percentOfWhole(lines)) : words.unknown}</p>
      <p className="hidden-text" role="status" data-said="" />
    </div>
  );
};

export function CalculatorLines({ form, lines }: { form: SplitForm; lines: SplitLine[] | null }) {
  const paise = lines !== null && havePaise(lines);
  const money = (sum: bigint | undefined) => (sum === undefined ? '–' : inRupees(sum, paise));
  return (
    <div className="calculator-lines shrink">
      <Strip lines={lines} />
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
          {(Object.keys(cutNames) as Cut[]).map((cut) => {
            const line = lines?.find((one) => one.cut === cut);
            return (
              <tr key={cut} data-cut={cut} data-mine={line && line.mine > 0n ? '' : undefined}>
                <th scope="row">
                  <span className={`edged split-swatch on-${PLATES[cut]}`} aria-hidden="true" />
                  {cutNames[cut]}
                  {cut === 'idea' && (
                    <span data-to-manager="" hidden={form.idea !== 'nobody'}>
                      {words.toManager}
                    </span>
                  )}
                </th>
                <td data-cell="percent">{line ? `${line.percent}%` : '–'}</td>
                <td data-cell="amount">{money(line?.amount)}</td>
                <td className="quiet" data-cell="mine" data-label={words.columns.mine}>
                  {money(line?.mine)}
                </td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.whole}</th>
            <td>100%</td>
            <td data-sum="amount">{money(lines ? sumOfLines(lines, 'amount') : undefined)}</td>
            <td data-sum="mine" data-label={words.columns.mine}>
              {money(lines ? sumOfLines(lines, 'mine') : undefined)}
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

const Strip = ({ lines }: { lines: SplitLine[] | null }) => (
  <div className="calculator-strip below-4" aria-hidden="true">
    {(Object.keys(cutNames) as Cut[]).map((cut) => {
      const line = lines?.find((one) => one.cut === cut);
      return (
        <span
          className="stack gap-1 shrink"
          key={cut}
          data-strip={cut}
          style={{ flexGrow: line?.percent ?? USUAL[cut] }}
        >
          <span className={`edged split-plate on-${PLATES[cut]}`} />
          <span className="calculator-ink on-ink" style={{ width: `${line ? partOf(line) : 0}%` }} />
        </span>
      );
    })}
  </div>
);
