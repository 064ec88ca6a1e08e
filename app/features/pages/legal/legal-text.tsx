import type { LegalPage } from '#features/settings/model/legal-page.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { RichText } from '#ui/rich-text.tsx';
import { longDay } from '#ui/time.tsx';
import { legal, legalWords } from '../words/legal.ts';
import './legal-text.css';

export const LegalArticle = ({ slug, changed, parts, standsIn }: LegalPage) => {
  const named = parts.filter(({ id }) => id !== '');
  return (
    <article className="legal sheet">
      <header className="stack legal-head">
        <h1>{legal[slug].title}</h1>
        <p className="slip">
          {legalWords.changed} <time dateTime={changed}>{dayOf(changed)}</time>
        </p>
      </header>
      {standsIn && <Banner kind="warning">{legalWords.standsIn}</Banner>}
      {named.length > 0 && (
        <nav className="legal-contents" aria-labelledby="contents">
          <h2 className="slip" id="contents">
            {legalWords.contents}
          </h2>
          <ol>
            {named.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className="legal-text">
        {parts.map(({ id, title, html }) => (
          <section id={id || undefined} key={id}>
            {title && <h2>{title}</h2>}
            <RichText html={html} />
          </section>
        ))}
      </div>
    </article>
  );
};

const dayOf = (changed: string) => longDay(changed);
