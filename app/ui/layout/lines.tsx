type LinesProps = { of: readonly string[]; as?: 'li' | 'p'; className?: string };

/** An element for each line of text, no two of which are equal. */
export const Lines = ({ of: lines, as: Line = 'li', className }: LinesProps) =>
  lines.map((line) => (
    <Line className={className} key={line}>
      {line}
    </Line>
  ));
