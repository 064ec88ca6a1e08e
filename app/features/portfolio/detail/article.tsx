import type { Ref } from 'react';
import { DraftNotice } from '#features/drafts/draft-notice.tsx';
import type { DraftState } from '#features/drafts/model/draft-state.ts';
import type { PictureHost } from '#features/media/model/picture.ts';
import { addressOf, slipOf } from '#features/projects/model/labels.ts';
import type { Project } from '#features/projects/model/read.ts';
import { categoryLabel } from '#lib/words/categories.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import type { Next } from '../model/experiment.ts';
import { Cover, coverMedia } from './cover.tsx';
import { ExperimentCredits } from './credits.tsx';
import { Colophon, ExperimentFacts } from './facts.tsx';
import { Gallery } from './gallery.tsx';
import { ExploreMore, NextExperiment } from './more.tsx';
import { SectionIndex, Story } from './story.tsx';

export function ExperimentArticle({
  experiment,
  next = null,
  draft = null,
  host,
  ref,
}: {
  experiment: Project;
  draft?: DraftState | null;
  next?: Next | null;
  host: PictureHost;
  ref?: Ref<HTMLElement>;
}) {
  const { title, project_media: media } = experiment;
  return (
    <article ref={ref} className="detail sheet" id="experiment">
      {experiment.status === 'draft' && <DraftNotice id={experiment.id} draft={draft} />}
      {experiment.status === 'archived' && (
        <Banner kind="warning">Archived: this experiment is no longer part of the current portfolio.</Banner>
      )}
      <header className="detail-head stack">
        <p className="slip quiet">{slipOf(experiment, categoryLabel(experiment.category))}</p>
        <h1 className={`black ${loudness(title)}`}>{title}</h1>
      </header>
      <ExperimentFacts experiment={experiment} />
      <ExperimentCredits experiment={experiment} />
      <Cover experiment={experiment} host={host} />
      <div className="detail-reading above-6">
        <SectionIndex experiment={experiment} />
        <Story experiment={experiment} />
        {media.length > 1 && <Gallery media={media} cover={coverMedia(experiment, host)} host={host} />}
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

const loudness = ({ length }: string) => (length > ENDLESS ? 'title-endless' : length > LONG ? 'title-long' : '');
