import { reviewWords as words } from '../../../copy/admin/review.ts';

/** The right side before a submission is chosen. */
export default function Choose() {
  return (
    <p className="empty">
      {words.choose} <kbd>j</kbd> and <kbd>k</kbd> go down and up, <kbd>Enter</kbd> opens.
    </p>
  );
}
