import { home } from '../../copy/home.ts';
import { factsIn, originIn, pageTags } from '../../models/page-meta.ts';
import { siteData, structured } from '../../models/structured-data.ts';
import type { PageHandle } from '../../root.tsx';
import { useFacts } from '../../session/use-facts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Route } from './+types/home';
import { ContactBlock } from './contact/block.tsx';
import './hero.css';
import './home.css';
import { RecipeDrawing } from './recipe-drawing.tsx';

export const handle: PageHandle = { knows: [] };

export const headers: Route.HeadersFunction = () => ({ 'cache-control': 'public, max-age=0, must-revalidate' });

export const meta: Route.MetaFunction = (asked) => [
  ...pageTags(asked),
  structured(siteData(factsIn(asked), originIn(asked))),
];

export default function Home() {
  return (
    <>
      <Hero />
      <Work />
      <Services />
      <Recipe />
      <ContactBlock />
    </>
  );
}

const Hero = () => {
  const { city } = useFacts().agency;
  return (
    <section className="hero">
      <div className="hero-plates" aria-hidden="true">
        <span className="hero-hand" />
        <span className="hero-machine" />
      </div>
      <p className="hero-slip slip">{home.slip(city)}</p>
      <div className="hero-words">
        <h1>
          <span className="hero-wide">{home.tagline[0]}</span> <span className="narrow">{home.tagline[1]}</span>
        </h1>
        <p className="hero-lead">{home.lead(city)}</p>
      </div>
      <a className="hero-explore" href="#work">
        {home.explore}
        <Icon name="arrow-down" />
      </a>
    </section>
  );
};

const Work = () => (
  <section className="work sheet" id="work" aria-labelledby="work-title">
    <header className="work-head">
      <h2 id="work-title">{home.work.title}</h2>
      <a href="/case-studies">{home.work.all}</a>
    </header>
    <ul className="work-cards">
      {home.work.projects.map(({ title, slip, text, picture }) => (
        <li className="work-card" key={title}>
          <div className="work-cover">
            <img src={picture} alt="" width="800" height="600" loading="lazy" />
          </div>
          <p className="slip">{slip}</p>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  </section>
);

const Services = () => {
  const { agency } = useFacts();
  return (
    <section className="services sheet" id="services" aria-labelledby="services-title">
      <h2 id="services-title">{home.services.title}</h2>
      <ol className="service-rows">
        {home.services.list.map(({ name, text }, index) => (
          <li className="service" key={name}>
            <span className="service-number" aria-hidden="true">
              {String(index + 1).padStart(2, '0')}
            </span>
            <h3>{name}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
      <LinkButton href={agency.bookStrategyCall} target="_blank" rel="noopener noreferrer">
        {home.services.call}
        <Icon name="arrow-out" />
      </LinkButton>
    </section>
  );
};

const Recipe = () => (
  <section className="recipe sheet" aria-labelledby="recipe-title">
    <h2 id="recipe-title">{home.recipe.title}</h2>
    <RecipeDrawing />
    <dl className="scoops">
      {home.recipe.scoops.map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </section>
);
