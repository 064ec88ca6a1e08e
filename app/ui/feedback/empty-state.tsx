import type { ReactNode } from 'react';
import './empty-state.css';

/** A list or panel without entries. `action`: the one next step, a link or a button. */
export const EmptyState = ({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children?: ReactNode;
}) => (
  <div className="cluster empty-state">
    <svg className="drawing" viewBox="0 0 96 80" aria-hidden="true">
      <path className="plate-hand" d="M4 26h44v46H4z" />
      <path className="plate-machine" d="M40 8h48v46H40z" />
      <path d="M18 44l8-18h40l8 18v26H18zM18 44h16q2 12 12 12t12-12h16" />
    </svg>
    <div>
      <p>
        <strong>{title}</strong>
      </p>
      {children && <p>{children}</p>}
      {action && <div className="button-row">{action}</div>}
    </div>
  </div>
);
