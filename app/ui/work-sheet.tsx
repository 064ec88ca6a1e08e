import type { ReactNode } from 'react';
import './work-sheet.css';

export const WorkSheet = ({ title, children, aside }: { title: ReactNode; children: ReactNode; aside?: ReactNode }) => (
  <div className="work-page cluster sheet">
    <section className="work-sheet stack gap-5 shrink" aria-labelledby="work-sheet-title">
      <h1 className="work-title" id="work-sheet-title">
        {title}
      </h1>
      {children}
    </section>
    {aside}
  </div>
);
