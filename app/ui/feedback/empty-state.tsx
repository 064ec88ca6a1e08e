import type { ReactNode } from 'react';
import './empty-state.css';

export const EmptyState = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="cluster empty empty-state">
    <svg className="icon drawing isolated" viewBox="0 0 48 40" aria-hidden="true">
      <path className="plate-one" stroke="none" d="M2 13h22v23H2z" />
      <path className="plate-two" stroke="none" d="M20 4h24v23H20z" />
      <path d="M9 22l4-9h20l4 9v13H9zM9 22h8q1 6 6 6t6-6h8" />
    </svg>
    <div className="basis-12">
      <p>
        <strong>{title}</strong>
      </p>
      {children && <p>{children}</p>}
    </div>
  </div>
);
