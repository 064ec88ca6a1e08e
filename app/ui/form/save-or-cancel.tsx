import { SmallButton } from './button.tsx';

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
    <SmallButton variant="primary" type="submit" busy={waits} busyLabel={busyLabel}>
      {label}
    </SmallButton>
    <SmallButton disabled={busy} onClick={onCancel}>
      Cancel
    </SmallButton>
  </div>
);
