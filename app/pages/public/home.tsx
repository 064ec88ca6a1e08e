import { mailLink, phoneLink } from '../../copy/agency.ts';
import { home } from '../../copy/home.ts';
import { factsIn, originIn, pageTags } from '../../models/page-meta.ts';
import { siteData, structured } from '../../models/structured-data.ts';
import { useFacts } from '../../session/use-facts.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Route } from './+types/home';
import './contact.css';
import './hero.css';
import './home.css';

export const headers: Route.HeadersFunction = () => ({ 'cache-control': 'public, max-age=0, must-revalidate' });

export const meta: Route.MetaFunction = (asked) => [
  ...pageTags(asked, { title: home.title }),
  structured(siteData(factsIn(asked), originIn(asked))),
];

export default function Home() {
  return (
    <>
      <Hero />
      <Work />
      <Services />
      <Recipe />
      <Contact />
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
    <div className="recipe-plates" aria-hidden="true">
      <span className="recipe-hand" />
      <span className="recipe-machine" />
    </div>
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

const Contact = () => {
  const { agency } = useFacts();
  return (
    <section className="contact" id="contact" aria-labelledby="contact-title">
      <div className="contact-inner sheet">
        <h2 id="contact-title">{home.contact.title}</h2>
        <p className="contact-text">{home.contact.text}</p>
        <a className="contact-meet" href={agency.bookMeeting} target="_blank" rel="noopener noreferrer">
          <span>{home.contact.meet}</span>
          <Icon name="arrow-out" />
        </a>
        <dl className="contact-details">
          <div>
            <dt>Write</dt>
            <dd>
              <a href={mailLink(agency)}>{agency.email}</a>
            </dd>
          </div>
          <div>
            <dt>Call</dt>
            <dd>
              <a href={phoneLink(agency)}>{agency.phone}</a>
            </dd>
          </div>
          <div>
            <dt>Come by</dt>
            <dd>
              <address>
                {agency.address.map((line) => (
                  <span key={line}>{line}</span>
                ))}
              </address>
            </dd>
          </div>
        </dl>
      </div>
    </section>
  );
};
