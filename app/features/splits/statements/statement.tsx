import { type ReactNode, useState } from 'react';
import { TableHead } from '#ui/data/table-head.tsx';
import { DayTime } from '#ui/time.tsx';
import type { Instalment, IssuedStatement } from '../model/records.ts';
import { inMoney } from '../model/sheet.ts';
import { splitSheet as words } from '../words/split-sheet.ts';
import './statement.css';

/** The part of the page that is being printed, and what prints one. */
export function usePrinting<Part>() {
  const [printing, setPrinting] = useState<Part>();
  const print = (part: Part) => {
    setPrinting(part);
    setTimeout(() => {
      window.print();
      setPrinting(undefined);
    });
  };
  return [printing, print] as const;
}

type StatementProps = {
  statement: IssuedStatement;
  heading?: 'h2' | 'h3';
  actionsOf?: (instalment: Instalment) => ReactNode;
};

export const Statement = ({ statement, heading: Heading = 'h3', actionsOf }: StatementProps) => {
  const { number, name, project_title, currency, replaced_by, paid_before } = statement;
  const money = (units: number) => inMoney(units, currency);
  const stateOf = ({ amount, open, paid_on }: Instalment) => {
    const part = open > 0 && open < amount ? ` ${money(open)}` : '';
    if (paid_on)
      return (
        <p className="quiet">
          Paid{part} <DayTime at={paid_on} />
        </p>
      );
    if (amount === 0 || replaced_by !== null) return null;
    return <p className="quiet">{open === 0 ? 'Paid before' : `Due${part}`}</p>;
  };
  return (
    <article className="stack split-paper framed pad-5" aria-labelledby={`statement-${number}`}>
      <Heading className="split-paper-title" id={`statement-${number}`}>
        {words.statementName(number)}
      </Heading>
      <p>
        For <strong>{name}</strong>. {project_title}. {words.issuedOn} <DayTime at={statement.issued_at} />.
      </p>
      {statement.replaces !== null && <p>{words.replaces(statement.replaces)}</p>}
      {replaced_by !== null && (
        <p>
          <strong>{words.replacedBy(replaced_by)}</strong>
        </p>
      )}
      {paid_before > 0 && <p>Paid on replaced sheets: {money(paid_before)}. It counts from the first instalment on.</p>}
      <table className="split-table">
        <caption className="hidden-text">Shares</caption>
        <TableHead columns={[words.columns.share, words.columns.amount]} />
        <tbody>
          {statement.split_shares.map((share) => (
            <tr key={share.id}>
              <td>{share.words}</td>
              <td className="amount">{money(share.amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.total}</th>
            <td className="amount">{money(statement.amount)}</td>
          </tr>
        </tfoot>
      </table>
      <table className="split-table">
        <caption className="hidden-text">{words.instalments}</caption>
        <TableHead columns={[words.due, words.words, words.columns.amount]} />
        <tbody>
          {statement.instalments.map((instalment) => (
            <tr key={instalment.place}>
              <td>
                <DayTime at={instalment.due} />
              </td>
              <td>
                {instalment.words}
                {stateOf(instalment)}
                {actionsOf?.(instalment)}
              </td>
              <td className="amount">{money(instalment.amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet small">{statement.terms}</p>
    </article>
  );
};
