import { Button } from './button.tsx';

/** What ends a small form of the admin area. */
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
  /** Saving waits for something else, too. */
  waits?: boolean;
  onCancel: () => void;
}) => (
  <div className="button-row">
    <Button type="submit" size="admin" busy={waits} busyLabel={busyLabel}>
      {label}
    </Button>
    <Button variant="secondary" size="admin" disabled={busy} onClick={onCancel}>
      Cancel
    </Button>
  </div>
);
