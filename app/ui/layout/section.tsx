import type { ComponentProps, ReactNode } from 'react';

type SectionProps = Omit<ComponentProps<'section'>, 'title'> & { titleId: string; title: ReactNode; heading?: string };

/** A part of a page or screen below its title. @param heading class of the title */
export const TitledSection = ({ titleId, title, heading = 'screen-section', children, ...section }: SectionProps) => (
  <section {...section} aria-labelledby={titleId}>
    <h2 className={heading} id={titleId}>
      {title}
    </h2>
    {children}
  </section>
);
