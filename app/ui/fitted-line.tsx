import type { CSSProperties } from 'react';

/** Part of a headline whose size is drawn for `drawn`: a longer one stays in its measure, also with wide letters. */
export const FittedLine = ({ text, drawn, className }: { text: string; drawn: string; className: string }) => {
  const isLong = text.length > drawn.length || (text !== drawn && text.length > 0.8 * drawn.length);
  const style = { '--fit': (0.8 * drawn.length) / text.length } as CSSProperties;
  return (
    <span className={className} style={isLong ? style : undefined}>
      {text}
    </span>
  );
};
