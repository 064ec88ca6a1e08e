import type { ReactNode } from 'react';

export const Sheet = ({ number, title, children }: { number: number; title: string; children: ReactNode }) => (
  <section className="submit-sheet" aria-labelledby={`sheet-${number}`}>
    <header className="submit-sheet-head">
      <span className="edged submit-sheet-number" aria-hidden="true">
        {number}
      </span>
      <h2 id={`sheet-${number}`} className="narrow">
        {title}
      </h2>
    </header>
    {children}
  </section>
);
