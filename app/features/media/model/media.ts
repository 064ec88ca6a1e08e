import type { Made } from '#lib/words/credits.ts';
import type { Provenance } from './provenance.ts';

export const STORED = '/storage/v1/object/public/';

/** An image, video or demo. Fields that a card does not need are missing. */
export interface Media {
  type: 'image' | 'video' | 'demo';
  url: string;
  title: string | null;
  description?: string | null;
  alt?: string | null;
  made?: Made | null;
  poster?: string | null;
  is_cover?: boolean;
  /** Pixels; null until measured. */
  width: number | null;
  height: number | null;
  placeholder: string | null;
  animated?: boolean | null;
  /** Formats of the silent film that is shown in a picture's place, such as `webm`. */
  loops?: string[] | null;
  captions?: boolean;
  provenance?: Provenance | null;
}

export type MediaInFull = Required<Media> & { id: string };

export const nextOrder = (media: readonly { order: number }[]) => Math.max(-1, ...media.map(({ order }) => order)) + 1;

/** The alt text to store: '' for a decorative picture, null while unset. */
export const storedAlt = (alt: string | null): string | null => (alt === '' ? '' : alt?.trim() || null);
