import { Icon } from '#ui/icon.tsx';
import type { FormState } from '../form/form-state.ts';
import { checklist, type RequiredField } from '../model/submission.ts';
import { submissionWords as words } from '../words/submission.ts';
import './slip.css';

const NAMES: Record<RequiredField, string> = {
  title: words.title,
  media: 'One picture or video',
  brief: words.brief,
  understanding: words.understanding,
  actions: words.actions,
  impact: words.impact,
};

export function Slip({ state }: { state: FormState }) {
  const items = checklist(state.submission);
  return (
    <aside className="submit-slip" aria-label="Progress">
      <h2 className="slip">
        Needed {items.filter(({ done }) => done).length} of {items.length}
      </h2>
      <ul className="submit-checklist">
        {items.map(({ field, done }) => (
          <li key={field} data-done={done || undefined}>
            <span className="submit-check" aria-hidden="true">
              {done && <Icon name="check" />}
            </span>
            {NAMES[field]}
            <span className="hidden-text">{done ? ' done' : ' still missing'}</span>
          </li>
        ))}
      </ul>
      <h2 className="slip">What happens next</h2>
      <ol className="submit-next">
        <li>Your experiment is stored as a draft that only you and our reviewers can open.</li>
        <li>You get a private link to it. Keep it: it is your way back.</li>
        <li>Once we have read and published it, it joins the portfolio.</li>
      </ol>
    </aside>
  );
}
