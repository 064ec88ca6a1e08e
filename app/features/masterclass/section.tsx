import type { ReactNode } from 'react';

type SectionProps = { name: string; title: string; alone?: boolean; children: ReactNode };

export const Section = ({ name, title, alone, children }: SectionProps) => (
  <section className={`course-section twelve course-${name} sheet`} aria-labelledby={name}>
    <h2 className={alone ? 'title across' : 'title'} id={name}>
      {title}
    </h2>
    {children}
  </section>
);
