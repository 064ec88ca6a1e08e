import { OwnList, OwnSheet } from '#features/account/own-list.tsx';
import type { SignInHandle } from '#features/account/require-sign-in.tsx';
import { privateTags } from '#features/seo/model/page-meta.ts';
import { Button } from '#ui/form/button.tsx';
import { DayTime } from '#ui/time.tsx';
import { type IssuedStatement, readOwnStatements } from '../model/records.ts';
import { inMoney } from '../model/sheet.ts';
import { Earnings } from './earnings.tsx';
import { Statement, usePrinting } from './statement.tsx';
import './statement.css';

export const handle: SignInHandle = {
  title: 'My statements',
  signIn: 'Sign in to see your share of the projects you worked on.',
  loading: 'Loading your statements',
  Sheet: OwnSheet,
};
export const meta = privateTags(handle.title);

const MyStatements = () => (
  <OwnList failed="Failed to load your statements" read={readOwnStatements} over={<Earnings />}>
    {({ rows }) =>
      rows.length > 0 ? (
        <Rows rows={rows} />
      ) : (
        <p>No statements yet. Your statement appears here when the split sheet of a project you worked on is issued.</p>
      )
    }
  </OwnList>
);
export default MyStatements;

function Rows({ rows }: { rows: IssuedStatement[] }) {
  const [printing, print] = usePrinting<string>();
  return (
    <ul className="own-rows rule my-statements">
      {rows.map((row) => (
        <li className="hairline-below pad-y-3" key={row.id} data-printing={printing === row.id || undefined}>
          <details>
            <summary className="cluster gap-2 gap-x-5 touch">
              <span className="basis-16 bold anywhere shrink">{row.project_title}</span>
              <span>Statement {row.number}</span>
              <DayTime at={row.issued_at} />
              {row.replaced_by === null ? (
                <strong className="amount">{inMoney(row.amount, row.currency)}</strong>
              ) : (
                <span>Superseded</span>
              )}
            </summary>
            <Statement statement={row} heading="h2" />
            <div className="button-row gap-above">
              <Button variant="secondary" onClick={() => print(row.id)}>
                Print this statement
              </Button>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}
