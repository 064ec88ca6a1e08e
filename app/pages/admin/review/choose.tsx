import { useOutletContext } from 'react-router';
import { reviewWords as words } from '../../../copy/admin/review.ts';

/** The right side before a submission is chosen. The desk's context is whether there is one to choose. */
export default function Choose() {
  if (!useOutletContext<boolean>()) return null;
  return (
    <p className="empty">
      {words.choose} <kbd>j</kbd> and <kbd>k</kbd> go down and up, <kbd>Enter</kbd> opens.
    </p>
  );
}
