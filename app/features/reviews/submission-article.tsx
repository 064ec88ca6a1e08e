import { pictureHost } from '#context/picture-host.ts';
import { CreditList } from '#features/credits/credit-list.tsx';
import { CreditShares } from '#features/credits/credit-strip.tsx';
import { numberedName } from '#features/media/model/titles.ts';
import { nestedHeadings } from '#features/portfolio/detail/story-html.ts';
import { clientOf, coverPicture } from '#features/projects/model/labels.ts';
import type { Project } from '#features/projects/model/read.ts';
import { TEXTS } from '#features/submissions/model/submission.ts';
import { submissionWords } from '#features/submissions/words/submission.ts';
import { categoryLabel } from '#lib/words/categories.ts';
import { creditWords } from '#lib/words/credits.ts';
import { RichText } from '#ui/rich-text.tsx';
import { Filing } from './filing.tsx';
import { ReviewMedia } from './review-media.tsx';

export function SubmissionArticle({ experiment }: { experiment: Project }) {
  const { project_media: media, tags, category } = experiment;
  const cover = coverPicture(experiment, pictureHost());
  return (
    <article className="stack gap-5 anywhere" aria-label={experiment.title}>
      <dl className="grid review-facts gap-3 gap-x-5 anywhere">
        {Object.entries({
          Client: clientOf(experiment),
          Category: categoryLabel(category) ?? 'None',
          Tags: tags.join(', ') || 'None',
        }).map(([name, value]) => (
          <div key={name}>
            <dt className="small quiet">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {experiment.shares && (
        <section>
          <h3>{creditWords.title}</h3>
          <CreditShares shares={experiment.shares} />
          <CreditList credits={experiment.credits} />
        </section>
      )}
      <Filing experiment={experiment} />
      {media.length === 0 ? (
        <p className="empty">It has no pictures or videos.</p>
      ) : (
        <ul className="review-media stack gap-4">
          {media.map((item, place) => (
            <li key={item.id}>
              <ReviewMedia item={item} name={numberedName(item, place)} cover={item === cover} />
            </li>
          ))}
        </ul>
      )}
      {TEXTS.map((text) => (
        <section key={text}>
          <h3>{submissionWords[text]}</h3>
          {experiment[text] ? (
            <RichText html={experiment[text]} fit={nestedHeadings} />
          ) : (
            <p className="row-meta">Nothing is written here.</p>
          )}
        </section>
      ))}
    </article>
  );
}
