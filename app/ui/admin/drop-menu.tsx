import { type ReactNode, useRef } from 'react';
import './drop-menu.css';

export type MenuChoice = { label: string; act: () => void; danger?: boolean };

interface DropMenuProps {
  label: string;
  summary: string;
  busy?: boolean;
  choices: readonly MenuChoice[];
  children?: ReactNode;
}

/** Buttons instead of a select, because arrow keys must not change the value while browsing. */
export function DropMenu({ label, summary, busy, choices, children }: DropMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const summaryElement = useRef<HTMLElement>(null);
  const close = (focus: boolean) => {
    if (!menu.current) return;
    menu.current.open = false;
    if (focus) summaryElement.current?.focus();
  };
  return (
    <details
      className="drop-menu relative"
      ref={menu}
      onKeyDown={(event) => event.key === 'Escape' && close(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close(false)}
    >
      <summary className="tap underlined one-line" ref={summaryElement} aria-label={label}>
        {summary}
      </summary>
      <div className="drop-menu-sheet absolute paper" tabIndex={-1}>
        <ul>
          {choices.map(({ label, act, danger }) => (
            <li key={label}>
              <button
                className="full touch ring-inside"
                type="button"
                disabled={busy}
                data-danger={danger || undefined}
                onClick={() => {
                  close(true);
                  act();
                }}
              >
                {label}
              </button>
            </li>
          ))}
        </ul>
        {children}
      </div>
    </details>
  );
}
