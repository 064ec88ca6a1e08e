import { useRef } from 'react';
import { users as words } from '../../../copy/users.ts';
import { messageOf } from '../../../models/api-error.ts';
import { isAdminPerson, nameOf, type Person } from '../../../models/profile.ts';
import { useStatus } from '../shell/status.tsx';
import type { Question } from './ask-about-user.tsx';
import { useOrder } from './user-queries.ts';

interface Choice {
  label: string;
  act: () => void;
}

/** What can be done with an account. What locks somebody out, or cannot be undone, is asked about first. */
export function UserMenu({
  person,
  own,
  onAsk,
}: {
  person: Person;
  /** Whether it is the account of whoever looks. */
  own: boolean;
  onAsk: (question: Question) => void;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  const order = useOrder();
  const { say, complain } = useStatus();
  const name = nameOf(person);
  const close = (focus: boolean) => {
    if (!menu.current) return;
    menu.current.open = false;
    if (focus) menu.current.querySelector('summary')?.focus();
  };

  const at = (action: 'confirm' | 'reset_password' | 'unban', said: string) => () =>
    order.mutate(
      { action, id: person.id },
      {
        onSuccess: () => say(said),
        onError: (error) => complain(messageOf(error, words.failedToChange)),
      },
    );
  const ask = (kind: Question['kind']) => () => onAsk({ kind, person });

  const choices: (Choice | false)[] = [
    isAdminPerson(person)
      ? { label: words.withdraw, act: ask('withdraw') }
      : { label: words.makeAdmin, act: ask('make-admin') },
    !person.verified && {
      label: person.email ? words.confirm : words.confirmPhone,
      act: at('confirm', words.confirmed(name)),
    },
    person.email !== null && { label: words.reset, act: at('reset_password', words.resetSent(name)) },
    person.factors > 0 && { label: words.removeFactors, act: ask('factors') },
    !own &&
      (person.bannedUntil
        ? { label: words.unban, act: at('unban', words.unbanned(name)) }
        : { label: words.ban, act: ask('ban') }),
    !own && { label: words.remove, act: ask('delete') },
  ];

  return (
    <details
      className="user-menu"
      ref={menu}
      onKeyDown={(event) => event.key === 'Escape' && close(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close(false)}
    >
      <summary aria-label={words.actionsFor(name)} aria-disabled={order.isPending || undefined}>
        {order.isPending ? words.working : words.actions}
      </summary>
      <div className="user-menu-sheet">
        <ul>
          {choices
            .filter((choice) => choice !== false)
            .map(({ label, act }) => (
              <li key={label}>
                <button
                  type="button"
                  onClick={() => {
                    close(true);
                    if (!order.isPending) act();
                  }}
                >
                  {label}
                </button>
              </li>
            ))}
        </ul>
        {own && <p className="user-menu-note">{words.ownAccount}</p>}
      </div>
    </details>
  );
}
