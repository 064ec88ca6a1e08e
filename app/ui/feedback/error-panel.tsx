import type { ReactNode } from 'react';
import { LinkButton } from '../form/button.tsx';

type ErrorPanelProps = { title: string; backTo: string; back: string; children?: ReactNode };

export const ErrorPanel = ({ title, backTo, back, children }: ErrorPanelProps) => (
  <div className="error-panel pad-y-section stack gap-5 start">
    <h1>{title}</h1>
    {children}
    <LinkButton href={backTo}>{back}</LinkButton>
  </div>
);
