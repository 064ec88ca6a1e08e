import { Button } from './button.tsx';

export const SaveOrCancel = ({
  busy,
  busyLabel,
  waits,
  onCancel,
}: {
  busy: boolean;
  busyLabel: string;
  waits: boolean;
  onCancel: () => void;
}) => (
  <div className="button-row across">
    <Button type="submit" size="admin" busy={waits} busyLabel={busyLabel}>
      Save
    </Button>
    <Button variant="secondary" size="admin" disabled={busy} onClick={onCancel}>
      Cancel
    </Button>
  </div>
);
