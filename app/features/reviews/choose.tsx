import { useOutletContext } from 'react-router';
import { reviewWords as words } from './words/review.ts';

export default function Choose() {
  if (!useOutletContext<boolean>()) return null;
  return (
    <p className="empty">
      {words.choose} <kbd>j</kbd> and <kbd>k</kbd> go down and up, <kbd>Enter</kbd> opens.
    </p>
  );
}
