import { type ReactNode, useRef } from 'react';
import './drop-menu.css';

export interface MenuChoice {
  label: string;
  act: () => void;
  /** It is what holds now. */
  current?: boolean;
}

/**
 * A press opens a list of choices; a choice, Escape or going elsewhere closes it. While busy nothing can be chosen.
 * Buttons, not a select: arrow keys must not do anything on their way.
 */
export function DropMenu({
  label,
  summary,
  busy,
  side = 'start',
  choices,
  children,
}: {
  /** What the menu is about, for who does not see where it stands. */
  label: string;
  summary: string;
  busy: boolean;
  /** Where the list is flush with the button. */
  side?: 'start' | 'end';
  choices: readonly MenuChoice[];
  /** Said below the choices. */
  children?: ReactNode;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (focus: boolean) => {
    if (!menu.current) return;
    menu.current.open = false;
    if (focus) menu.current.querySelector('summary')?.focus();
  };
  return (
    <details
      className="drop-menu"
      data-side={side}
      ref={menu}
      onKeyDown={(event) => event.key === 'Escape' && close(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close(false)}
    >
      <summary aria-label={label} aria-disabled={busy || undefined}>
        {summary}
      </summary>
      <div className="drop-menu-sheet">
        <ul>
          {choices.map(({ label, act, current }) => (
            <li key={label}>
              <button
                type="button"
                aria-current={current || undefined}
                onClick={() => {
                  close(true);
                  if (!busy) act();
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
