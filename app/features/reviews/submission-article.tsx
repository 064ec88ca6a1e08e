import { useRef, useState } from 'react';
import { pictureHost } from '#context/picture-host.ts';
import { CreditList } from '#features/credits/credit-list.tsx';
import { CreditShares } from '#features/credits/credit-strip.tsx';
import { FilmPlayer } from '#features/media/film-player.tsx';
import { filmOf } from '#features/media/model/film.ts';
import type { MediaInFull } from '#features/media/model/media.ts';
import { filmFileId, pictureOf, posterOf } from '#features/media/model/picture.ts';
import { madeByFile, type Provenance } from '#features/media/model/provenance.ts';
import { altOf, captionOf, numberedName, titleOf } from '#features/media/model/titles.ts';
import { MovingPicture } from '#features/media/moving-picture.tsx';
import { Picture } from '#features/media/picture.tsx';
import { nestedHeadings } from '#features/portfolio/detail/story-html.ts';
import { clientOf, coverPicture } from '#features/projects/model/labels.ts';
import type { Project } from '#features/projects/model/read.ts';
import { tagsProblem, withTag } from '#features/projects/model/tags.ts';
import { TEXTS } from '#features/submissions/model/submission.ts';
import { submissionWords } from '#features/submissions/words/submission.ts';
import { categoryLabel, isCategory } from '#lib/words/categories.ts';
import { creditWords, type Made } from '#lib/words/credits.ts';
import { mediaWords } from '#lib/words/media.ts';
import { useSeen } from '#ui/data/use-report-when-gone.ts';
import { useStatus } from '#ui/feedback/status.tsx';
import { SmallButton } from '#ui/form/button.tsx';
import { CategoryField } from '#ui/form/category-field.tsx';
import { defineForm } from '#ui/form/define-form.tsx';
import { TagsField } from '#ui/form/tags-field.tsx';
import { requireFields } from '#ui/form/use-submit.ts';
import { RichText } from '#ui/rich-text.tsx';
import { useFile } from './review-queries.ts';
import { reviewWords as words } from './words/review.ts';

