import { data } from 'react-router';
import { listedCategories } from '../../copy/categories.ts';
import { messages } from '../../copy/messages.ts';
import { messageOf } from '../../models/api-error.ts';
import { type ListChoice, listAddress, listChoice, listExperiments } from '../../models/experiment-list.ts';
import { pageTags } from '../../models/page-meta.ts';
import { siteContext } from '../../session/site-context.ts';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { Route } from './+types/list';
import { type Card, cardOf, ExperimentCard } from './card.tsx';
import './list.css';

interface Listed {
  choice: ListChoice;
  cards: Card[];
  more: boolean;
  error: string | null;
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const choice = listChoice(new URL(request.url).searchParams);
  try {
    const { experiments, more } = await listExperiments(site.data(), choice);
    const host = await site.pictureHost();
    const cards = experiments.map((experiment) => cardOf(experiment, host));
    return data<Listed>(
      { choice, cards, more, error: null },
      { headers: { 'cache-control': 'public, max-age=0, must-revalidate' } },
    );
  } catch (error) {
    return data<Listed>(
      { choice, cards: [], more: false, error: messageOf(error, messages.failedToLoadExperiments) },
      { status: 502, headers: { 'cache-control': 'no-store' } },
    );
  }
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = (asked) =>
  pageTags(asked, {
    title: 'Mad Experiments',
    description:
      'What happens when human hands and machines work on the same sheet: the portfolio of the collective, newest first.',
  });

export default function ExperimentList({ loaderData: { choice, cards, more, error } }: Route.ComponentProps) {
  return (
    <div className="list sheet">
      <header className="list-head">
        <h1>
          <span className="wide">Mad</span> <span className="narrow">Experiments</span>
        </h1>
        <LinkButton href="/case-study-upload">
          <Icon name="plus" />
          Add Experiment
        </LinkButton>
      </header>
      <Chips chosen={choice.category} />
      <div className="list-loading">
        <Spinner label="Loading experiments" />
      </div>
      {error ? (
        <Banner kind="error">{error}</Banner>
      ) : cards.length === 0 ? (
        <Empty choice={choice} />
      ) : (
        <>
          <ul className="cards">
            {cards.map((card, position) => (
              <ExperimentCard key={card.id} card={card} first={position === 0} />
            ))}
          </ul>
          <Pages choice={choice} more={more} />
          <div className="list-start">
            <p>Is there a mad idea on your desk?</p>
            <LinkButton href="/#contact">Start Your Project</LinkButton>
          </div>
        </>
      )}
    </div>
  );
}

const Chips = ({ chosen }: { chosen: string | null }) => (
  <nav aria-label="Categories">
    <ul className="chips">
      {[{ value: null, label: 'All' }, ...listedCategories].map(({ value, label }) => (
        <li key={label}>
          <a
            className="chip"
            href={listAddress({ category: value, page: 1 })}
            aria-current={chosen === value ? 'page' : undefined}
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

const Empty = ({ choice }: { choice: ListChoice }) => (
  <div className="list-empty">
    <svg className="list-scribble" viewBox="0 0 320 120" aria-hidden="true">
      <rect x="14" y="22" width="120" height="80" className="plate-hand" />
      <rect x="84" y="12" width="120" height="80" className="plate-machine" />
      <path d="M30 96C64 12 92 8 98 44s-34 66-40 40S110 4 142 20s-16 88-28 70S168 0 204 22s-14 74-6 76 42-60 92-64" />
    </svg>
    <p className="note">{messages.noExperiments}</p>
    <div className="list-empty-actions">
      <LinkButton href="/case-study-upload">Submit an Experiment</LinkButton>
      {(choice.category || choice.page > 1) && (
        <LinkButton variant="secondary" href="/case-studies">
          Show all experiments
        </LinkButton>
      )}
    </div>
  </div>
);

const Pages = ({ choice, more }: { choice: ListChoice; more: boolean }) =>
  more || choice.page > 1 ? (
    <nav className="list-pages" aria-label="Pages">
      {choice.page > 1 && (
        <LinkButton variant="quiet" href={listAddress({ ...choice, page: choice.page - 1 })} rel="prev">
          <Icon name="arrow-left" />
          Newer experiments
        </LinkButton>
      )}
      {more && (
        <LinkButton variant="secondary" href={listAddress({ ...choice, page: choice.page + 1 })} rel="next">
          Load more
        </LinkButton>
      )}
    </nav>
  ) : null;
