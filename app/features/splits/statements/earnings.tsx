import { useQuery } from '@tanstack/react-query';
import { clients } from '#session/browser.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { DayTime } from '#ui/time.tsx';
import { readEarnings } from '../model/own-statements.ts';
import { inMoney } from '../model/sheet.ts';
import { myStatements, splitSheet as words } from '../words/split-sheet.ts';

export const earningsQuery = {
  queryKey: ['own', 'earnings'],
  queryFn: () => readEarnings(clients().data()),
  staleTime: 0,
};

export function Earnings() {
  const years = useQuery(earningsQuery);
  if (years.data?.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="earnings">
      <h2 className="size-1" id="earnings">
        {myStatements.earnings}
      </h2>
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
                    <span className="amount">Paid {inMoney(BigInt(paid), currency)}</span>
                    <span className="amount">Due {inMoney(BigInt(due), currency)}</span>
                  </summary>
                  <table className="split-table">
                    <thead>
                      <tr>
                        <th scope="col">Day</th>
                        <th scope="col">For</th>
                        <th scope="col">{words.state}</th>
                        <th scope="col">{words.columns.amount}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {instalments.map((one) => (
                        <tr key={`${one.statement}.${one.place}`}>
                          <td>
                            <DayTime at={one.day} />
                          </td>
                          <td>
                            {one.project}. {one.words}. {words.statementName(one.statement)}.
                          </td>
                          <td>{one.paid ? 'Paid' : 'Due'}</td>
                          <td className="amount">{inMoney(BigInt(one.amount), currency)}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </details>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
}
