import { Fragment } from 'react';
import { data, href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { useContent, useFacts } from '#context/use-facts.ts';
import { CreditStrip } from '#features/credits/credit-strip.tsx';
import type { PictureHost } from '#features/media/model/picture.ts';
import { Portrait } from '#features/media/portrait.tsx';
import { type Results as Counts, countResults } from '#features/portfolio/model/list.ts';
import { slugOf } from '#features/projects/model/labels.ts';
import { contentIn, factsIn, originIn, pageTags, siteData, structured } from '#features/seo/model/page-meta.ts';
import { fillWords } from '#lib/fields/page-field.ts';
import { publicPage } from '#lib/page-headers.ts';
import { TableHead } from '#ui/data/table-head.tsx';
import { FittedLine } from '#ui/fitted-line.tsx';
import { Icon } from '#ui/icon.tsx';
import { Lines } from '#ui/layout/lines.tsx';
import { TitledSection } from '#ui/layout/section.tsx';
import { aboutPage } from '../words/about.ts';
import { homePage } from '../words/home.ts';
import type { Route } from './+types/about';
import '#ui/layout/utilities.css';
import './about.css';

export const handle: PageHandle = { knows: [] };

export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const results = site.shared('results', countResults).catch(() => null);
  const [counts, host] = await Promise.all([results, site.pictureHost()]);
  return data({ counts, host }, { headers: counts ? publicPage : { 'cache-control': 'no-store' } });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = (args) => {
  const { title, description } = contentIn(args, aboutPage);
  return [...pageTags(args, { title, description }), structured(siteData(factsIn(args), originIn(args)))];
};

const About = ({ loaderData }: Route.ComponentProps) => <AboutPage {...loaderData} />;
export default About;

export const AboutPage = ({ counts, host }: Route.ComponentProps['loaderData']) => (
  <>
    <Hero />
    <Philosophy />
    <Plates />
    <Tuesday />
    <People host={host} />
    {counts && counts.published > 0 && <Results counts={counts} />}
    <Next />
  </>
);

const DRAWN = aboutPage.words.hero;

const Hero = () => {
  const { hero } = useContent(aboutPage);
  return (
    <section className="about-hero stack gap-0 clip">
      <div className="drawing about-plates lapped stack gap-0" aria-hidden="true">
        <span className="on-hand" />
        <span className="on-machine" />
      </div>
      <h1 className="stack gap-0 relative black">
        <span className="about-break over-hand relative one-line">
          <FittedLine className="tight wide" text={hero.rulesWide} drawn={DRAWN.rulesWide} />{' '}
          <FittedLine className="narrow" text={hero.rulesNarrow} drawn={DRAWN.rulesNarrow} />
        </span>{' '}
        <span className="about-build over-machine relative one-line">
          <FittedLine className="narrow" text={hero.brandsNarrow} drawn={DRAWN.brandsNarrow} />{' '}
          <FittedLine className="tight wide" text={hero.brandsWide} drawn={DRAWN.brandsWide} />
        </span>
      </h1>
      <p className="about-lead stack middle on-overprint relative lead-close">{hero.lead}</p>
    </section>
  );
};

const Philosophy = () => {
  const { title, text, beliefs } = useContent(aboutPage).philosophy;
  return (
    <TitledSection className="philosophy pad-y-section twelve sheet" titleId="philosophy" heading="title" title={title}>
      <div className="stack philosophy-text lead">
        <Lines of={text} as="p" className="measure-52" />
      </div>
      <ol className="beliefs split stack across">
        {beliefs.map((belief) => (
          <li className="pad-top-4 rule" key={belief.say}>
            <h3 className="size-2 below-3">{belief.say}</h3>
            <p className="measure-44">{belief.text}</p>
          </li>
        ))}
      </ol>
    </TitledSection>
  );
};

const Plates = () => {
  const { plates } = useContent(aboutPage);
  return (
    <section className="diagram pad-end-section split middle sheet" aria-labelledby="plates">
      <h2 className="title across" id="plates">
        {plates.map(({ name }, at) => (
          <Fragment key={name}>
            {at > 0 && <span className="diagram-plus black"> + </span>}
            {name}
          </Fragment>
        ))}
      </h2>
      <div className="drawing diagram-circles relative" aria-hidden="true">
        <div className="diagram-hand on-hand" />
        <div className="diagram-machine on-machine clip" />
        {plates.map(({ name }) => (
          <span className="diagram-name absolute over-machine" key={name}>
            {name}
          </span>
        ))}
      </div>
      <dl className="diagram-words stack gap-5">
        {plates.map(({ name, text }) => (
          <div key={name}>
            <dt className="heading size-2">{name}</dt>
            <dd className="measure-44">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

const Tuesday = () => {
  const { plates, tuesday } = useContent(aboutPage);
  return (
    <TitledSection className="tuesday pad-end-section sheet" titleId="tuesday" heading="title" title={tuesday.title}>
      <p className="about-text lead gap-above">{tuesday.text}</p>
      <table className="full above-6 rule-below">
        <TableHead className="hidden-text" columns={[tuesday.time, tuesday.job, tuesday.by]} />
        <tbody>
          {tuesday.jobs.map(({ time, job, by }) => (
            <tr className="stack middle hairline" key={time}>
              <td className="amount quiet">{time}</td>
              <th className="pad-y-4 size-1 semibold" scope="row">
                {job}
              </th>
              <td className={`inline edged anywhere on-${by}`}>{plates[PLATES.indexOf(by)]!.name}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TitledSection>
  );
};

const PLATES = ['hand', 'machine', 'overprint'];

const Results = ({ counts }: { counts: Counts }) => {
  const { title, text, ...words } = useContent(aboutPage).results;
  const { services } = useContent(homePage);
  const { credited } = counts;
  const results = [
    { count: counts.published, what: words.published },
    { count: counts.completed, what: words.completed },
    { count: counts.media, what: words.pictures },
    { count: services.list.length, what: words.services },
  ].filter(({ count }) => count > 0);
  return (
    <TitledSection className="results pad-end-section sheet" titleId="results" heading="title" title={title}>
      <p className="about-text lead gap-above">{text}</p>
      <ul className="grid above-6">
        {results.map(({ count, what }) => (
          <li className="pad-top-4 size-1 rule" key={what}>
            <strong className="block below-2 tight amount">{count.toLocaleString('en-IN')}</strong>{' '}
            {fillWords(what, { count: String(count) })}
          </li>
        ))}
      </ul>
      {credited && (
        <a className="results-credits block ink above-6" href={href('/case-studies')}>
          <CreditStrip shares={{ hand: credited.hand, together: 0 }} />
          {fillWords(credited.experiments === 1 ? words.creditedOne : words.credited, {
            hand: String(credited.hand),
            machine: String(100 - credited.hand),
            experiments: String(credited.experiments),
          })}
        </a>
      )}
    </TitledSection>
  );
};

const Next = () => {
  const { next } = useContent(aboutPage);
  return (
    <nav className="about-next pad-end-section sheet" aria-labelledby="next">
      <h2 className="slip" id="next">
        {next.title}
      </h2>
      <ul className="gap-above rule-below">
        {next.links.map(({ href: to, say, text }) => (
          <li key={to}>
            <a className="pad-y-4 stack middle rule plain marked" href={to}>
              <span className="about-next-say heading size-2">{say}</span>
              <span>{text}</span>
              <Icon name="arrow-right" />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

export function People({ host }: { host: PictureHost }) {
  const { people } = useFacts();
  const words = useContent(aboutPage).people;
  if (people.length === 0) return null;
  return (
    <TitledSection className="people pad-end-section sheet" titleId="people" heading="title" title={words.title}>
      <p className="about-text lead gap-above">{words.text}</p>
      <ul className="grid above-6">
        {people.map((person) => (
          <li key={person.name} id={slugOf({ title: person.name })}>
            <Portrait of={person} host={host} sizes="(min-width: 900px) 30vw, 45vw" />
            <h3 className="above-3">{person.name}</h3>
            <p>{person.craft}</p>
            {person.city && <p className="slip">{person.city}</p>}
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}
