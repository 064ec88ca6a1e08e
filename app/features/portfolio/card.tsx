import { useFacts } from '#context/use-facts.ts';
import { CreditStrip } from '#features/credits/credit-strip.tsx';
import { sharesIn } from '#features/credits/model/credits.ts';
import { LoopBox } from '#features/media/loop-box.tsx';
import { type PictureHost, type PictureSources, pictureOf, renderedAddress } from '#features/media/model/picture.ts';
import { Picture } from '#features/media/picture.tsx';
import { addressOf, budgetOf, clientOf, coverOf, excerptOf, slipOf } from '#features/projects/model/labels.ts';
import { ON_CARD, shownFacts } from '#features/settings/model/project-facts.ts';
import { embedded } from '#lib/data/rows.ts';
import { categoryLabel } from '#lib/words/categories.ts';
import { factText } from '#ui/data/fact-text.ts';
import { StatusBadge } from '#ui/status-badge.tsx';
import type { ListedExperiment } from './model/list.ts';
import './cards.css';

export type Card = ReturnType<typeof cardOf>;

export function cardOf(experiment: ListedExperiment, host: PictureHost) {
  const cover = coverOf(experiment, host);
  const metadata = embedded(experiment.case_study_metadata);
  const shares = sharesIn(metadata);
  return {
    id: experiment.id,
    address: addressOf(experiment),
    title: experiment.title,
    slip: slipOf(experiment, categoryLabel(metadata?.category), shares),
    shares,
    client: clientOf(experiment),
    excerpt: excerptOf(experiment),
    status: experiment.status,
    budget: budgetOf(experiment),
    facts: experiment.facts,
    cover: cover && { ...pictureOf(cover, host), width: null, height: null, placeholder: null },
  };
}

/** A page has 24 cards, so the markup is minimal and styled by structure. */
export const ExperimentCard = ({ card, first }: { card: Card; first: boolean }) => (
  <li>
    <CardCover card={card} first={first} />
    <p>
      {card.slip}
      {card.shares && <CreditStrip shares={card.shares} />}
    </p>
    <h2>
      <a href={card.address}>{`Project: ${card.title}`}</a>
    </h2>
    <p>{card.client}</p>
    <p>{card.excerpt}</p>
    <p>
      <StatusBadge status={card.status} />
      {card.budget && <span>{`Budget: ${card.budget}`}</span>}
      {shownFacts(useFacts().projectFacts, card.facts, ON_CARD).map(({ fact, value }) => (
        <span key={fact.id}>{`${fact.name}: ${factText(fact, value)}`}</span>
      ))}
    </p>
  </li>
);

function CardCover({ card: { cover, title }, first }: { card: Card; first: boolean }) {
  const { defaultCover } = useFacts().agency;
  if (!cover) return <img src={defaultCover} alt="" width="800" height="600" loading={first ? 'eager' : 'lazy'} />;
  return (
    <LoopBox picture={cover} name={title}>
      <CoverPicture cover={cover} first={first} />
    </LoopBox>
  );
}

function CoverPicture({ cover, first }: { cover: PictureSources; first: boolean }) {
  if (first || !cover.object) {
    // Slightly below the real size on phones, which then take the next smaller file.
    return (
      <Picture picture={cover} alt="" eager={first} widths={[640, 960, 1280]} sizes="(min-width:1024px) 62vw,88vw" />
    );
  }
  // A column is 360 to 490 pixels wide on wide screens, so only the pixel density matters.
  const doubleDensity = `${renderedAddress(cover.object, 960)} 2x`;
  return <img loading="lazy" src={renderedAddress(cover.object, 640)} srcSet={doubleDensity} alt="" />;
}
