import type { CSSProperties } from 'react';
import type { Media } from '#features/media/model/media.ts';
import type { PictureHost } from '#features/media/model/picture.ts';
import { TitledSection } from '#ui/layout/section.tsx';
import { galleryRows, shapeOf } from './gallery-rows.ts';
import { MediaFigure } from './media-figure.tsx';

export function Gallery({
  media,
  cover,
  host,
}: {
  media: (Media & { id: string })[];
  cover: Media | null;
  host: PictureHost;
}) {
  const renderFigure = (item: Media & { id: string }, share: number) => (
    <MediaFigure
      key={item.id}
      media={item}
      host={host}
      name={`Picture ${media.indexOf(item) + 1}`}
      sizes={sizesOf(share)}
    />
  );
  return (
    <TitledSection className="gallery" id="project-gallery" titleId="gallery" heading="below-5" title="Project Gallery">
      <ul className="gallery-items gutter cluster top">
        {galleryRows(media, cover).map(({ media: [item, after], share, abreast }) =>
          after ? (
            <li
              className="comparison"
              key={item.id}
              style={{ '--shape': shapeOf(item), '--after-shape': shapeOf(after) } as CSSProperties}
            >
              {renderFigure(item, 1)}
              {renderFigure(after, 1)}
              <input
                className="script-only"
                type="range"
                defaultValue="50"
                autoComplete="off"
                aria-label="Before and after, by percent of the picture before"
              />
            </li>
          ) : (
            <li
              key={item.id}
              style={{ '--share': share.toFixed(4), '--gaps': abreast - 1, '--shape': shapeOf(item) } as CSSProperties}
            >
              {renderFigure(item, share)}
            </li>
          ),
        )}
      </ul>
    </TitledSection>
  );
}

const SHEET = 1520;

const sizesOf = (share: number) =>
  `(min-width:1664px) ${Math.round(share * SHEET)}px,(min-width:640px) ${Math.round(share * 92)}vw,92vw`;
