import { Icon } from '#ui/icon.tsx';
import { isFilled, REQUIRED_FIELDS, SUBMISSION_FIELDS, type Submission } from './model/submission.ts';

export const SubmissionProgress = ({ submission }: { submission: Submission }) => (
  <aside className="submit-progress stack gap-3" aria-label="Progress">
    <h2 className="slip">
      Needed {REQUIRED_FIELDS.filter((field) => isFilled(submission, field)).length} of {REQUIRED_FIELDS.length}
    </h2>
    <ul className="stack gap-2">
      {REQUIRED_FIELDS.map((field) => {
        const isDone = isFilled(submission, field);
        return (
          <li key={field} className="inline" data-done={isDone || undefined}>
            <span className="submit-check framed center" aria-hidden="true">
              {isDone && <Icon name="check" />}
            </span>
            {SUBMISSION_FIELDS[field].label}
            <span className="hidden-text">{isDone ? ' done' : ' still missing'}</span>
          </li>
        );
      })}
    </ul>
    <h2 className="slip gap-above">What happens next</h2>
    <ol className="stack gap-2">
      <li>Your experiment is stored as a draft that only you and our reviewers can open.</li>
      <li>You get a private link to it. Keep it: it is your way back.</li>
      <li>Once we have read and published it, it joins the portfolio.</li>
    </ol>
  </aside>
);
