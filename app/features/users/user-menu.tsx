import { messageOf } from '#lib/data/api-error.ts';
import { DropMenu, type MenuChoice } from '#ui/admin/drop-menu.tsx';
import { useStatus } from '#ui/feedback/status.tsx';
import type { Question } from './ask-about-user.tsx';
import { isAdminPerson, nameOf, type UserAccount } from './model/users.ts';
import { useUserOrder } from './user-queries.ts';
import { users as words } from './words.ts';

export function UserMenu({
  person,
  own,
  onAsk,
}: {
  person: UserAccount;
  own: boolean;
  onAsk: (question: Question) => void;
}) {
  const order = useUserOrder();
  const { say, complain } = useStatus();
  const name = nameOf(person);

  const at = (action: 'confirm' | 'reset_password' | 'unban', said: string) => () =>
    void order.mutateAsync({ action, id: person.id }).then(
      () => say(said),
      (error: unknown) => complain(messageOf(error, words.failedToChange)),
    );
  const ask = (kind: Question['kind']) => () => onAsk({ kind, person });

  const choices: (MenuChoice | false)[] = [
    isAdminPerson(person)
      ? { label: words.withdraw, act: ask('withdraw') }
      : { label: words.makeAdmin, act: ask('make-admin') },
    !person.verified && {
      label: person.email ? words.confirm : words.confirmPhone,
      act: at('confirm', words.confirmed(name)),
    },
    person.email !== null && { label: words.reset, act: at('reset_password', words.resetSent(name)) },
    !own && person.factors > 0 && { label: words.removeFactors, act: ask('factors') },
    !own &&
      (person.bannedUntil
        ? { label: words.unban, act: at('unban', words.unbanned(name)) }
        : { label: words.ban, danger: true, act: ask('ban') }),
    !own && { label: words.remove, danger: true, act: ask('delete') },
  ];

  return (
    <DropMenu
      label={words.actionsFor(name)}
      summary={order.isPending ? words.working : words.actions}
      busy={order.isPending}
      side="end"
      choices={choices.filter((choice) => choice !== false)}
    >
      {own && <p className="drop-menu-note">{words.ownAccount}</p>}
    </DropMenu>
  );
}
