import { useRead } from '#session/use-read.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { DayTime } from '#ui/time.tsx';
import { readEarnings } from '../model/records.ts';
import { inMoney } from '../model/sheet.ts';
import { splitSheet } from '../words/split-sheet.ts';

export const useEarnings = () => useRead(['own', 'earnings'], readEarnings);

export function Earnings() {
  const years = useEarnings();
  if (years.data?.length === 0) return null;
  return (
    <TitledSection className="stack" titleId="earnings" heading="size-1" title="Earnings by year">
      <Loaded query={years} loading="Loading your earnings" failed="Failed to load your earnings">
        {(found) => (
          <ul className="own-rows rule my-statements">
            {found.map(({ year, currency, paid, due, instalments }) => (
              <li className="hairline-below pad-y-3" key={`${year} ${currency}`}>
                <details>
                  <summary className="cluster gap-2 gap-x-5 touch">
                    <span className="basis-12 bold shrink">
                      {year}, {currency}
                    </span>
                    <span className="amount">Paid {inMoney(paid, currency)}</span>
                    <span className="amount">Due {inMoney(due, currency)}</span>
                  </summary>
                  <ul className="stack gap-3">
                    {instalments.map(({ day, paid, amount, statement, place, project, words }) => (
                      <li className="cluster gap-2 gap-x-5" key={`${statement}.${place}`}>
                        <span className="basis-16 anywhere shrink">
                          {project}. {words}.
                        </span>
                        <span>{splitSheet.statementName(statement)}</span>
                        <span>
                          {paid ? 'Paid' : 'Due'} <DayTime at={day} />
                        </span>
                        <strong className="amount">{inMoney(amount, currency)}</strong>
                      </li>
                    ))}
                  </ul>
                </details>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </TitledSection>
  );
}
