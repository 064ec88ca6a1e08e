import { useState } from 'react';
import { pictureHost } from '#context/picture-host.ts';
import { FilmPlayer } from '#features/media/film-player.tsx';
import { filmOf } from '#features/media/model/film.ts';
import type { MediaInFull } from '#features/media/model/media.ts';
import { filmFileId, pictureOf, posterOf } from '#features/media/model/picture.ts';
import { madeByFile, type Provenance } from '#features/media/model/provenance.ts';
import { altOf, captionOf, titleOf } from '#features/media/model/titles.ts';
import { MovingPicture } from '#features/media/moving-picture.tsx';
import { Picture } from '#features/media/picture.tsx';
import { creditWords, type Made } from '#lib/words/credits.ts';
import { mediaWords } from '#lib/words/media.ts';
import { SmallButton } from '#ui/form/button.tsx';

const SIZES = '(min-width:900px) 30vw,92vw';

export function ReviewMedia({ item, name, cover }: { item: MediaInFull; name: string; cover: boolean }) {
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
