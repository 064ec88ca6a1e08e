import type { Made } from '#lib/words/credits.ts';

/** Named in the XMP metadata of an uploaded file. `source`: a term of the IPTC digital source type vocabulary. */
export type Provenance = { source?: string; credit?: string };

const MADE_BY_SOURCE: Record<string, Made> = {
  trainedAlgorithmicMedia: 'machine',
  algorithmicMedia: 'machine',
  compositeWithTrainedAlgorithmicMedia: 'together',
  compositeSynthetic: 'together',
  digitalCreation: 'hand',
};

/** How an image was made according to its file; null when unknown. Only a hint for reviewers. */
export const madeByFile = ({ source }: Provenance): Made | null => (source && MADE_BY_SOURCE[source]) || null;
