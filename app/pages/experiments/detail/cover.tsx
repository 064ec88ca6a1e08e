import { type PictureHost, pictureOf } from '../../../models/media/picture.ts';
import { altOf } from '../../../models/media/titles.ts';
import { coverOf } from '../../../models/project/labels.ts';
import type { Project } from '../../../models/project/read.ts';
import { LoopBox } from '../media/loop-box.tsx';
import { MovingPicture } from '../media/moving-picture.tsx';
import { Picture } from '../media/picture.tsx';
import { Enlarge, MediaFigure } from './media-figure.tsx';

/** Height by width; taller pictures are shown whole, others fill the sheet. */
const UPRIGHT = 1.15;
const SIZES = '(min-width:1664px) 1520px,92vw';
const UPRIGHT_SIZES = '(min-width:900px) 60vh,92vw';

export function Cover({ experiment, host }: { experiment: Project; host: PictureHost }) {
  const cover = coverOf(experiment, host);
  const [first] = experiment.project_media;
  if (!cover && first) {
    return (
      <div className="detail-cover detail-cover-other">
        <MediaFigure media={first} host={host} name={experiment.title} sizes={SIZES} caption={false} />
      </div>
    );
  }
  if (!cover) {
    return (
      <div className="detail-cover">
        <img src={host.defaultCover} alt="" width="800" height="600" />
      </div>
    );
  }
  const picture = pictureOf(cover, host);
  const alt = altOf(cover, experiment.title);
  const upright = picture.width !== null && picture.height !== null && picture.width < UPRIGHT * picture.height;
  return (
    <div className={upright ? 'detail-cover detail-cover-upright' : 'detail-cover'}>
      <LoopBox picture={picture} name={experiment.title} leads>
        <MovingPicture picture={picture} name={alt}>
          <Enlarge href={picture.src}>
            <Picture
              picture={picture}
              alt={alt}
              sizes={upright ? UPRIGHT_SIZES : SIZES}
              widths={[320, 640, 960, 1280, 1920]}
              eager
            />
          </Enlarge>
        </MovingPicture>
      </LoopBox>
    </div>
  );
}
