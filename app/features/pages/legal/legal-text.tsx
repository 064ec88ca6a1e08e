import type { LegalPage } from '#features/settings/model/legal-page.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { longDay } from '#ui/time.tsx';
import { legal, legalWords } from '../words/legal.ts';
import './legal.css';

export const LegalArticle = ({ slug, changed, parts, standsIn }: LegalPage) => {
  const named = parts.filter(({ id }) => id !== '');
  return (
    <article className="legal twelve sheet">
      <header className="stack legal-head across">
        <h1 className="black">{legal[slug].title}</h1>
        <p className="slip quiet">
          {legalWords.changed} <time dateTime={changed}>{dayOf(changed)}</time>
        </p>
      </header>
      {standsIn && <Banner kind="warning">{legalWords.standsIn}</Banner>}
      {named.length > 0 && (
        <nav className="legal-contents" aria-labelledby="contents">
          <h2 className="slip quiet" id="contents">
            {legalWords.contents}
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
            {title && <h2 className="size-1 inked">{title}</h2>}
            <RichText html={html} />
          </section>
        ))}
      </div>
    </article>
  );
};

const dayOf = (changed: string) => longDay(changed);
