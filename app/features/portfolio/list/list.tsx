import { data, href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { useContent, useFacts } from '#context/use-facts.ts';
import { portfolioPage } from '#features/pages/words/portfolio.ts';
import { collectionData, contentIn, factsIn, originIn, pageTags, structured } from '#features/seo/model/page-meta.ts';
import { filterOf, filtersIn } from '#features/settings/model/project-facts.ts';
import { messageOf } from '#lib/data/api-error.ts';
import { MAX_SEARCH_LENGTH } from '#lib/data/page.ts';
import { refusalText } from '#lib/data/refusal.ts';
import { publicPage } from '#lib/page-headers.ts';
import { categoryLabel, listedCategories } from '#lib/words/categories.ts';
import { creditWords, LEADS } from '#lib/words/credits.ts';
import { messages } from '#lib/words/messages.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { LinkButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { type Card, cardOf, ExperimentCard } from '../card.tsx';
import {
  type Counts,
  countExperiments,
  countOf,
  EXPERIMENTS_ON_A_PAGE,
  type ListChoice,
  listAddress,
  listChoice,
  listExperiments,
  listParameters,
} from '../model/list.ts';
import { rangeLine, resultLine } from '../words.ts';
import type { Route } from './+types/list';
import { ListEmpty } from './list-empty.tsx';
import './list.css';

export const handle: PageHandle = { knows: listParameters };

export interface Listed {
  choice: ListChoice;
  cards: Card[];
  more: boolean;
  counts: Counts;
  exact: boolean;
  error: string | null;
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const choice = listChoice(new URL(request.url).searchParams);
  if (choice.fact && !filterOf((await site.facts()).projectFacts, choice.fact)) choice.fact = null;
  try {
    const { words } = choice;
    const [{ experiments, more }, counted, host] = await Promise.all([
      listExperiments(site.data(), choice),
      words ? countExperiments(site.data(), words) : site.shared('counts', (client) => countExperiments(client)),
      site.pictureHost(),
    ]);
    const cards = experiments.map((experiment) => cardOf(experiment, host));
    return data<Listed>({ choice, cards, more, ...counted, error: null }, { headers: publicPage });
  } catch (error) {
    const { refusal } = site.trouble;
    const failed = messages.failedToLoadExperiments;
    const reason = refusal ? `${failed}. ${refusalText(refusal)}` : messageOf(error, failed);
    const empty: Listed = { choice, cards: [], more: false, counts: {}, exact: true, error: reason };
    return data(empty, { status: 502, headers: { 'cache-control': 'no-store' } });
  }
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = (args) => {
  const { choice, cards, more } = args.loaderData;
  const place = { name: factsIn(args).agency.portfolioName, path: href('/case-studies') };
  const title = choice.words ? `“${choice.words}” in ${place.name}` : place.name;
  const { description } = contentIn(args, portfolioPage);
  return [
    ...pageTags(args, { title, description, noindex: choice.words !== '' }),
    // Filtered lists have the canonical address of the whole list, which alone carries structured data.
    ...(listAddress(choice) === place.path && cards.length > 0
      ? [structured(collectionData(place, cards.slice(0, 8), originIn(args)))]
      : []),
    ...(choice.from > 1 ? [{ tagName: 'link', rel: 'prev', href: pageAddress(choice, choice.from - 1) }] : []),
    ...(more ? [{ tagName: 'link', rel: 'next', href: pageAddress(choice, choice.page + 1) }] : []),
  ];
};

const pageAddress = (choice: ListChoice, page: number) => listAddress({ ...choice, page, from: page });

const ExperimentListPage = ({ loaderData }: Route.ComponentProps) => <ListPage {...loaderData} />;
export default ExperimentListPage;

/** Label of a chip, and what it changes in the choice. */
type ChipChoice = [label: string, part: Partial<Pick<ListChoice, 'category' | 'made' | 'fact'>>];

const CATEGORY_CHOICES: ChipChoice[] = [
  ['All', { category: null }],
  ...listedCategories.map(({ value, label }): ChipChoice => [label, { category: value }]),
];
const LEAD_CHOICES: ChipChoice[] = [
  [creditWords.everyLead, { made: null }],
  ...LEADS.map((made): ChipChoice => [creditWords.led[made], { made }]),
];

export function ListPage(listed: Listed) {
  const { choice, cards, error } = listed;
  const [first, ...rest] = useFacts().agency.portfolioName.split(' ');
  const { add, question, start } = useContent(portfolioPage);
  return (
    <div className="list sheet">
      <header className="cluster apart bottom list-head gap-5">
        <h1>
          <span className="wide">{first}</span> <span className="narrow">{rest.join(' ')}</span>
        </h1>
        <LinkButton href={href('/case-study-upload')}>
          <Icon name="plus" />
          {add}
        </LinkButton>
      </header>
      <Search choice={choice} />
      <Chips listed={listed} name="Categories" choices={CATEGORY_CHOICES} />
      <Leads listed={listed} />
      <FactFilters listed={listed} />
      <div className="list-loading above-6">
        <Spinner label="Loading experiments" />
      </div>
      {error && <Banner kind="error">{error}</Banner>}
      {/* A page beyond the last is empty even when the total is positive. */}
      {!error && (cards.length > 0 || countAndPrecision(listed).count === 0) && <Result listed={listed} />}
      {!error && cards.length === 0 && <ListEmpty listed={listed} />}
      {!error && cards.length > 0 && (
        <>
          <ul className="cards stack">
            {cards.map((card, position) => (
              <ExperimentCard key={card.id} card={card} first={position === 0} />
            ))}
          </ul>
          <Pages listed={listed} />
          <div className="cluster apart list-start">
            <p className="heading size-2 anywhere">{question}</p>
            <LinkButton href={`${href('/')}#contact`}>{start}</LinkButton>
          </div>
        </>
      )}
    </div>
  );
}

const Search = ({ choice: { category, made, fact, words } }: { choice: ListChoice }) => (
  <search className="list-search">
    <form className="inline bottom above-6" action={href('/case-studies')}>
      {category && <input type="hidden" name="category" value={category} />}
      {made && <input type="hidden" name="made" value={made} />}
      {fact && <input type="hidden" name="fact" value={fact} />}
      <input
        className="grow"
        type="search"
        name="q"
        defaultValue={words}
        maxLength={MAX_SEARCH_LENGTH}
        placeholder="Search experiments"
        aria-label="Search experiments"
        autoComplete="off"
        enterKeyHint="search"
      />
      <button className="button button-primary below-2" type="submit">
        <Icon name="search" />
        <span>Search</span>
      </button>
    </form>
  </search>
);

function Leads({ listed }: { listed: Listed }) {
  const { choice, counts } = listed;
  const hasLeadCounts = LEADS.some((made) => countOf(counts, { category: null, made }) > 0);
  if (!hasLeadCounts && !choice.made) return null;
  return <Chips listed={listed} name="Human or AI?" look="chips-led" choices={LEAD_CHOICES} />;
}

function FactFilters({ listed }: { listed: Listed }) {
  const { choice, counts } = listed;
  return filtersIn(useFacts().projectFacts).map(({ id, name, options = [] }) => {
    const values = options.map((value): ChipChoice => [value, { fact: `${id}:${value}` }]);
    const used = values.filter(
      ([, { fact }]) => fact === choice.fact || countOf(counts, { category: null, made: null, fact }),
    );
    if (used.length === 0) return null;
    const choices: ChipChoice[] = [[`${name}: all`, { fact: null }], ...used];
    return <Chips key={id} listed={listed} name={name} look="chips-led" choices={choices} />;
  });
}

type ChipsProps = { listed: Listed; name: string; look?: string; choices: readonly ChipChoice[] };

function Chips({ listed: { choice, counts, exact, error }, name, look = '', choices }: ChipsProps) {
  const { category, made, fact, words } = choice;
  return (
    <nav aria-label={name}>
      <ul className={`chips inline gap-2 ${look}`.trim()}>
        {choices.map(([label, part]) => {
          const next = { category, made, fact, words, ...part };
          const current = next.category === category && next.made === made && next.fact === fact;
          return (
            <li key={label}>
              <a className="chip" href={listAddress(next)} aria-current={current ? 'page' : undefined}>
                {label} {!error && <small>{`${countOf(counts, next)}${exact ? '' : '+'}`}</small>}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

const countAndPrecision = ({ choice, counts, exact }: Listed) => ({ count: countOf(counts, choice), exact });

const Result = ({ listed }: { listed: Listed }) => {
  const { projectFacts } = useFacts();
  const { category, fact, words } = listed.choice;
  const filters = { category: categoryLabel(category), fact: fact && filterOf(projectFacts, fact) };
  return (
    <p className="cluster gap-0 gap-x-5 apart list-result quiet anywhere gap-above slip" aria-live="polite">
      {resultLine(countAndPrecision(listed), { ...listed.choice, ...filters })}
      {words && (
        <a className="tap" href={pageAddress({ ...listed.choice, words: '' }, 1)}>
          Clear search
        </a>
      )}
    </p>
  );
};

/** With a script, `Load more` appends the next page's cards (load-more.ts). */
function Pages({ listed }: { listed: Listed }) {
  const { choice, cards, more } = listed;
  if (!more && choice.from === 1) return null;
  const skipped = (choice.from - 1) * EXPERIMENTS_ON_A_PAGE;
  return (
    <nav className="cluster gap-x-5 list-pages pad-top-5 hairline above-7" aria-label="Pages">
      {choice.from > 1 && (
        <LinkButton variant="quiet" href={pageAddress(choice, choice.from - 1)} rel="prev">
          <Icon name="arrow-left" />
          Newer experiments
        </LinkButton>
      )}
      {more && (
        <LinkButton variant="secondary" href={pageAddress(choice, choice.page + 1)} rel="next">
          Load more
        </LinkButton>
      )}
      <p className="slip push quiet" aria-live="polite">
        {rangeLine(skipped + 1, skipped + cards.length, countAndPrecision(listed))}
      </p>
    </nav>
  );
}
