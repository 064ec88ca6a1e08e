import type { ReactNode } from 'react';
import type { PictureSources } from './model/picture.ts';
import './moving-picture.css';

type LoopBoxProps = { picture: PictureSources; name: string; leads?: boolean; children: ReactNode };

/** Box around a cover in which `loops.ts` plays its video loop. @param leads plays as soon as the box is visible */
export const LoopBox = ({ picture: { loops }, name, leads = false, children }: LoopBoxProps) =>
  loops.length === 0 ? (
    children
  ) : (
    <div className="loop relative" data-loops={loops.join(' ')} data-name={name} data-leads={leads || undefined}>
      {children}
    </div>
  );
