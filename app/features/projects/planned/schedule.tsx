import type { QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWrite } from '#session/use-write.ts';
import { Dialog } from '#ui/feedback/dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { timeZone, ZonedMoment } from '#ui/time.tsx';
import { type Plan, type Planned, planChange } from '../model/plans.ts';
import { editing as words } from '../words.ts';

const TITLES = { publish: 'Publish at a date', unpublish: 'Back to draft at a date' };

const DateForm = defineForm({
  fields: { at: { label: 'Date and time', kind: 'datetime-local', required: true } },
  check: ({ at }) => ({ at: !(Date.parse(at) > Date.now()) && 'Please choose a date and time in the future.' }),
  failed: words.failedToSchedule,
});

/** As a field of the browser has it: in its own time zone, without seconds. */
const localText = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function tomorrowMorning(): Date {
  const date = new Date();
  date.setDate(date.getDate() + 1);
  date.setHours(9, 0, 0, 0);
  return date;
}

interface ScheduleProps {
  kind: Plan['kind'];
  plan: Pick<Plan, 'due_at' | 'problem'> | null | undefined;
  of: Planned;
  onChanged: (cache: QueryClient) => Promise<unknown>;
}

export function Schedule({ kind, plan, of, onChanged }: ScheduleProps) {
  const [open, setOpen] = useState(false);
  const { say, report } = useStatus();
  const change = useWrite((data, at: string | null) => planChange(data, kind, at, of), onChanged);
  const dueAt = plan?.due_at;
  const close = () => setOpen(false);
  const cancel = () =>
    void report(change.mutateAsync(null), words.failedToSchedule, () => say('The date is cancelled.'));
  return (
    <fieldset className="gap-3 cluster" aria-label={TITLES[kind]}>
      {dueAt && (
        <p>
          {plan.problem ? 'Was due on ' : kind === 'publish' ? 'Goes live on ' : 'Back to draft on '}
          <strong>
            <ZonedMoment at={dueAt} />
          </strong>
        </p>
      )}
      <Button variant="secondary" size="admin" onClick={() => setOpen(true)}>
        {dueAt ? 'Change date' : TITLES[kind]}
      </Button>
      {dueAt && (
        <Button variant="secondary" size="admin" busy={change.isPending} onClick={cancel}>
          Cancel date
        </Button>
      )}
      <Dialog open={open} busy={change.isPending} title={TITLES[kind]} onCancel={close}>
        <DateForm
          inDialog
          start={{ at: localText(dueAt ? new Date(dueAt) : tomorrowMorning()) }}
          save={({ at }) => change.mutateAsync(new Date(at).toISOString())}
          onSaved={() => {
            close();
            say('The date is saved.');
          }}
          onCancel={close}
          submitLabel="Save date"
          more={{ at: { hint: `In your time zone, ${timeZone()}.`, min: localText(new Date()) } }}
        />
      </Dialog>
    </fieldset>
  );
}
