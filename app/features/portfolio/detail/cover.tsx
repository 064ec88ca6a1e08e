import type { CSSProperties } from 'react';
import { LoopBox } from '#features/media/loop-box.tsx';
import type { Media } from '#features/media/model/media.ts';
import { type PictureHost, pictureOf } from '#features/media/model/picture.ts';
import { altOf } from '#features/media/model/titles.ts';
import { MovingPicture } from '#features/media/moving-picture.tsx';
import { Picture } from '#features/media/picture.tsx';
import { coverPicture } from '#features/projects/model/labels.ts';
import type { Project } from '#features/projects/model/read.ts';
import { shapeOf } from './gallery-rows.ts';
import { Enlarge, MediaFigure } from './media-figure.tsx';

export const COVER_SIZES = '(min-width:1664px) 1520px,92vw';
export const COVER_WIDTHS = [320, 640, 960, 1280, 1920];

/** Top of the page: the cover, or the first media item when no picture has a trusted address. */
export const coverMedia = (experiment: Project, host: PictureHost): Media | null =>
  coverPicture(experiment, host) ?? experiment.project_media[0] ?? null;

export function Cover({ experiment, host }: { experiment: Project; host: PictureHost }) {
  const cover = coverPicture(experiment, host);
  const [first] = experiment.project_media;
  if (!cover) {
    return (
      <div className="detail-cover plates">
        {first ? (
          <MediaFigure media={first} host={host} name={experiment.title} sizes={COVER_SIZES} caption={false} />
        ) : (
          <img src={host.defaultCover} alt="" width="800" height="600" />
        )}
      </div>
    );
  }
  const picture = pictureOf(cover, host);
  const alt = altOf(cover, experiment.title);
  return (
    <div className="detail-cover plates" style={{ '--shape': shapeOf(cover) } as CSSProperties}>
      <LoopBox picture={picture} name={experiment.title} leads>
        <MovingPicture picture={picture} name={alt}>
          <Enlarge href={picture.src}>
            <Picture picture={picture} alt={alt} sizes={COVER_SIZES} widths={COVER_WIDTHS} eager />
          </Enlarge>
        </MovingPicture>
      </LoopBox>
    </div>
  );
}
