import { data } from 'react-router';
import type { PageHandle } from '#context/page-handle.ts';
import { siteContext } from '#context/site-context.ts';
import { pageTags } from '#features/seo/model/page-meta.ts';
import { legalPage } from '#features/settings/model/legal-page.ts';
import { publicPage } from '#lib/page-headers.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { longDay } from '#ui/time.tsx';
import { type LegalSlug, legal } from '../words/legal.ts';
import type { Route } from './+types/legal';
import '#ui/layout/utilities.css';
import './legal.css';

export const handle: PageHandle = { knows: [] };

const slugIn = (path: string): LegalSlug => (/^\/terms\b/i.test(path) ? 'terms' : 'privacy');

export async function loader({ request, context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const [texts, facts] = await Promise.all([site.legalTexts(), site.facts()]);
  return data(legalPage(slugIn(new URL(request.url).pathname), texts, facts), { headers: publicPage });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = (args) => {
  const { title, description } = legal[slugIn(args.location.pathname)];
  return pageTags(args, { title, description });
};

export default function Legal({ loaderData: { slug, changed, parts, standsIn } }: Route.ComponentProps) {
  const named = parts.filter(({ id }) => id !== '');
  return (
    <article className="legal twelve sheet">
      <header className="stack legal-head across rule-below">
        <h1 className="black">{legal[slug].title}</h1>
        <p className="slip quiet">
          Last changed <time dateTime={changed}>{longDay(changed)}</time>
        </p>
      </header>
      {standsIn && (
        <Banner kind="warning">
          We can’t load the current text right now. This is the original version; please try again in a moment.
        </Banner>
      )}
      {named.length > 0 && (
        <nav className="legal-contents" aria-labelledby="contents">
          <h2 className="slip below-2 quiet" id="contents">
            Contents
          </h2>
          <ol>
            {named.map(({ id, title }) => (
              <li key={id}>
                <a className="inline baseline gap-0 plain marked" href={`#${id}`}>
                  {title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className="legal-text">
        {parts.map(({ id, title, html }) => (
          <section id={id || undefined} key={id}>
            {title && <h2 className="below-3 size-1 inked">{title}</h2>}
            <RichText html={html} />
          </section>
        ))}
      </div>
    </article>
  );
}
