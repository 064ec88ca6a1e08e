import type { ReactNode } from 'react';
import type { PictureSources } from '../../../models/media/picture.ts';
import './moving-picture.css';

/**
 * Around a picture that moves: its first frame stands still until somebody wants to see it move, and again when they have
 * seen enough. The original is laid over it by the page itself, without a script, and loaded no sooner.
 */
export const MovingPicture = ({
  picture: { src, moves, width, height },
  name,
  children,
}: {
  picture: PictureSources;
  /** What is played, for who does not see it. */
  name: string;
  /** The picture itself. */
  children: ReactNode;
}) =>
  moves ? (
    <div className="moving">
      {children}
      <details>
        <summary>
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
