import type { ReactNode } from 'react';
import { Icon, type IconName } from '../icon.tsx';

type Kind = 'error' | 'success' | 'warning' | 'info';

const ICON: Record<Kind, IconName> = { error: 'warning', success: 'check', warning: 'warning', info: 'info' };

/** Errors are announced assertively, everything else politely. @param quiet announced by its container */
export const Banner = ({ kind, quiet, children }: { kind: Kind; quiet?: boolean; children: ReactNode }) => (
  <div
    className={`banner inline baseline gap-3 semibold banner-${kind}`}
    role={quiet ? undefined : kind === 'error' ? 'alert' : 'status'}
  >
    <Icon name={ICON[kind]} />
    <div>{children}</div>
  </div>
);
