import type { ReactNode } from 'react';
import { Banner } from './feedback/banner.tsx';
import { keepFocus } from './form/keep-focus.ts';
import './work-sheet.css';

export const WorkSheet = ({ title, children, aside }: { title: ReactNode; children: ReactNode; aside?: ReactNode }) => (
  <div className="work-page cluster sheet">
    <section className="work-sheet stack gap-5 shrink" aria-labelledby="work-sheet-title" ref={keepFocus}>
      <h1 className="work-title rule-below" id="work-sheet-title">
        {title}
      </h1>
      <NeedsScript />
      {children}
    </section>
    {aside}
  </div>
);

export const NeedsScript = () => (
  <noscript>
    <Banner kind="info">This page needs JavaScript, because your browser stores the session.</Banner>
  </noscript>
);
