import type { Piece } from '../../../../models/data/word-diff.ts';
import './diff-text.css';

// So much of what stayed is shown beside a change.
const AROUND = 160;

/** A text with what came and what went. Long stretches that stayed are cut short. */
export const DiffText = ({ pieces }: { pieces: Piece[] }) => (
  <p className="diff-text">
    {pieces.map(({ kind, text }, at) => {
      const key = `${at} ${kind}`;
      if (kind === 'same') {
        return <span key={key}>{shortened(text, at > 0, at < pieces.length - 1)}</span>;
      }
      // Screen readers pass over ins and del in silence.
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

/** The ends of a stretch that have a change beside them. */
function shortened(text: string, before: boolean, after: boolean): string {
  if (text.length <= 2 * AROUND + 20) return text;
  return `${before ? text.slice(0, AROUND) : ''} … ${after ? text.slice(-AROUND) : ''}`;
}
