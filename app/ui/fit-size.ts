import type { CSSProperties } from 'react';

/** Scale of a headline whose size is drawn for `drawn`: a longer one stays in its measure, also with wide letters. */
export const fitSize = (text: string, drawn: string): CSSProperties | undefined =>
  text.length > drawn.length || (text !== drawn && text.length > 0.8 * drawn.length)
    ? ({ '--fit': (0.8 * drawn.length) / text.length } as CSSProperties)
    : undefined;
