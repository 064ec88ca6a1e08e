import type { ReactNode } from 'react';
import './work-sheet.css';

export const WorkSheet = ({ title, children, aside }: { title: ReactNode; children: ReactNode; aside?: ReactNode }) => (
  <div className="work-page sheet">
    <section className="work-sheet" aria-labelledby="work-sheet-title">
      <h1 className="work-title" id="work-sheet-title">
        {title}
      </h1>
      {children}
    </section>
    {aside}
  </div>
);
