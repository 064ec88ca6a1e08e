import type { ReactNode } from 'react';
import './screen-head.css';

/** The title of a screen, which records it shows in a line, and its actions. */
export const ScreenHead = ({
  title,
  back,
  about,
  children,
}: {
  title: ReactNode;
  /** Which records these are. */
  about?: ReactNode;
  /** A way back, above the title. */
  back?: ReactNode;
  /** Actions. */
  children?: ReactNode;
}) => (
  <header className="screen-head">
    <div>
      {back && <p className="screen-back">{back}</p>}
      <h1>{title}</h1>
      {about && <p className="screen-about">{about}</p>}
    </div>
    {children && <div className="button-row">{children}</div>}
  </header>
);
