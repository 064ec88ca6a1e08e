import { agency } from '../../copy/agency.ts';
import { categoryLabel } from '../../copy/categories.ts';
import type { ListedExperiment } from '../../models/experiment-list.ts';
import { type Picture as PictureData, type PictureHost, pictureOf } from '../../models/picture.ts';
import { addressOf, budgetOf, clientOf, coverOf, excerptOf, one, slipOf } from '../../models/project.ts';
import { Picture } from '../../ui/picture.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

/** Only what a card shows: no text travels further than it has to. */
export interface Card {
  id: string;
  address: string;
  title: string;
  slip: string;
  client: string;
  excerpt: string;
  status: string;
  budget: string | null;
  cover: PictureData | null;
}

export function cardOf(experiment: ListedExperiment, host: PictureHost): Card {
  const cover = coverOf(experiment);
  return {
    id: experiment.id,
    address: addressOf(experiment),
    title: experiment.title,
    slip: slipOf(experiment, categoryLabel(one(experiment.case_study_metadata)?.category)),
    client: clientOf(experiment),
    excerpt: excerptOf(experiment),
    status: experiment.status,
    budget: budgetOf(experiment),
    cover: cover && pictureOf(cover, host),
  };
}

/** One experiment in the list. There are 24 on a page, so the markup is spare and its looks hang on structure. */
export const ExperimentCard = ({ card, first }: { card: Card; first: boolean }) => (
  <li data-id={card.id}>
    <CardCover cover={card.cover} first={first} />
    <p className="slip">{card.slip}</p>
    <h2>
      <a href={card.address}>{`Project: ${card.title}`}</a>
    </h2>
    <p>{card.client}</p>
    <p>{card.excerpt}</p>
    <p>
      <StatusBadge status={card.status} />
      {card.budget && <span className="amount">{`Budget: ${card.budget}`}</span>}
    </p>
  </li>
);

const CardCover = ({ cover, first }: { cover: PictureData | null; first: boolean }) =>
  cover ? (
    <Picture
      picture={cover}
      alt=""
      eager={first}
      widths={first ? [640, 960, 1280] : [640, 960]}
      sizes={first ? '(min-width:1024px) 62vw, 100vw' : 'auto,34vw'}
    />
  ) : (
    <img src={agency.defaultCover} alt="" width="800" height="600" loading={first ? 'eager' : 'lazy'} />
  );