export function SubmissionArticle({ experiment }: { experiment: Project }) {
  const { project_media: media, tags, category } = experiment;
  const cover = coverPicture(experiment, pictureHost());
  const unwritten = <p className="row-meta">Nothing is written here.</p>;
  return (
    <article className="stack gap-5 anywhere" aria-label={experiment.title}>
      <dl className="grid review-facts gap-3 gap-x-5 anywhere">
        {Object.entries({
          Client: clientOf(experiment),
          Category: categoryLabel(category) ?? 'None',
          Tags: tags.join(', ') || 'None',
        }).map(([name, value]) => (
          <div key={name}>
            <dt className="small quiet">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {experiment.shares && (
        <section>
          <h3>{creditWords.title}</h3>
          <CreditShares shares={experiment.shares} />
          <CreditList credits={experiment.credits} />
        </section>
      )}
      <Filing experiment={experiment} />
      {media.length === 0 ? (
        <p className="empty">It has no pictures or videos.</p>
      ) : (
        <ul className="review-media stack gap-4">
          {media.map((item, place) => (
            <li key={item.id}>
              <ReviewMedia item={item} name={numberedName(item, place)} cover={item === cover} />
            </li>
          ))}
        </ul>
      )}
      {TEXTS.map((text) => (
        <section key={text}>
          <h3>{submissionWords[text]}</h3>
          {experiment[text] ? <RichText html={experiment[text]} fit={nestedHeadings} /> : unwritten}
        </section>
      ))}
    </article>
  );
}

const SIZES = '(min-width:900px) 30vw,92vw';

function ReviewMedia({ item, name, cover }: { item: MediaInFull; name: string; cover: boolean }) {
  const picture = pictureOf(item, pictureHost());
  return (
    <figure className="stack gap-2">
      {item.type === 'image' ? (
        <MovingPicture picture={picture} name={altOf(item, name)}>
          <a href={picture.src} target="_blank" rel="noreferrer">
            <Picture picture={picture} alt={altOf(item, name)} sizes={SIZES} />
            <span className="hidden-text">Open the whole picture</span>
          </a>
        </MovingPicture>
      ) : (
        <Film item={item} />
      )}
      <figcaption className="quiet anywhere">
        {captionOf(item) || <span className="row-meta">No caption</span>}
        {item.type === 'image' && <span className="row-meta">{mediaWords.says(item.alt)}</span>}
        {(cover || item.made) && (
          <span className="row-meta">
            {[cover && mediaWords.isCover, item.made && mediaWords.madeLine(item.made)].filter(Boolean).join(', ')}
          </span>
        )}
        {item.provenance && <FileProvenance provenance={item.provenance} made={item.made} />}
      </figcaption>
    </figure>
  );
}

function FileProvenance({ provenance, made }: { provenance: Provenance; made: Made | null }) {
  const inFile = madeByFile(provenance);
  if (!inFile || inFile === made) return null;
  return (
    <span className="row-meta">
      The file’s metadata {made ? 'say something else' : 'say'}: made {creditWords.madeHow[inFile]}.
    </span>
  );
}

function Film({ item }: { item: MediaInFull }) {
  const [playing, setPlaying] = useState(false);
  const film = filmOf(item.url);
  if (filmFileId(item.url)) return <FilmPlayer media={item} host={pictureHost()} />;
  const poster = posterOf(item, pictureHost());
  const title = titleOf(item);
  if (playing && film)
    return (
      <iframe
        src={film.player}
        title={title || 'Video'}
        allow="autoplay; fullscreen; picture-in-picture"
        allowFullScreen
        referrerPolicy="strict-origin"
      />
    );
  return (
    <>
      {poster && <Picture picture={poster} alt="" sizes={SIZES} />}
      {film ? (
        <SmallButton onClick={() => setPlaying(true)}>
          Play {title ? `“${title}”` : 'the video'} (loads from {film.host})
        </SmallButton>
      ) : (
        <a href={item.url} target="_blank" rel="noreferrer noopener nofollow ugc">
          Open the {item.type}
        </a>
      )}
    </>
  );
}

const FilingForm = defineForm({ fields: { category: { label: 'Category' } }, failed: words.failedToSave });

function Filing({ experiment }: { experiment: Project }) {
  const [tags, setTags] = useState<string[] | null>(null);
  const { seen, refused } = useSeen(experiment, words.failedToSave);
  const button = useRef<HTMLButtonElement>(null);
  const filing = useFile(experiment.id);
  const { say } = useStatus();
  const problem = tags && tagsProblem(tags);

  function close() {
    setTags(null);
    button.current?.focus();
  }

  function toggle() {
    seen.current = experiment;
    setTags(tags ? null : experiment.tags);
  }

  return (
    <div className="review-filing">
      <SmallButton ref={button} aria-expanded={tags !== null} onClick={toggle}>
        Correct category and tags
      </SmallButton>
      {tags && (
        <FilingForm
          className="stack gap-above"
          size="admin"
          save={async ({ category }) => {
            requireFields({ tags: problem });
            const filed = { category: isCategory(category) ? category : null, tags };
            await filing.mutateAsync({ ...filed, seen: seen.current.updated_at }).catch(refused);
          }}
          onSaved={() => {
            say(`Category and tags of “${experiment.title}” are saved.`);
            close();
          }}
          onCancel={close}
          submitLabel="Save category and tags"
          busyLabel="Saving..."
        >
          {() => (
            <>
              <CategoryField autoFocus defaultValue={experiment.category ?? ''} />
              <TagsField
                name="tags"
                tags={tags}
                error={problem}
                onAdd={(typed) => setTags(withTag(tags, typed))}
                onRemove={(tag) => setTags(tags.filter((other) => other !== tag))}
              />
            </>
          )}
        </FilingForm>
      )}
    </div>
  );
}
