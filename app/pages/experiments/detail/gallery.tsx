import type { CSSProperties } from 'react';
import type { Media } from '../../../models/media/media.ts';
import type { PictureHost } from '../../../models/media/picture.ts';
import { galleryRows, shapeOf } from './gallery-rows.ts';
import { MediaFigure } from './media-figure.tsx';

export function Gallery({ media, host }: { media: (Media & { id: string })[]; host: PictureHost }) {
  const nameOf = (item: Media) => `Picture ${media.indexOf(item as (typeof media)[number]) + 1}`;
  return (
    <section className="gallery" id="project-gallery" aria-labelledby="gallery">
      <h2 id="gallery">Project Gallery</h2>
      <ul className="gallery-items">
        {galleryRows(media).map(({ media: [item, counterpart], share, abreast }) =>
          counterpart ? (
            <li className="gallery-pair" key={item!.id}>
              {[item!, counterpart].map((half) => (
                <div key={half.id} style={{ '--shape': shapeOf(half) } as CSSProperties}>
                  <MediaFigure media={half} host={host} name={nameOf(half)} sizes={sizesOf(0.5)} />
                </div>
              ))}
            </li>
          ) : (
            <li
              key={item!.id}
              style={{ '--share': share.toFixed(4), '--gaps': abreast - 1, '--shape': shapeOf(item!) } as CSSProperties}
            >
              <MediaFigure media={item!} host={host} name={nameOf(item!)} sizes={sizesOf(share)} />
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

const SHEET = 1520;
const percent = (share: number) => Math.round(share * 92);

const sizesOf = (share: number) =>
  `(min-width:1664px) ${Math.round(share * SHEET)}px,(min-width:640px) ${percent(share)}vw,92vw`;
