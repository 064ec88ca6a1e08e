import { useRef, useState } from 'react';
import { pictureHost } from '#context/picture-host.ts';
import { filmFrame } from '#features/media/film-frame.ts';
import { FilmPlayer } from '#features/media/film-player.tsx';
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
          {failed
            ? 'There is no picture of this moment yet. Play the video first, or choose a picture file.'
            : 'Play to a moment or move to it, then take it as the poster.'}
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
          Use this moment as poster
        </SmallButton>
      </div>
    </div>
  );
}
