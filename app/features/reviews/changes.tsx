import type { Project } from '#features/projects/model/read.ts';
import { TEXTS } from '#features/submissions/model/submission.ts';
import { submissionWords } from '#features/submissions/words/submission.ts';
import { creditWords } from '#lib/words/credits.ts';
import { RichText } from '#ui/rich-text.tsx';
import { type ComparedPart, changesSince, type DraftAsTold, isUnchanged } from './model/changes.ts';

const NAMES: Record<ComparedPart, string> = {
  title: submissionWords.title,
  client: submissionWords.client,
  category: submissionWords.category,
  tags: 'Tags',
  brief: submissionWords.brief,
  understanding: submissionWords.understanding,
  actions: submissionWords.actions,
  impact: submissionWords.impact,
  credits: creditWords.title,
};

const isRich = (part: ComparedPart) => TEXTS.some((text) => text === part);

export function SubmissionChanges({
  before,
  experiment,
  words,
}: {
  before: DraftAsTold;
  experiment: Project;
  words: string | null;
}) {
  const changes = changesSince(before, experiment);
  return (
    <section className="review-changes edge-machine panel" aria-labelledby="changes">
      <h3 id="changes">What changed</h3>
      {words && <blockquote className="review-words measure-70 pre-wrap anywhere">{words}</blockquote>}
      {isUnchanged(changes) && <p>Nothing is different from what you had read.</p>}
      <ul>
        {changes.parts.map(({ part, before: was }) => (
          <li key={part}>
            <details>
              <summary>{NAMES[part]} was changed</summary>
              <p className="row-meta">Before:</p>
              {was === '' ? <p>Nothing</p> : isRich(part) ? <RichText html={was} /> : <p>{was}</p>}
            </details>
          </li>
        ))}
        {changes.added.length > 0 && <li>{counted(changes.added.length)} added</li>}
        {changes.removed.map((url) => (
          <li key={url}>
            <a href={url} target="_blank" rel="noreferrer">
              One of the media
            </a>{' '}
            was taken out
          </li>
        ))}
        {changes.reworded.map(({ id, said, before: was }) => {
          const now = experiment.project_media.find((media) => media.id === id)?.[said];
          return said === 'title' ? (
            <li key={id}>
              The words of “{was || 'a picture without words'}” now read “{now || 'nothing'}”
            </li>
          ) : (
            <li key={`${id} ${said}`}>
              What a picture shows: “{was || 'nothing'}” before, now “{now || 'nothing'}”
            </li>
          );
        })}
        {changes.reordered && <li>The order of the media is different</li>}
      </ul>
    </section>
  );
}

const counted = (number: number) => (number === 1 ? '1 picture or video was' : `${number} pictures or videos were`);
