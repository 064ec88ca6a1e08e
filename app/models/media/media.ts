import type { Made } from '../../copy/credits.ts';
import type { Provenance } from './provenance.ts';

/** A picture, film or demo. What a card does not ask for is not there. */
export interface Media {
  type: 'image' | 'video' | 'demo';
  url: string;
  title: string | null;
  description?: string | null;
  /** What it shows, for who does not see it: '' for a decorative picture, null while nobody has said. */
  alt?: string | null;
  /** Who made it; null while nobody has said. */
  made?: Made | null;
  /** Address of the picture that a film shows before it plays. */
  poster?: string | null;
  /** The picture that stands for the whole. */
  is_cover?: boolean;
  /** Pixels; null until somebody has measured the picture. */
  width: number | null;
  height: number | null;
  /** A tiny data address of the same picture. */
  placeholder: string | null;
  /** It has several frames; known of pictures in our bucket. */
  animated?: boolean | null;
  /** The origin that the uploaded file named in its metadata. */
  provenance?: Provenance | null;
}

/** A picture, film or demo with all that is said about it. */
export type MediaInFull = Required<Media> & { id: string };
