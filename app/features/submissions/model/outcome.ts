export interface Outcome {
  id: string;
  asGuest: boolean;
  media: { stored: number; of: number };
  textsStored: boolean;
  /** A retry of the same submission may complete it. */
  unfinished: boolean;
  /** The draft no longer accepts changes: it is too old, or published. */
  closed: boolean;
  lost: boolean;
  /** A draft on the server was changed: nothing of it exists only on this device. */
  isResubmission?: true;
}

export const isComplete = ({ media, textsStored }: Outcome): boolean => media.stored === media.of && textsStored;

export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';
}
