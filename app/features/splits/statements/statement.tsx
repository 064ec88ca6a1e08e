import { DayTime } from '#ui/time.tsx';
import type { IssuedStatement } from '../model/records.ts';
import { inMoney } from '../model/sheet.ts';
import { splitSheet as words } from '../words/split-sheet.ts';
import './statement.css';

export const Statement = ({
  statement,
  replacedBy,
  heading: Heading = 'h3',
}: {
  statement: IssuedStatement;
  replacedBy?: number | null;
  heading?: 'h2' | 'h3';
}) => {
  const { number, name, project_title, currency, amount, payments, terms, replaces, issued_at, split_shares } =
    statement;
  const money = (units: number) => inMoney(BigInt(units), currency);
  return (
    <article className="stack split-paper framed pad-5" aria-labelledby={`statement-${number}`}>
      <Heading className="split-paper-title" id={`statement-${number}`}>
        {words.statementName(number)}
      </Heading>
      <p>
        For <strong>{name}</strong>. {project_title}. {words.issuedOn} <DayTime at={issued_at} />.
      </p>
      {replaces !== null && <p>{words.replaces(replaces)}</p>}
      {replacedBy != null && (
        <p>
          <strong>{words.replacedBy(replacedBy)}</strong>
        </p>
      )}
      <table className="split-table">
        <caption className="hidden-text">Shares</caption>
        <thead>
          <tr>
            <th scope="col">{words.columns.share}</th>
            <th scope="col">{words.columns.amount}</th>
          </tr>
        </thead>
        <tbody>
          {split_shares.map((share) => (
            <tr key={share.id}>
              <td>{share.words}</td>
              <td className="amount">{money(share.amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.total}</th>
            <td className="amount">{money(amount)}</td>
          </tr>
        </tfoot>
      </table>
      <table className="split-table">
        <caption className="hidden-text">{words.instalments}</caption>
        <thead>
          <tr>
            <th scope="col">{words.due}</th>
            <th scope="col">{words.words}</th>
            <th scope="col">{words.columns.amount}</th>
          </tr>
        </thead>
        <tbody>
          {payments.map(({ due, words: when, amount: part }) => (
            <tr key={`${due} ${when}`}>
              <td>
                <DayTime at={due} />
              </td>
              <td>{when}</td>
              <td className="amount">{money(part)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet small">{terms}</p>
    </article>
  );
};
