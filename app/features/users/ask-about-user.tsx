import { useState } from 'react';
import { href } from 'react-router';
import { ApiError, messageOf } from '#lib/data/api-error.ts';
import { forgetAdmin } from '#session/current-user.ts';
import { useShown } from '#ui/admin/use-shown.ts';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { nameOf, type Order, type UserAccount } from './model/users.ts';
import { useProjectCount, useSetAdmin, useUserOrder } from './user-queries.ts';
import { users as words } from './words.ts';

export interface Question {
  kind: 'make-admin' | 'withdraw' | 'factors' | 'ban' | 'delete';
  person: UserAccount;
}

const WORDS = {
  'make-admin': { title: words.makeAdminTitle, label: words.makeAdmin, text: words.makeAdminText },
  withdraw: { title: words.withdrawTitle, label: words.withdraw, text: words.withdrawText },
  factors: { title: words.factorsTitle, label: words.removeFactors, text: words.factorsText },
  ban: { title: words.banTitle, label: words.ban, text: words.banText },
  delete: { title: words.removeTitle, label: words.remove, text: words.removeText },
} as const;

export function AskAboutUser({
  question,
  own,
  onClose,
}: {
  question: Question | null;
  own: string | null;
  onClose: () => void;
}) {
  const order = useUserOrder();
  const role = useSetAdmin();
  const { say, complain } = useStatus();
  const [duration, setDuration] = useState<string>(words.banLengths[0].value);

  const shownQuestion = useShown(question);

  const close = () => {
    order.reset();
    setDuration(words.banLengths[0].value);
    onClose();
  };
  // `mutateAsync`: the result is reported even if another screen or dialog is open by then.
  const give = (what: Order, said: string) =>
    void order.mutateAsync(what).then(
      () => {
        say(said);
        if (shownQuestion.current === question) close();
      },
      (error: unknown) => {
        // An open dialog shows the error itself.
        if (shownQuestion.current !== question) complain(messageOf(error, words.failedToChange));
      },
    );
  function change(person: UserAccount, is: boolean) {
    const name = nameOf(person);
    close();
    void role.mutateAsync({ id: person.id, is }).then(
      () => {
        say(is ? words.madeAdmin(name) : words.withdrawn(name));
        if (person.id !== own) return;
        forgetAdmin();
        location.replace(href('/'));
      },
      (error: unknown) =>
        complain((error instanceof ApiError && error.reason) || messageOf(error, words.failedToChange)),
    );
  }
  function act({ kind, person }: Question) {
    const name = nameOf(person);
    const { id } = person;
    if (kind === 'make-admin' || kind === 'withdraw') return change(person, kind === 'make-admin');
    if (kind === 'factors') return give({ action: 'remove_factors', id }, words.factorsRemoved(name));
    if (kind === 'delete') return give({ action: 'delete', id }, words.removed(name));
    return give({ action: 'ban', id, ...(duration && { duration }) }, words.bannedNow(name));
  }

  return (
    <ConfirmDialog
      open={question !== null}
      title={question ? WORDS[question.kind].title(nameOf(question.person)) : ''}
      confirmLabel={question ? WORDS[question.kind].label : ''}
      busyLabel={words.working}
      busy={order.isPending}
      error={order.error && messageOf(order.error, words.failedToChange)}
      onCancel={close}
      onConfirm={() => question && act(question)}
    >
      {question && (
        <p>
          {question.kind === 'withdraw' && question.person.id === own ? words.withdrawOwn : WORDS[question.kind].text}
        </p>
      )}
      {question?.kind === 'delete' && <Belongings of={question.person.id} />}
      {question?.kind === 'ban' && (
        <SelectField label={words.banLength} value={duration} onChange={(event) => setDuration(event.target.value)}>
          {words.banLengths.map(({ value, label }) => (
            <option key={label} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
    </ConfirmDialog>
  );
}

function Belongings({ of }: { of: string }) {
  const projects = useProjectCount(of);
  return (
    <>
      <p className="gap-above-small">
        {words.removeProjects(projects.data ?? null)} {words.removeTeams}
      </p>
      <p className="gap-above-small">{words.banInstead}</p>
    </>
  );
}
