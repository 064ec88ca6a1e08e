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
      <path className="plate-hand" d="M6 18h46v44H6z" />
      <path className="plate-machine" d="M34 6h46v44H34z" />
      <path d="M16 42l8-18h44l8 18v28H16zM16 42h18q3 12 12 12t12-12h18M70 10q8-8 18 0" />
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
