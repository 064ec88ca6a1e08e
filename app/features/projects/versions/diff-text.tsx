import type { Piece } from '#lib/data/word-diff.ts';
import '../projects.css';

const CONTEXT_LENGTH = 160;

export const DiffText = ({ pieces }: { pieces: Piece[] }) => (
  <p className="diff-text anywhere pre-wrap">
    {pieces.map(({ kind, text }, at) => {
      const key = `${at} ${kind}`;
      if (kind === 'same') {
        return <span key={key}>{shortened(text, at > 0, at < pieces.length - 1)}</span>;
      }
      // Screen readers do not announce ins and del.
      return kind === 'new' ? (
        <ins key={key}>
          <span className="hidden-text"> [added: </span>
          {text}
          <span className="hidden-text">] </span>
        </ins>
      ) : (
        <del key={key}>
          <span className="hidden-text"> [removed: </span>
          {text}
          <span className="hidden-text">] </span>
        </del>
      );
    })}
  </p>
);

function shortened(text: string, before: boolean, after: boolean): string {
  if (text.length <= 2 * CONTEXT_LENGTH + 20) return text;
  return `${before ? text.slice(0, CONTEXT_LENGTH) : ''} … ${after ? text.slice(-CONTEXT_LENGTH) : ''}`;
}
