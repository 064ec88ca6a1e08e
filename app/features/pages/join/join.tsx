import type { ReactNode } from 'react';
import { data, href } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { useContent, useFacts } from '#context/use-facts.ts';
import { collectiveQuestions, keyRate } from '#features/seo/model/collective-questions.ts';
import { contentIn, pageTags, structured } from '#features/seo/model/page-meta.ts';
import { formIn, type SplitForm, splitParameters } from '#features/splits/model/calculator.ts';
import { publicPage } from '#lib/page-headers.ts';
import { legalLinks } from '#lib/words/agency.ts';
import { BrandMark } from '#ui/brand-mark.tsx';
import { FittedLine } from '#ui/fitted-line.tsx';
import { OutsideButton } from '#ui/form/button.tsx';
import { Icon } from '#ui/icon.tsx';
import { Lines } from '#ui/layout/lines.tsx';
import { joinPage } from '../words/join.ts';
import type { Route } from './+types/join';
import { Calculator } from './calculator.tsx';
import { SplitSection } from './split.tsx';
import '#ui/layout/utilities.css';
import './join.css';

export const handle: PageHandle = { hydrate: false, knows: splitParameters };

/** A submitted form's result is personal, so it is not cached. */
export function loader({ request }: Route.LoaderArgs) {
  const { search, searchParams } = new URL(request.url);
  const loaded = { form: formIn(searchParams), isCalculated: searchParams.has('profit') };
  return data(loaded, { headers: search ? { 'cache-control': 'no-cache' } : publicPage });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = (args) => {
  const content = contentIn(args, joinPage);
  const { title, description } = content;
  return [...pageTags(args, { title, description }), structured(collectiveQuestions(content))];
};

const DRAWN = joinPage.words.hero;

const Join = ({ loaderData }: Route.ComponentProps) => <JoinPage {...loaderData} />;
export default Join;

export function JoinPage({ form, isCalculated }: Route.ComponentProps['loaderData']) {
  const { agency } = useFacts();
  const { hero } = useContent(joinPage);
  return (
    <div className="join sheet pad-top-5">
      <header className="join-home">
        <a className="plain" href={href('/')} aria-label={`${agency.name}, home`}>
          <BrandMark {...agency} />
        </a>
      </header>
      <main className="join-sheet" id="main">
        <h1 className="poster one-line">
          <FittedLine className="join-wide wide" text={hero.wide} drawn={DRAWN.wide} />{' '}
          <FittedLine className="narrow" text={hero.narrow} drawn={DRAWN.narrow} />
        </h1>
        <p className="join-lead measure-44 lead">{hero.lead}</p>
        <div className="cluster join-apply gap-4 gap-x-5 above-5">
          <OutsideButton href={agency.applicationForm}>{hero.apply}</OutsideButton>
          <p className="note tilted size-1 accent">{hero.note}</p>
        </div>
        <Terms form={form} isCalculated={isCalculated} />
        <div className="join-now phone-bar above-7">
          <OutsideButton href={agency.applicationForm}>{hero.applyNow}</OutsideButton>
        </div>
      </main>
      <footer className="cluster join-foot gap-2 gap-x-5 hairline">
        <a className="pad-y-2" href={href('/contact')}>
          Contact
        </a>
        {legalLinks.map(({ label, href: to }) => (
          <a className="pad-y-2" href={to} key={to}>
            {label}
          </a>
        ))}
      </footer>
    </div>
  );
}

const Terms = ({ form, isCalculated }: { form: SplitForm; isCalculated: boolean }) => {
  const { unallocatedShareTo } = useFacts();
  const { vibe, expectations, money, perspective, why, looking, pay, timing, code, pledge, how } = useContent(joinPage);
  return (
    <div className="join-terms rule-below">
      <p className="join-all inline gap-5 end script-only">
        <button className="touch code upper marked" type="button" data-rows="open">
          Open all
        </button>
        <button className="touch code upper marked" type="button" data-rows="close">
          Close all
        </button>
      </p>
      <Row id="vibe" title={vibe.title} open>
        <VibeCheck />
      </Row>
      <Row id="expectations" title={expectations.title}>
        <dl className="stack gap-5">
          {(['hours', 'projects'] as const).map((what) => (
            <div key={what}>
              <dt className="heading size-2 extended">{expectations[`${what}Title`]}</dt>
              <dd>{expectations[what]}</dd>
            </div>
          ))}
        </dl>
        <p>{expectations.text}</p>
      </Row>
      <Row id="money" title={money.title}>
        <Lines of={money.text} as="p" />
        <p>
          <a href="#split">{money.link}</a>
        </p>
      </Row>
      <Row id="perspective" title={perspective.title}>
        <Lines of={perspective.text} as="p" />
      </Row>
      <Row id="why" title={why.title}>
        <Lines of={why.text} as="p" />
      </Row>
      <Row id="looking-for" title={looking.title}>
        <p>{looking.text}</p>
        <dl>
          {looking.list.map(({ who, what }) => (
            <div className="join-pair pad-y-3 stack hairline" key={who}>
              <dt className="bold">{who}</dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </Row>
      <Row id="split" title={pay.title} open={isCalculated}>
        <p>{pay.text}</p>
        {isCalculated && <Calculator form={form} />}
        <SplitSection unallocatedTo={unallocatedShareTo} />
        {isCalculated || <Calculator form={form} />}
      </Row>
      <Row id="timing" title={timing.title}>
        <p>{timing.text}</p>
        <dl className="payment-times">
          {timing.list.map(({ project, paid }) => (
            <div className="join-pair pad-y-3 stack hairline" key={project}>
              <dt>{project}</dt>
              <dd className="heading size-1">{paid}</dd>
            </div>
          ))}
        </dl>
      </Row>
      <Row id="code" title={code.title}>
        <ol className="stack join-rules gap-3">
          <Lines of={code.list} />
        </ol>
      </Row>
      <Row id="pledge" title={pledge.title}>
        <blockquote className="stack join-pledge edge gap-3 lead-close">
          <Lines of={pledge.lines} as="p" />
        </blockquote>
      </Row>
      <Row id="how" title={how.title}>
        <dl className="join-ways grid">
          {how.ways.map(({ way, text }) => (
            <div key={way}>
              <dt className="heading size-1">{way}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <Keys />
      </Row>
    </div>
  );
};

/** The id is inside the details element: a fragment link and find-in-page then open it. */
const Row = ({ id, title, open, children }: { id: string; title: string; open?: boolean; children: ReactNode }) => (
  <details className="join-row rule" open={open}>
    <summary className="pad-y-3 stack middle gap-3">
      <h2 className="inked">{title}</h2>
      <span className="join-plus paper plates" aria-hidden="true" />
    </summary>
    <div className="stack join-text relative" id={id}>
      {children}
      <a
        className="join-link absolute center quiet marked"
        href={`#${id}`}
        aria-label={`Link to “${title}”`}
        data-copied="Copied"
      >
        <Icon name="link" />
      </a>
    </div>
  </details>
);

/** Counted by CSS; nothing is stored or sent. */
const VibeCheck = () => {
  const { legend, list, three, all, unsent } = useContent(joinPage).vibe;
  return (
    <>
      <fieldset className="vibe stack">
        <legend className="slip quiet">{legend}</legend>
        {list.flatMap((line, at) => [
          <input className="plates" type="checkbox" id={`vibe-${at + 1}`} key={`${line} box`} />,
          <label className="pad-y-3 size-1 inked" htmlFor={`vibe-${at + 1}`} key={line}>
            {line}
          </label>,
        ])}
        <p className="vibe-verdict lead-close semibold across gap-above" data-of={list.length}>
          <span className="vibe-three">{three}</span> <span className="vibe-all">{all}</span>
        </p>
      </fieldset>
      <p className="quiet small">{unsent}</p>
    </>
  );
};

const Keys = () => {
  const { keys, keysPerMember } = useContent(joinPage).how;
  return (
    <div className="stack keys">
      <ul className="stack keys-rows" aria-hidden="true">
        {keys.map(({ metal, count }) => (
          <li className="pad-top-3 stack middle gap-3 hairline" key={metal}>
            <span className="keys-count heading size-1">
              {count} {metal}
            </span>
            <span className="keys-drawn inline top">
              {Array.from({ length: Number(count) }, (_, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same drawing so many times
                <Key key={at} />
              ))}
            </span>
          </li>
        ))}
      </ul>
      <p>
        <strong className="block size-1">{keyRate(keys)}</strong> {keysPerMember}
      </p>
    </div>
  );
};

const KEY = 'M22 2a20 20 0 1 0 19 26h41v14h10V28h8v10h10V18H41A20 20 0 0 0 22 2zm0 12a8 8 0 1 1 0 16 8 8 0 0 1 0-16z';

const Key = () => (
  <svg className="key isolated shrink" viewBox="0 0 118 50" aria-hidden="true">
    <path className="plate-one" d={KEY} />
    <path className="plate-two" d={KEY} transform="translate(6 6)" />
  </svg>
);
