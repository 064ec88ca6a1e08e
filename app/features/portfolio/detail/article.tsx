import type { CSSProperties, Ref } from 'react';
import { useContent } from '#context/use-facts.ts';
import { CreditList } from '#features/credits/credit-list.tsx';
import { CreditStrip, ShareWords } from '#features/credits/credit-strip.tsx';
import { CommentLink, DraftNotice } from '#features/drafts/draft-notice.tsx';
import type { DraftState } from '#features/drafts/model/draft-state.ts';
import { LoopBox } from '#features/media/loop-box.tsx';
import type { Media } from '#features/media/model/media.ts';
import { type PictureHost, pictureOf } from '#features/media/model/picture.ts';
import { altOf } from '#features/media/model/titles.ts';
import { MovingPicture } from '#features/media/moving-picture.tsx';
import { Picture } from '#features/media/picture.tsx';
import { portfolioPage } from '#features/pages/words/portfolio.ts';
import { addressOf, clientOf, coverOf, coverPicture, slipOf } from '#features/projects/model/labels.ts';
import type { Project } from '#features/projects/model/read.ts';
import { categoryLabel } from '#lib/words/categories.ts';
import { creditWords as words } from '#lib/words/credits.ts';
import type { PagePath } from '#lib/words/page-path.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Icon } from '#ui/icon.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import type { Next } from '../model/experiment.ts';
import { Colophon, ExperimentFacts } from './facts.tsx';
import { galleryRows, type Item, shapeOf } from './gallery-rows.ts';
import { Enlarge, MediaFigure } from './media-figure.tsx';
import { SectionIndex, Story } from './story.tsx';

interface ArticleProps {
  experiment: Project;
  draft?: DraftState | null;
  next?: Next | null;
  isPreview?: boolean;
  canComment?: boolean;
  host: PictureHost;
  ref?: Ref<HTMLElement>;
}

export function ExperimentArticle(props: ArticleProps) {
  const { experiment, next, draft = null, isPreview, canComment, host, ref } = props;
  const { title, project_media: media } = experiment;
  const cover = coverPicture(experiment, host);
  return (
    <article ref={ref} className="detail sheet" id="experiment">
      {experiment.status === 'draft' && <DraftNotice id={experiment.id} draft={draft} canComment={canComment} />}
      {isPreview && (
        <Banner kind="warning">
          A preview: these changes are not published yet. <CommentLink id={experiment.id} />
        </Banner>
      )}
      {experiment.status === 'archived' && (
        <Banner kind="warning">Archived: this experiment is no longer part of the current portfolio.</Banner>
      )}
      <header className="detail-head stack">
        <p className="slip quiet">{slipOf(experiment, categoryLabel(experiment.category))}</p>
        <h1 className={`black ${titleClass(title)}`}>{title}</h1>
      </header>
      <ExperimentFacts experiment={experiment} />
      <ExperimentCredits experiment={experiment} />
      <Cover title={title} cover={cover} first={media[0]} host={host} />
      <div className="detail-reading above-6">
        <SectionIndex experiment={experiment} />
        <Story experiment={experiment} />
        {media.length > 1 && <Gallery media={media} cover={cover ?? media[0]!} host={host} />}
      </div>
      <Colophon experiment={experiment} />
      <p className="detail-address">{host.origin + addressOf(experiment)}</p>
      {next && <NextExperiment next={next} host={host} />}
      <ExploreMore />
    </article>
  );
}

/** In characters; shorter titles are set larger. */
const LONG = 34;
const ENDLESS = 80;

const titleClass = ({ length }: string) => (length > ENDLESS ? 'title-endless' : length > LONG ? 'title-long' : '');

const ExperimentCredits = ({ experiment: { credits, shares } }: { experiment: Project }) =>
  shares && (
    <details className="credits gap-above">
      <summary className="block pad-y-2">
        <CreditStrip shares={shares} />
        <span className="cluster apart credits-line slip">
          <ShareWords shares={shares} />
          <span className="credits-title underlined inline gap-2">{words.title}</span>
        </span>
      </summary>
      <CreditList credits={credits} />
    </details>
  );

