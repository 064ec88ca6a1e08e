import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { type ButtonStyle, classesOf } from '../form/button.tsx';
import './screen-head.css';

type ScreenHeadProps = { title: ReactNode; about?: ReactNode; back?: ReactNode; children?: ReactNode };

export const ScreenHead = ({ title, back, about, children }: ScreenHeadProps) => (
  <header className="screen-head gap-x-5 cluster bottom apart rule-below">
    <div className="shrink">
      {back && <p className="screen-back below-2">{back}</p>}
      <h1>{title}</h1>
      {about && <p className="screen-about quiet gap-above-small">{about}</p>}
    </div>
    {children && <div className="button-row">{children}</div>}
  </header>
);

export const SmallLink = ({ variant = 'secondary', ...link }: LinkProps & Pick<ButtonStyle, 'variant'>) => (
  <Link {...link} className={classesOf({ variant, size: 'admin' })} />
);
