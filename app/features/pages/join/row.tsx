import type { ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';
import { collective } from '../words/collective.ts';

interface RowProps {
  id: string;
  title: string;
  open?: boolean;
  children: ReactNode;
}

/** The id is inside the details element: a fragment link and find-in-page then open it. */
export const Row = ({ id, title, open, children }: RowProps) => (
  <details className="join-row rule" open={open}>
    <summary className="stack middle gap-3">
      <h2 className="inked">{title}</h2>
      <span className="join-plus plates" aria-hidden="true" />
    </summary>
    <div className="stack join-text relative" id={id}>
      {children}
      <a
        className="join-link center quiet marked"
        href={`#${id}`}
        aria-label={collective.linkTo(title)}
        data-copied={collective.copied}
      >
        <Icon name="link" />
      </a>
    </div>
  </details>
);

export const Paragraphs = ({ of: paragraphs }: { of: readonly string[] }) =>
  paragraphs.map((text) => <p key={text}>{text}</p>);
