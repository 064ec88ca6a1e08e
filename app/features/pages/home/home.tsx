import { data, href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { useContent, useFacts } from '#context/use-facts.ts';
import { CreditStrip } from '#features/credits/credit-strip.tsx';
import { cachedUntilOver, isAhead } from '#features/masterclass/model/masterclass.ts';
import { LoopBox } from '#features/media/loop-box.tsx';
import { Picture } from '#features/media/picture.tsx';
import { ContactBlock } from '#features/messages/contact/block.tsx';
import { type Card, cardOf } from '#features/portfolio/card.tsx';
import { listClients, listForHome } from '#features/portfolio/model/list.ts';
import { factsIn, originIn, pageTags, siteData, structured } from '#features/seo/model/page-meta.ts';
import { FittedLine } from '#ui/fitted-line.tsx';
import { OutsideButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { Lines } from '#ui/layout/lines.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { homePage } from '../words/home.ts';
import type { Route } from './+types/home';
import '#ui/layout/utilities.css';
import './home.css';
import { MasterclassBand } from '#features/masterclass/band.tsx';

export const handle: PageHandle = { knows: [] };

type Loaded = { cards: Card[]; clients: string[]; ahead: boolean };

export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const { masterclass } = await site.facts();
  const now = new Date();
  const ahead = isAhead(masterclass, now);
  try {
    const chosen = listForHome(site.data());
    const [found, clients, host] = await Promise.all([chosen, site.shared('clients', listClients), site.pictureHost()]);
    const cards = found.map((experiment) => cardOf(experiment, host));
    return data<Loaded>({ cards, clients, ahead }, { headers: cachedUntilOver(masterclass, now) });
  } catch {
    return data<Loaded>({ cards: [], clients: [], ahead }, { headers: { 'cache-control': 'no-store' } });
  }
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = (args) => [
  ...pageTags(args),
  structured(siteData(factsIn(args), originIn(args))),
];

const Home = ({ loaderData }: Route.ComponentProps) => <HomePage {...loaderData} />;
export default Home;

export const HomePage = ({ cards, clients, ahead }: Route.ComponentProps['loaderData']) => (
  <>
    <Hero />
    {clients.length > 0 && <Clients clients={clients} />}
    <Work cards={cards} />
    {ahead && <MasterclassBand />}
    <Services />
    <Recipe />
    <ContactBlock />
  </>
);

const DRAWN = homePage.words.hero;

const Hero = () => {
  const { hero } = useContent(homePage);
  return (
    <section className="hero stack gap-0 layer clip">
      <div className="drawing hero-plates" aria-hidden="true">
        <span className="on-hand" />
        <span className="on-machine" />
      </div>
      <p className="hero-slip over-hand inline gap-0 end slip">{hero.slip}</p>
      <div className="hero-words on-overprint">
        <h1 className="poster">
          <FittedLine className="hero-wide tight wide" text={hero.wide} drawn={DRAWN.wide} />{' '}
          <FittedLine className="narrow" text={hero.narrow} drawn={DRAWN.narrow} />
        </h1>
        <p className="hero-lead measure-52 lead">{hero.lead}</p>
      </div>
      <a className="hero-explore over-machine self-start inline gap-2 size-1 display plain" href="#work">
        {hero.explore}
        <Icon name="arrow-down" />
      </a>
    </section>
  );
};

const Clients = ({ clients }: { clients: string[] }) => (
  <section className="cluster baseline clients quiet sheet" aria-labelledby="clients">
    <h2 className="slip" id="clients">
      {useContent(homePage).clients}
    </h2>
    <ul className="cluster anywhere">
      <Lines of={clients} />
    </ul>
  </section>
);

const Work = ({ cards }: { cards: Card[] }) => {
  const { work } = useContent(homePage);
  return (
    <section className="pad-y-section sheet" id="work" aria-labelledby="work-title">
      <header className="cluster apart baseline work-head">
        <h2 className="title anywhere" id="work-title">
          {work.title}
        </h2>
        <a href={href('/case-studies')}>{work.all}</a>
      </header>
      <ul className="work-cards twelve">
        {cards.map((card, place) => (
          <li className="work-card stack gap-2 relative" key={card.id}>
            <div className="work-cover below-2 plates">
              <WorkCover card={card} first={place === 0} />
            </div>
            <p className="slip quiet">
              {card.slip}
              {card.shares && <CreditStrip shares={card.shares} />}
            </p>
            <h3 className="size-2 anywhere">
              <a className="plain inked" href={card.address}>
                {card.title}
              </a>
            </h3>
            <p className="measure-52">{card.excerpt}</p>
          </li>
        ))}
        {work.cards.slice(cards.length).map(({ title, slip, text, picture }) => (
          <li className="work-card stack gap-2 relative" key={title}>
            <div className="work-cover below-2 plates">
              <img src={picture.path} alt={picture.alt} width="800" height="600" loading="lazy" />
            </div>
            <p className="slip quiet">{slip}</p>
            <h3 className="size-2 anywhere">{title}</h3>
            <p className="measure-52">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
};

function WorkCover({ card: { cover, title }, first }: { card: Card; first: boolean }) {
  const { defaultCover } = useFacts().agency;
  return cover ? (
    <LoopBox picture={cover} name={title} leads={first}>
      <Picture picture={cover} alt="" sizes="(min-width:1024px) 60vw,92vw" />
    </LoopBox>
  ) : (
    <img src={defaultCover} alt="" width="800" height="600" loading="lazy" />
  );
}

const Services = () => {
  const { agency } = useFacts();
  const { services } = useContent(homePage);
  return (
    <TitledSection
      className="pad-end-section sheet"
      id="services"
      titleId="services-title"
      heading="title"
      title={services.title}
    >
      <ol className="service-rows rule">
        {services.list.map(({ name, text }, index) => (
          <li className="service hairline-below pad-y-4 stack middle" key={name}>
            <span className="mono one-line accent" aria-hidden="true">
              {String(index + 1).padStart(2, '0')}
            </span>
            <h3>{name}</h3>
            <p className="anywhere">{text}</p>
          </li>
        ))}
      </ol>
      <OutsideButton href={agency.bookStrategyCall}>{services.call}</OutsideButton>
    </TitledSection>
  );
};

const Recipe = () => {
  const { recipe } = useContent(homePage);
  return (
    <section className="recipe pad-end-section split middle sheet" aria-labelledby="recipe-title">
      <h2 className="title across" id="recipe-title">
        {recipe.title}
      </h2>
      <RecipeDrawing />
      <dl className="scoops stack gap-6">
        {recipe.scoops.map(({ name, text }) => (
          <div className="stack gap-0" key={name}>
            <dt>{name}</dt>
            <dd className="lead-close measure-52 gap-above-small">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

const RecipeDrawing = () => (
  <svg className="recipe-drawing" viewBox="0 0 520 600" aria-hidden="true">
    <path className="recipe-cone drawn" d="M132 250 260 588 388 250z" />
    <path
      className="drawn"
      d="M176 250 288 514M232 250 314 446M290 250 344 370M344 250 232 514M288 250 206 446M230 250 176 370"
    />
    <g className="isolated">
      <path
        className="plate-one"
        d="M64 226a126 126 0 0 1 252 0a21 30 0 0 1-42 0a21 58 0 0 1-42 0a21 26 0 0 1-42 0a21 44 0 0 1-42 0a21 24 0 0 1-42 0a21 66 0 0 1-42 0z"
      />
      <path
        className="plate-two"
        d="M204 232V169H225V148H246V127H267V106H288V106H309V106H330V106H351V106H372V106H393V127H414V148H435V169H456V232V274H435V274H414V232H393V253H372V295H351V295H330V253H309V232H288V274H267V232H246V253H225V232H204z"
      />
    </g>
    <path className="recipe-scribble drawn" d="M104 116c-40-30-18-86 22-74s14 66-18 52 8-84 52-74 28 58 4 52" />
    <path className="recipe-scribble drawn" d="M398 66h34v-34h34v68h-34v34h34" />
  </svg>
);
