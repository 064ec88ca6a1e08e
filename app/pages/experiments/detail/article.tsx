import type { Ref } from 'react';
import { categoryLabel } from '../../../copy/categories.ts';
import type { PictureHost } from '../../../models/media/picture.ts';
import type { Next } from '../../../models/portfolio/experiment.ts';
import { addressOf, slipOf } from '../../../models/project/labels.ts';
import type { Project } from '../../../models/project/read.ts';
import type { DraftState } from '../../../models/submission/draft-state.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { DraftNotice } from '../draft/draft-notice.tsx';
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
      <header className="detail-head">
        <p className="slip">{slipOf(experiment, categoryLabel(experiment.category))}</p>
        <h1 className={loudness(title)}>{title}</h1>
      </header>
      <ExperimentFacts experiment={experiment} />
      <ExperimentCredits experiment={experiment} />
      <Cover experiment={experiment} host={host} />
      <div className="detail-reading">
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

const loudness = ({ length }: string) =>
  length > ENDLESS ? 'title-endless' : length > LONG ? 'title-long' : undefined;
