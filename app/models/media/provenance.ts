import type { Made } from '../../copy/credits.ts';

/** What an uploaded file told of its own origin (backend/storage/credentials). */
export interface Provenance {
  /** A term of the IPTC vocabulary of digital sources. */
  source?: string;
  credit?: string;
  credentials?: ContentCredentials;
}

/** Content credentials that came with a file. Nobody checked who the signer is. */
export interface ContentCredentials {
  /** `intact`: the file was what was signed; `changed`: it was not; `unproven`: nobody can tell. */
  state: 'intact' | 'changed' | 'unproven';
  signer?: string;
  tool?: string;
  /** ISO 8601. */
  signed?: string;
  source?: string;
}

const MADE: Record<string, Made> = {
  trainedAlgorithmicMedia: 'machine',
  algorithmicMedia: 'machine',
  compositeWithTrainedAlgorithmicMedia: 'together',
  compositeSynthetic: 'together',
  digitalCreation: 'hand',
};

/** Who made a picture by what its file says; null when it says nothing to rely on. Nothing is marked by it: it is a hint for people. */
export function madeByItself({ source, credentials }: Provenance): Made | null {
  const told = source ?? (credentials?.state === 'changed' ? undefined : credentials?.source);
  return (told && MADE[told]) || null;
}
