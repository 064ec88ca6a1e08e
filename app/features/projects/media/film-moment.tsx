import { useRef, useState } from 'react';
import { pictureHost } from '#context/picture-host.ts';
import { filmFrame } from '#features/media/film-frame.ts';
import { FilmPlayer } from '#features/media/film-player.tsx';
import { mediaWords as words } from '#lib/words/media.ts';
import { SmallButton } from '#ui/form/button.tsx';
import type { ProjectMedia } from '../model/read.ts';

export function FilmMoment({ film, onPick }: { film: ProjectMedia; onPick: (frame: File) => void }) {
  const player = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  return (
    <div className="across grid top">
      <FilmPlayer
        media={film}
        host={pictureHost()}
        ref={player}
        // Its first frame is shown, which is the moment that would be taken.
        poster={undefined}
        preload="metadata"
        crossOrigin="anonymous"
      />
      <div className="stack gap-3 start">
        <p className="field-hint" id={`moment-${film.id}`}>
          {failed ? words.noMoment : words.momentHint}
        </p>
        <SmallButton
          aria-describedby={`moment-${film.id}`}
          onClick={() =>
            filmFrame(player.current!).then(
              (frame) => {
                setFailed(false);
                onPick(frame);
              },
              () => setFailed(true),
            )
          }
        >
          {words.useMoment}
        </SmallButton>
      </div>
    </div>
  );
}
