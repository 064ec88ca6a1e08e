import type { ReactNode } from 'react';
import './screen-head.css';

/** The title of a screen, what it is about in a line, and its actions. */
export const ScreenHead = ({
  title,
  back,
  children,
}: {
  title: ReactNode;
  /** A way back, above the title. */
  back?: ReactNode;
  /** Actions. */
  children?: ReactNode;
}) => (
  <header className="screen-head">
    <div>
      {back && <p className="screen-back">{back}</p>}
      <h1>{title}</h1>
    </div>
    {children && <div className="button-row">{children}</div>}
  </header>
);
