import type { ComponentProps, ReactNode } from 'react';
import { SmallButton } from '#ui/form/button.tsx';

export const startOfText = (text: string) => `“${text.slice(0, 40)}”`;

export const Comment = ({ by, body, children }: { by: string; body: string; children: ReactNode }) => (
  <>
    <p className="small quiet anywhere">
      <strong>{by}</strong>, {children}
    </p>
    <p className="measure-70 pre-wrap anywhere">{body}</p>
  </>
);

type DeleteProps = Omit<ComponentProps<typeof SmallButton>, 'children'> & { label: string; body: string };

export const DeleteButton = ({ label, body, ...button }: DeleteProps) => (
  <SmallButton {...button} className="self-start" variant="quiet" aria-label={`${label} ${startOfText(body)}`}>
    {label.split(' ')[0]}
  </SmallButton>
);
