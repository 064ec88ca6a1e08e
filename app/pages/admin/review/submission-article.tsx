import { useState } from 'react';
import { categoryLabel } from '../../../copy/categories.ts';
import { submissionWords } from '../../../copy/submission.ts';
import type { Experiment } from '../../../models/experiment.ts';
import { filmOf } from '../../../models/film.ts';
import { pictureOf } from '../../../models/picture.ts';
import { clientOf } from '../../../models/project.ts';
import { TEXTS } from '../../../models/submission.ts';
import { pictureHost } from '../../../session/picture-host.ts';
import { Button } from '../../../ui/button.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import { Filing } from './filing.tsx';

/** What readers will see, in their order: pictures and films, facts, four texts. */
export function SubmissionArticle({ experiment }: { experiment: Experiment }) {
  const { project_media: media, tags, category } = experiment;
  return (
    <article className="review-article" aria-label={experiment.title}>
      <dl className="review-facts">
        <div>
          <dt>Client</dt>
          <dd>{clientOf(experiment)}</dd>
        </div>
        <div>
          <dt>Category</dt>
          <dd>{categoryLabel(category) ?? 'None'}</dd>
        </div>
        <div>
          <dt>Tags</dt>
          <dd>{tags.join(', ') || 'None'}</dd>
        </div>
      </dl>
      <Filing experiment={experiment} />
      {media.length === 0 ? (
        <p className="empty">It has no pictures and no films.</p>
      ) : (
        <ul className="review-media">
          {media.map((item) => (
            <li key={item.id}>
              <ReviewMedia item={item} />
            </li>
          ))}
        </ul>
      )}
      {TEXTS.map((text) => (
        <section key={text}>
          <h3>{submissionWords[text]}</h3>
          {experiment[text] ? (
            <RichText html={experiment[text]} />
          ) : (
            <p className="row-meta">Nothing is written here.</p>
          )}
        </section>
      ))}
    </article>
  );
}

function ReviewMedia({ item }: { item: Experiment['project_media'][number] }) {
  const [playing, setPlaying] = useState(false);
  const film = item.type === 'image' ? null : filmOf(item.url);
  const words = [item.title, item.description].filter(Boolean).join('. ');
  return (
    <figure>
      {item.type === 'image' ? (
        <a href={item.url} target="_blank" rel="noreferrer">
          <Picture
            picture={pictureOf(item, pictureHost())}
            alt={item.title ?? ''}
            sizes="(min-width:900px) 30vw,92vw"
          />
          <span className="hidden-text">Open the whole picture</span>
        </a>
      ) : playing && film ? (
        <iframe
          src={film.player}
          title={item.title || 'Film'}
          allow="autoplay; fullscreen; picture-in-picture"
          allowFullScreen
          referrerPolicy="strict-origin"
        />
      ) : film ? (
        <Button variant="secondary" size="admin" onClick={() => setPlaying(true)}>
          Play {item.title ? `“${item.title}”` : 'the film'} (loads from {film.host})
        </Button>
      ) : (
        <a href={item.url} target="_blank" rel="noreferrer noopener nofollow ugc">
          Open the {item.type}
        </a>
      )}
      <figcaption data-missing={item.type === 'image' && !item.title ? true : undefined}>
        {words || (item.type === 'image' ? 'Does not say what it shows' : 'No words')}
      </figcaption>
    </figure>
  );
}
