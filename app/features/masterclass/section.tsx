import type { ReactNode } from 'react';

export const Section = ({ name, title, children }: { name: string; title: string; children: ReactNode }) => (
  <section className={`course-section course-${name} sheet`} aria-labelledby={name}>
    <h2 id={name}>{title}</h2>
    {children}
  </section>
);
