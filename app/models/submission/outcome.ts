/** What is stored after a submission. */
export interface Outcome {
  id: string;
  /** Without a session: it is in no account. */
  asGuest: boolean;
  /** Media records stored, and how many there were to store. */
  media: { stored: number; of: number };
  textsStored: boolean;
  /** Something is missing that may arrive when the same submission is sent again. */
  unfinished: boolean;
  /** The draft takes nothing more: it was begun too long ago, or is published. */
  closed: boolean;
  /** Some of it had no answer at all: the line is broken. */
  lost: boolean;
}

/** Whether all of a submission is stored. */
export const isComplete = ({ media, textsStored }: Outcome): boolean => media.stored === media.of && textsStored;

/** The session that a submission was written in is over. */
export class SignedOutError extends Error {
  override readonly name = 'SignedOutError';
}
