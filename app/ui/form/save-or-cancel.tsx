import { Button } from './button.tsx';

export const SaveOrCancel = ({
  busy,
  label = 'Save',
  busyLabel = 'Saving...',
  waits = busy,
  onCancel,
}: {
  busy: boolean;
  label?: string;
  busyLabel?: string;
  waits?: boolean;
  onCancel: () => void;
}) => (
  <div className="button-row across">
    <Button type="submit" size="admin" busy={waits} busyLabel={busyLabel}>
      {label}
    </Button>
    <Button variant="secondary" size="admin" disabled={busy} onClick={onCancel}>
      Cancel
    </Button>
  </div>
);
