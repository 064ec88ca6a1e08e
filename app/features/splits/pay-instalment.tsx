import { useState } from 'react';
import { useWrite } from '#session/use-write.ts';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { today } from './model/plan.ts';
import { type Instalment, type IssuedStatement, markInstalment, statementsKey } from './model/records.ts';
import { inMoney } from './model/sheet.ts';

const failed = 'The payment could not be changed.';

const PaidForm = defineForm({
  fields: { paidOn: { label: 'Paid on', kind: 'date', required: true } },
  check: ({ paidOn }) => ({ paidOn: !(paidOn && paidOn <= today()) && 'Please choose today or an earlier day' }),
  failed,
});

export function PayInstalment({ statement, instalment }: { statement: IssuedStatement; instalment: Instalment }) {
  const [open, setOpen] = useState(false);
  const { say, report } = useStatus();
  const { place, paid_on } = instalment;
  const name = `Instalment ${place} of statement ${statement.number}`;
  const mark = useWrite(
    (data, paidOn: string | null) => markInstalment(data, statement.id, place, paidOn),
    (cache) => cache.invalidateQueries({ queryKey: statementsKey(statement.sheet_id) }),
  );
  const close = () => setOpen(false);
  const undo = () => void report(mark.mutateAsync(null), failed, () => say(`${name} is due again.`));
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
