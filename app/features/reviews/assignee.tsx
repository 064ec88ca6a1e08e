import { useRef } from 'react';
import { messageOf } from '#lib/data/api-error.ts';
import { useCallerId } from '#session/caller.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { Button } from '#ui/form/button.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { nameOfDesk, type Review } from './model/review.ts';
import { useDesks, useTick } from './review-queries.ts';
import { reviewWords as words } from './words/review.ts';

export function Assignee({ review: { project_id, assignee } }: { review: Review }) {
  const { data: desks = [] } = useDesks();
  const me = useCallerId();
  const assigning = useTick(project_id);
  const { say, complain } = useStatus();
  // `mutateAsync`: the result is reported even if another submission is open by then.
  const assign = (to: string | null) =>
    void assigning.mutateAsync({ assignee: to }).then(
      () => {
        const desk = desks.find(({ user_id }) => user_id === to);
        say(words.assigned(desk ? nameOfDesk(desk) : null));
      },
      (error: unknown) => complain(messageOf(error, words.failedToAssign)),
    );
  const select = useRef<HTMLSelectElement>(null);
  return (
    <div className="review-assignee">
      <SelectField
        label={words.assignee}
        ref={select}
        value={assignee ?? ''}
        onChange={({ target }) => assign(target.value || null)}
      >
        <option value="">{words.unassigned}</option>
        {desks.map((desk) => (
          <option key={desk.user_id} value={desk.user_id}>
            {nameOfDesk(desk)}
          </option>
        ))}
      </SelectField>
      {assignee !== me && (
        <Button
          variant="secondary"
          size="admin"
          onClick={() => {
            // The clicked button disappears; keep the focus next to it.
            select.current?.focus();
            assign(me);
          }}
        >
          {words.assignMe}
        </Button>
      )}
    </div>
  );
}
