import { categoryLabel } from '../../../copy/categories.ts';
import type { PagePath } from '../../../copy/page-path.ts';
import { type PictureHost, pictureOf } from '../../../models/media/picture.ts';
import type { Adjacent, Neighbours, Related } from '../../../models/portfolio/experiment.ts';
import { addressOf, clientOf, coverOf, slipOf } from '../../../models/project/labels.ts';
import { Icon } from '../../../ui/icon.tsx';
import { CreditStrip } from '../credits/credit-strip.tsx';
import { Picture } from '../media/picture.tsx';

export const More = ({ neighbours, host }: { neighbours: Neighbours | null; host: PictureHost }) => (
  <>
    {neighbours && neighbours.related.length > 0 && <RelatedExperiments related={neighbours.related} host={host} />}
    {(neighbours?.previous || neighbours?.next) && <Pager {...neighbours} />}
    <ExploreMore />
  </>
);

const RelatedExperiments = ({ related, host }: { related: Related[]; host: PictureHost }) => (
  <section className="related" aria-labelledby="related">
    <h2 id="related">Related Experiments</h2>
    <ul className="related-cards">
      {related.map((experiment) => (
        <li key={experiment.id}>
          <RelatedCover experiment={experiment} host={host} />
          <p className="slip">
            {slipOf(experiment, categoryLabel(experiment.category), experiment.shares)}
            {experiment.shares && <CreditStrip shares={experiment.shares} />}
          </p>
          <h3>
            <a href={addressOf(experiment)}>{experiment.title}</a>
          </h3>
          <p>{clientOf(experiment)}</p>
        </li>
      ))}
    </ul>
  </section>
);

function RelatedCover({ experiment, host }: { experiment: Related; host: PictureHost }) {
  const cover = coverOf(experiment, host);
  if (!cover) return <img src={host.defaultCover} alt="" width="800" height="600" loading="lazy" />;
  return (
    <Picture
      picture={{ ...pictureOf(cover, host), width: 800, height: 600 }}
      alt=""
      widths={[320, 640, 960]}
      sizes="(min-width:1664px) 490px,(min-width:640px) 30vw,92vw"
    />
  );
}

const Pager = ({ previous, next }: Pick<Neighbours, 'previous' | 'next'>) => (
  <nav className="pager" aria-label="Previous and next experiment">
    {previous && (
      <a className="pager-previous" href={addressOf(previous)} rel="prev">
        <Icon name="arrow-left" />
        <Pointed word="Previous" experiment={previous} />
      </a>
    )}
    {next && (
      <a className="pager-next" href={addressOf(next)} rel="next">
        <Pointed word="Next" experiment={next} />
        <Icon name="arrow-right" />
      </a>
    )}
  </nav>
);

const Pointed = ({ word, experiment }: { word: string; experiment: Adjacent }) => (
  <span>
    <span className="slip">{word}</span> <span className="pager-title">{experiment.title}</span>
  </span>
);

const ExploreMore = () => (
  <section className="explore-more" aria-labelledby="explore-more">
    <h2 id="explore-more">Explore More</h2>
    <a className="explore-sheet explore-hand" href={'/case-studies' satisfies PagePath}>
      <span>All Mad Experiments</span>
      <Icon name="arrow-right" />
    </a>
    <a className="explore-sheet explore-machine" href={'/#contact' satisfies PagePath}>
      <span>Start your own</span>
      <Icon name="arrow-right" />
    </a>
  </section>
);
