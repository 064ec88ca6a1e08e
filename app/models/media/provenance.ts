import type { Made } from '../../copy/credits.ts';

/** The origin that an uploaded file named in its XMP metadata (backend/storage/label/packet.ts). */
export interface Provenance {
  /** A term of the IPTC vocabulary of digital sources. */
  source?: string;
  credit?: string;
}

const MADE: Record<string, Made> = {
  trainedAlgorithmicMedia: 'machine',
  algorithmicMedia: 'machine',
  compositeWithTrainedAlgorithmicMedia: 'together',
  compositeSynthetic: 'together',
  digitalCreation: 'hand',
};

/** How a picture was made according to its file; null when the file does not say. A hint for reviewers: it marks nothing. */
export const madeByFile = ({ source }: Provenance): Made | null => (source && MADE[source]) || null;
