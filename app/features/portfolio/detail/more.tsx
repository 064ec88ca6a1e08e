import { type PictureHost, pictureOf } from '#features/media/model/picture.ts';
import { Picture } from '#features/media/picture.tsx';
import { addressOf, clientOf, coverOf, slipOf } from '#features/projects/model/labels.ts';
import { categoryLabel } from '#lib/words/categories.ts';
import type { PagePath } from '#lib/words/page-path.ts';
import { Icon } from '#ui/icon.tsx';
import type { Next } from '../model/experiment.ts';
import { COVER_SIZES, COVER_WIDTHS } from './cover.tsx';

export function NextExperiment({ next, host }: { next: Next; host: PictureHost }) {
  const cover = coverOf(next, host);
  return (
    <section className="next pad-top-4 stack gap-3 relative rule above-section" aria-label="Next experiment">
      <p className="slip quiet">Next: {slipOf(next, categoryLabel(next.category))}</p>
      <h2 className="anywhere">
        <a className="plain inked" href={addressOf(next)} rel="next">
          {next.title}
        </a>
      </h2>
      <p>{clientOf(next)}</p>
      {cover ? (
        <Picture picture={pictureOf(cover, host)} alt="" sizes={COVER_SIZES} widths={COVER_WIDTHS} />
      ) : (
        <img src={host.defaultCover} alt="" width="800" height="600" loading="lazy" />
      )}
    </section>
  );
}

export const ExploreMore = () => (
  <section className="explore-more stack above-section" aria-labelledby="explore-more">
    <h2 id="explore-more">Explore More</h2>
    <a className="explore-sheet pad-5 inline bottom gap-4 apart plain" href={'/case-study-upload' satisfies PagePath}>
      <span className="anywhere shrink">Start your own</span>
      <Icon name="arrow-right" />
    </a>
    <p className="cluster">
      <a href={'/case-studies' satisfies PagePath}>All Mad Experiments</a>
      <a href={'/#contact' satisfies PagePath}>Contact us</a>
    </p>
  </section>
);
