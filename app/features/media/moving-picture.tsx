import type { ReactNode } from 'react';
import type { PictureSources } from './model/picture.ts';
import './moving-picture.css';

type MovingPictureProps = { picture: PictureSources; name: string; children: ReactNode };

/** Shows the first frame until played; the original is loaded then. */
export const MovingPicture = ({ picture: { src, moves, width, height }, name, children }: MovingPictureProps) =>
  moves ? (
    <div className="moving relative">
      {children}
      <details>
        <summary className="play-button">
          <span className="moving-play">Play</span>
          <span className="moving-pause">Pause</span>
          <span className="hidden-text"> the animation {name && `“${name}”`}</span>
        </summary>
        <img loading="lazy" src={src} alt="" width={width ?? undefined} height={height ?? undefined} />
      </details>
    </div>
  ) : (
    children
  );
