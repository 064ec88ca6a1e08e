import type { ReactNode } from 'react';
import './screen-head.css';

export const ScreenHead = ({
  title,
  back,
  about,
  children,
}: {
  title: ReactNode;
  about?: ReactNode;
  back?: ReactNode;
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
