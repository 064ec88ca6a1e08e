import type { Project } from '#features/projects/model/read.ts';
import { Differences } from '#features/projects/versions/version.tsx';
import { changesSince, type DraftContent } from './model/changes.ts';

export const SubmissionChanges = ({
  before,
  experiment,
  words,
}: {
  before: DraftContent;
  experiment: Project;
  words: string | null;
}) => (
  <section className="review-changes edge-machine panel" aria-labelledby="changes">
    <h3 id="changes">What changed</h3>
    {words && <blockquote className="review-words measure-70 pre-wrap anywhere">{words}</blockquote>}
    <Differences found={changesSince(before, experiment)} same="Nothing changed since you read it." />
  </section>
);
