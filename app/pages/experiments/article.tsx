import type { ReactNode, Ref } from 'react';
import { categoryLabel } from '../../copy/categories.ts';
import { messages } from '../../copy/messages.ts';
import type { Experiment } from '../../models/experiment.ts';
import { type PictureHost, pictureOf } from '../../models/picture.ts';
import { budgetOf, clientOf, coverOf, slipOf } from '../../models/project.ts';
import { Banner } from '../../ui/banner.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Picture } from '../../ui/picture.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Gallery, MediaFigure } from './media-figure.tsx';

/** One experiment, told in four parts. The server draws it, and the browser too when a session is what opens it. */
export function ExperimentArticle({
  experiment,
  host,
  ref,
}: {
  experiment: Experiment;
  host: PictureHost;
  ref?: Ref<HTMLElement>;
}) {
  const media = experiment.project_media;
  return (
    <article ref={ref} className="detail sheet" id="experiment">
      <Notice status={experiment.status} />
      <header className="detail-head">
        <p className="slip">{slipOf(experiment, categoryLabel(experiment.category))}</p>
        <h1>{experiment.title}</h1>
      </header>
      <Opening experiment={experiment} host={host} />
      <div className="detail-body">
        <Facts experiment={experiment} />
        <div className="detail-story">
          <Section number={1} title="The Brief" html={experiment.brief} />
          <Section number={2} title="Our Understanding" html={experiment.understanding} />
          <Section number={3} title="What We Did" html={experiment.actions} />
          <Section number={4} title="The Impact" html={experiment.impact} />
        </div>
      </div>
      {media.length > 1 && <Gallery media={media} host={host} />}
      <ExploreMore />
    </article>
  );
}

const Notice = ({ status }: { status: string }) =>
  status === 'draft' ? (
    <Banner kind="warning">This is a draft awaiting review. Only you and the people who review it can see it.</Banner>
  ) : status === 'archived' ? (
    <Banner kind="warning">Archived: this experiment is no longer part of the current portfolio.</Banner>
  ) : null;

/** The cover across the sheet; a lone film takes its place, and the house picture when there is nothing to see. */
function Opening({ experiment, host }: { experiment: Experiment; host: PictureHost }) {
  const cover = coverOf(experiment, host);
  const [first] = experiment.project_media;
  return (
    <div className="detail-cover">
      {cover ? (
        <Picture
          picture={pictureOf(cover, host)}
          alt={cover.title ?? ''}
          sizes="(min-width:1600px) 1520px, 92vw"
          eager
        />
      ) : first ? (
        <MediaFigure media={first} host={host} />
      ) : (
        <img src={host.defaultCover} alt="" width="800" height="600" />
      )}
    </div>
  );
}

function Facts({ experiment }: { experiment: Experiment }) {
  const category = categoryLabel(experiment.category);
  const budget = budgetOf(experiment);
  return (
    <aside className="detail-rail" aria-label="Facts">
      <dl className="facts">
        <Fact name="Client">{clientOf(experiment)}</Fact>
        {category && <Fact name="Category">{category}</Fact>}
        {budget && (
          <Fact name="Budget">
            <span className="amount">{budget}</span>
          </Fact>
        )}
        {experiment.start_date && (
          <Fact name="Dates">
            <Day iso={experiment.start_date} />
            {experiment.end_date && (
              <>
                {' to '}
                <Day iso={experiment.end_date} />
              </>
            )}
          </Fact>
        )}
        <Fact name="Status">
          <StatusBadge status={experiment.status} />
        </Fact>
        {experiment.credits.length > 0 && (
          <Fact name="Credits">
            <ul>
              {experiment.credits.map((credit) => (
                <li key={credit}>{credit}</li>
              ))}
            </ul>
          </Fact>
        )}
        {experiment.tags.length > 0 && (
          <Fact name="Tags">
            <span className="tags">
              {experiment.tags.map((tag) => (
                <span className="tag" key={tag}>
                  {tag}
                </span>
              ))}
            </span>
          </Fact>
        )}
      </dl>
      <button
        className="button button-secondary script-only"
        type="button"
        data-share={experiment.title}
        data-copied={messages.urlCopied}
      >
        <Icon name="share" />
        Share
      </button>
      <div id="experiment-actions" />
    </aside>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

const Day = ({ iso }: { iso: string }) => <time dateTime={iso}>{day.format(new Date(iso))}</time>;

const Section = ({ number, title, html }: { number: number; title: string; html: string | null }) => (
  <section className="story-section">
    <p className="story-number" aria-hidden="true">
      {number}
    </p>
    <h2>{title}</h2>
    {html ? <RichText html={html} /> : <p className="note">Nobody has written this part down yet.</p>}
  </section>
);

const ExploreMore = () => (
  <section className="explore-more" aria-labelledby="explore-more">
    <h2 id="explore-more">Explore More</h2>
    <a className="explore-sheet explore-hand" href="/case-studies">
      <span>All Mad Experiments</span>
      <Icon name="arrow-right" />
    </a>
    <a className="explore-sheet explore-machine" href="/#contact">
      <span>Start your own</span>
      <Icon name="arrow-right" />
    </a>
  </section>
);
