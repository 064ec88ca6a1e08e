import type { Piece } from '#lib/data/word-diff.ts';
import '../projects.css';

const CONTEXT_LENGTH = 160;

export const DiffText = ({ pieces }: { pieces: Piece[] }) => (
  <p className="diff-text anywhere pre-wrap">
    {pieces.map(({ kind, text }, at) => {
      const key = `${at} ${kind}`;
      if (kind === 'same') return <span key={key}>{shortened(text, at > 0, at < pieces.length - 1)}</span>;
      const Tag = kind === 'new' ? 'ins' : 'del';
      // Screen readers do not announce ins and del.
      return (
        <Tag key={key}>
          <span className="hidden-text"> [{kind === 'new' ? 'added' : 'removed'}: </span>
          {text}
          <span className="hidden-text">] </span>
        </Tag>
      );
    })}
  </p>
);

function shortened(text: string, before: boolean, after: boolean): string {
  if (text.length <= 2 * CONTEXT_LENGTH + 20) return text;
  return `${before ? text.slice(0, CONTEXT_LENGTH) : ''} … ${after ? text.slice(-CONTEXT_LENGTH) : ''}`;
}
