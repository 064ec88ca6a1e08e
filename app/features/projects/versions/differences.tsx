import type { Difference, ListChange } from '../model/versions/version-difference.ts';
import { DiffText } from './diff-text.tsx';
import './versions.css';

const DID: Record<ListChange['kind'], string> = {
  added: 'Added',
  removed: 'Removed',
  moved: 'Moved',
  changed: 'Changed',
};

export const Differences = ({ found, same }: { found: Difference[]; same: string }) =>
  found.length === 0 ? (
    <p className="empty">{same}</p>
  ) : (
    <dl className="differences">
      {found.map((difference) => (
        <div key={difference.key}>
          <dt>{difference.name}</dt>
          <dd>
            <One difference={difference} />
          </dd>
        </div>
      ))}
    </dl>
  );

function One({ difference }: { difference: Difference }) {
  if (difference.shape === 'text') return <DiffText pieces={difference.pieces} />;
  if (difference.shape === 'form') return <p>The words are the same; only their look, links or pictures differ.</p>;
  if (difference.shape === 'value') {
    return (
      <p>
        {difference.before} <span aria-hidden="true">→</span>
        <span className="hidden-text"> became </span> {difference.after}
      </p>
    );
  }
  return (
    <ul>
      {difference.changes.map(({ kind, what, how }) => (
        <li key={`${kind} ${what} ${how}`}>
          <strong>{DID[kind]}</strong> {what}
          {how && `, ${how}`}
        </li>
      ))}
    </ul>
  );
}