function NextExperiment({ next, host }: { next: Next; host: PictureHost }) {
  const cover = coverOf(next, host);
  return (
    <section className="next pad-top-4 stack gap-3 relative rule above-section" aria-label="Next experiment">
      <p className="slip quiet">Next: {slipOf(next, categoryLabel(next.category))}</p>
      <h2 className="size-3 anywhere">
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

const ExploreMore = () => {
  const { title, own, all, contact } = useContent(portfolioPage).more;
  return (
    <section className="explore-more stack above-section" aria-labelledby="explore-more">
      <h2 id="explore-more">{title}</h2>
      <a
        className="explore-sheet on-machine heading size-3 pad-5 inline bottom gap-4 apart plain"
        href={'/case-study-upload' satisfies PagePath}
      >
        <span className="anywhere shrink">{own}</span>
        <Icon name="arrow-right" />
      </a>
      <p className="touch cluster">
        <a href={'/case-studies' satisfies PagePath}>{all}</a>
        <a href={'/#contact' satisfies PagePath}>{contact}</a>
      </p>
    </section>
  );
};

const COVER_SIZES = '(min-width:1664px) 1520px,92vw';
const COVER_WIDTHS = [320, 640, 960, 1280, 1920];

type CoverProps = { title: string; cover: Media | null; first: Media | undefined; host: PictureHost };

/** Shows the first media item when no picture has a trusted address. */
function Cover({ title, cover, first, host }: CoverProps) {
  if (!cover) {
    return (
      <div className="detail-cover plates">
        {first && <MediaFigure media={first} host={host} name={title} sizes={COVER_SIZES} caption={false} />}
        {!first && <img src={host.defaultCover} alt="" width="800" height="600" />}
      </div>
    );
  }
  const picture = pictureOf(cover, host);
  const alt = altOf(cover, title);
  return (
    <div className="detail-cover plates" style={{ '--shape': shapeOf(cover) } as CSSProperties}>
      <LoopBox picture={picture} name={title} leads>
        <MovingPicture picture={picture} name={alt}>
          <Enlarge href={picture.src}>
            <Picture picture={picture} alt={alt} sizes={COVER_SIZES} widths={COVER_WIDTHS} eager />
          </Enlarge>
        </MovingPicture>
      </LoopBox>
    </div>
  );
}

function Gallery({ media, cover, host }: { media: Item[]; cover: Media; host: PictureHost }) {
  const renderFigure = (item: Item, share: number) => {
    const name = `Picture ${media.indexOf(item) + 1}`;
    return <MediaFigure key={item.id} media={item} host={host} name={name} sizes={sizesOf(share)} />;
  };
  return (
    <TitledSection className="gallery" id="project-gallery" titleId="gallery" heading="below-5" title="Project Gallery">
      <ul className="gallery-items gutter cluster top">
        {galleryRows(media, cover).map(({ media: [item, after], share, abreast }) =>
          after ? (
            <li
              className="comparison"
              key={item.id}
              style={{ '--shape': shapeOf(item), '--after-shape': shapeOf(after) } as CSSProperties}
            >
              {renderFigure(item, 1)}
              {renderFigure(after, 1)}
              <input
                className="script-only"
                type="range"
                defaultValue="50"
                autoComplete="off"
                aria-label="Before and after, by percent of the picture before"
              />
            </li>
          ) : (
            <li
              key={item.id}
              style={{ '--share': share.toFixed(4), '--gaps': abreast - 1, '--shape': shapeOf(item) } as CSSProperties}
            >
              {renderFigure(item, share)}
            </li>
          ),
        )}
      </ul>
    </TitledSection>
  );
}

const SHEET = 1520;

const sizesOf = (share: number) =>
  `(min-width:1664px) ${Math.round(share * SHEET)}px,(min-width:640px) ${Math.round(share * 92)}vw,92vw`;
