import { useRef } from 'react';
import { STATUSES, type Status } from '../../../models/project-status.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';

/** The status, and a menu to choose another. Buttons, not a select: arrow keys must not publish anything on their way. */
export function StatusMenu({
  title,
  status,
  busy,
  onChoose,
}: {
  title: string;
  status: string;
  busy: boolean;
  onChoose: (status: Status) => void;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (focus: boolean) => {
    if (!menu.current) return;
    menu.current.open = false;
    if (focus) menu.current.querySelector('summary')?.focus();
  };
  return (
    <span className="status-cell">
      <StatusBadge status={status} />
      <details
        className="status-menu"
        ref={menu}
        onKeyDown={(event) => event.key === 'Escape' && close(true)}
        onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close(false)}
      >
        <summary aria-label={`Change status of ${title}`} aria-disabled={busy || undefined}>
          {busy ? 'Saving...' : 'Change'}
        </summary>
        <ul>
          {STATUSES.map((choice) => (
            <li key={choice}>
              <button
                type="button"
                aria-current={choice === status || undefined}
                onClick={() => {
                  close(true);
                  if (choice !== status && !busy) onChoose(choice);
                }}
              >
                {choice}
              </button>
            </li>
          ))}
        </ul>
      </details>
    </span>
  );
}
