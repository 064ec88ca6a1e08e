import { useRef } from 'react';
import { ConfirmDialog } from '#ui/feedback/confirm-dialog.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { nameOf, type UserAccount, type UserAction } from './model/users.ts';
import { useProjectCount } from './user-queries.ts';
import { userActions, users as words } from './words.ts';

export function AskAboutUser({
  asking,
  own,
  onConfirm,
  onCancel,
}: {
  asking: { action: UserAction; user: UserAccount } | null;
  own: string | null;
  onConfirm: (duration: string) => void;
  onCancel: () => void;
}) {
  const duration = useRef<HTMLSelectElement>(null);
  const action = asking && userActions[asking.action];
  const question = action && 'question' in action ? action.question : null;
  return (
    <ConfirmDialog
      open={asking !== null}
      title={asking && question ? question.title(nameOf(asking.user)) : ''}
      confirmLabel={action?.label ?? ''}
      onCancel={onCancel}
      onConfirm={() => onConfirm(duration.current?.value ?? '')}
    >
      <p>{asking?.user.id === own ? (words.toYourself[asking.action] ?? question?.text) : question?.text}</p>
      {asking?.action === 'delete' && <OwnedProjects of={asking.user.id} />}
      {asking?.action === 'ban' && <SelectField label="For how long?" options={words.banLengths} ref={duration} />}
    </ConfirmDialog>
  );
}

const OwnedProjects = ({ of }: { of: string }) => (
  <>
    <p className="gap-above-small">
      {words.removeProjects(useProjectCount(of).data ?? null)} Their name stays in project teams.
    </p>
    <p className="gap-above-small">To lock someone out for a while, ban them instead.</p>
  </>
);
