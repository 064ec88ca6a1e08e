import { STATUSES, type Status } from '../../../models/project/status.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { DropMenu } from '../shell/drop-menu.tsx';

export const StatusMenu = ({
  title,
  status,
  busy,
  onChoose,
}: {
  title: string;
  status: string;
  busy: boolean;
  onChoose: (status: Status) => void;
}) => (
  <span className="status-cell">
    <StatusBadge status={status} />
    <DropMenu
      label={`Change status of ${title}`}
      summary={busy ? 'Saving...' : 'Change'}
      busy={busy}
      choices={STATUSES.map((choice) => ({
        label: choice,
        current: choice === status,
        act: () => choice !== status && onChoose(choice),
      }))}
    />
  </span>
);
