import { DayTime } from '#ui/time.tsx';
import type { ReviewStep } from './model/review.ts';
import { reviewWords as words } from './words/review.ts';

export const ReviewSteps = ({ steps }: { steps: ReviewStep[] }) =>
  steps.length === 0 ? null : (
    <section aria-labelledby="steps">
      <h3 id="steps">What happened so far</h3>
      <ol className="review-steps">
        {steps.map((step) => (
          <li key={step.id}>
            <p>
              {whoOf(step)} {words.steps[step.kind]}, <DayTime at={step.given_at} />
              {step.mail_to && (
                <span className="row-meta">
                  {step.mailed_at ? `Mailed to ${step.mail_to}` : `Waits for the mail server, to ${step.mail_to}`}
                </span>
              )}
            </p>
            {step.words && <blockquote className="review-words">{step.words}</blockquote>}
          </li>
        ))}
      </ol>
    </section>
  );

const whoOf = ({ kind, by }: ReviewStep) =>
  kind === 'sent_back' ? 'The submitter' : by?.name || by?.email || 'Someone';
