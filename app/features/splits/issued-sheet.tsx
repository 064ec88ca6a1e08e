import { useState } from 'react';
import { CreditList } from '#features/credits/credit-list.tsx';
import { creditsIn } from '#features/credits/model/credits.ts';
import { csvFile } from '#lib/data/csv.ts';
import { creditWords } from '#lib/words/credits.ts';
import { useRead } from '#session/use-read.ts';
import { useWrite } from '#session/use-write.ts';
import { Loaded } from '#ui/admin/loaded.tsx';
import { TableHead } from '#ui/data/table-head.tsx';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { saveFile } from '#ui/save-file.ts';
import { DayTime } from '#ui/time.tsx';
import { today } from './model/plan.ts';
import type { Instalment, IssuedSheet, IssuedStatement, StatementsOfSheet } from './model/records.ts';
import { findStatements, markInstalment, statementsKey } from './model/records.ts';
import { inMoney, sheetRows } from './model/sheet.ts';
import { Statement, usePrinting } from './statements/statement.tsx';
import { splitSheet as words } from './words/split-sheet.ts';

type SheetProps = { sheet: IssuedSheet; all: IssuedSheet[] };

export function IssuedSheetView({ sheet, all }: SheetProps) {
  const statements = useRead(statementsKey(sheet.id), (data) => findStatements(data, sheet.id));
  return (
    <Loaded query={statements} loading={words.loading} failed={words.failed}>
      {(found) => <Sheet sheet={sheet} all={all} {...found} />}
    </Loaded>
  );
}

function Sheet({ sheet, all, statements, pools }: SheetProps & StatementsOfSheet) {
  // Which of the two documents is printed; the browser's print command prints both.
  const [printing, print] = usePrinting<'sheet' | 'statements'>();
  const replaced = all.find(({ id }) => id === sheet.replaces);
  const replacing = all.find(({ replaces }) => replaces === sheet.id);
  const saveCsv = () => saveFile(csvFile(sheetRows(sheet, statements, pools)), `split-sheet-${sheet.number}.csv`);
  return (
    <div className="split-issued" data-printing={printing}>
      <div className="button-row split-tools above-5 below-5">
        <SmallButton onClick={() => print('sheet')}>Print the sheet</SmallButton>
        <SmallButton onClick={() => print('statements')}>Print the statements</SmallButton>
        <SmallButton onClick={saveCsv}>Save as CSV</SmallButton>
      </div>
      <article className="stack split-paper framed pad-5 split-paper-sheet" aria-labelledby="sheet-title">
        <h2 className="split-paper-title" id="sheet-title">
          {words.sheetName(sheet.number)}
        </h2>
        <p>
          {sheet.project_title}
          {sheet.client && `, ${sheet.client}`}. {words.issuedOn} <DayTime at={sheet.issued_at} />.
        </p>
        {replaced && <p>{words.replaces(replaced.number)}</p>}
        {replacing && (
          <p>
            <strong>{words.replacedBy(replacing.number)}</strong>
          </p>
        )}
        <table className="split-table">
          <TableHead columns={[words.columns.who, words.columns.share, words.columns.amount]} />
          <tbody>
            {statements.flatMap(({ id, name, number, split_shares }) =>
              split_shares.map((share, at) => (
                <tr key={`${id} ${share.id}`}>
                  <td>
                    {name}
                    {at === 0 && <span className="row-meta">{words.statementName(number)}</span>}
                  </td>
                  <td>{share.words}</td>
                  <td className="amount">{inMoney(share.amount, sheet.currency)}</td>
                </tr>
              )),
            )}
            {pools.map((share) => (
              <tr key={share.id} className={share.cut === 'unallocated' ? 'bold' : undefined}>
                <td />
                <td>{share.words}</td>
                <td className="amount">{inMoney(share.amount, sheet.currency)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={2}>
                {words.total}
              </th>
              <td className="amount">{inMoney(sheet.amount, sheet.currency)}</td>
            </tr>
          </tfoot>
        </table>
        {sheet.credits && (
          <section aria-labelledby="sheet-credits">
            <h3 id="sheet-credits">{creditWords.title}</h3>
            <CreditList credits={creditsIn(sheet.credits)} />
          </section>
        )}
        <p className="quiet small">{sheet.terms}</p>
      </article>
      <h2 className="screen-section split-statements-title">Statements</h2>
      <div className="stack gap-5 split-statements">
        {statements.map((statement) => (
          <Statement
            key={statement.id}
            statement={statement}
            actionsOf={(instalment) =>
              !replacing && instalment.open > 0 && <PayInstalment statement={statement} instalment={instalment} />
            }
          />
        ))}
      </div>
    </div>
  );
}

const failed = 'The payment could not be changed.';

const PaidForm = defineForm({
  fields: { paidOn: { label: 'Paid on', kind: 'date', required: true } },
  check: ({ paidOn }) => ({ paidOn: !(paidOn && paidOn <= today()) && 'Please choose today or an earlier day' }),
  failed,
});

function PayInstalment({ statement, instalment }: { statement: IssuedStatement; instalment: Instalment }) {
  const [open, setOpen] = useState(false);
  const { say, report } = useStatus();
  const { place, paid_on } = instalment;
  const name = `Instalment ${place} of statement ${statement.number}`;
  const mark = useWrite(
    (data, paidOn: string | null) => markInstalment(data, statement.id, place, paidOn),
    (cache) => cache.invalidateQueries({ queryKey: statementsKey(statement.sheet_id) }),
  );
  const close = () => setOpen(false);
  const undo = () => {
    const sayDue = () => say(`${name} is due again.`, { undo: () => mark.mutateAsync(paid_on) });
    void report(mark.mutateAsync(null), failed, sayDue);
  };
  return (
    <>
      <SmallButton busy={mark.isPending && !open} onClick={() => (paid_on ? undo() : setOpen(true))}>
        {paid_on ? 'Undo payment' : 'Mark as paid'}
        <span className="hidden-text">: {name}</span>
      </SmallButton>
      <Dialog open={open} busy={mark.isPending} title={name} onCancel={close}>
        <PaidForm
          inDialog
          start={{ paidOn: today() }}
          save={({ paidOn }) => mark.mutateAsync(paidOn)}
          onSaved={() => {
            close();
            say(`${name} is marked as paid.`);
          }}
          onCancel={close}
          submitLabel="Mark as paid"
          more={{ paidOn: { max: today() } }}
        >
          <p>
            {inMoney(instalment.open, statement.currency)} to {statement.name}.
          </p>
        </PaidForm>
      </Dialog>
    </>
  );
}
