import type { Outcome } from '../../../models/submission/outcome.ts';
import type { FlowServices, Step } from '../../../models/submission/send.ts';
import type { Submission } from '../../../models/submission/submission.ts';
import type { Uploads } from './uploads.ts';

/** One try to send what is in the form. */
export interface Sending extends Pick<FlowServices, 'finishUploads' | 'needsSession'> {
  /** What the form holds at this moment. */
  submission: () => Submission;
  /** Proves the draft to the server. */
  secret: string;
  signal: AbortSignal;
  onStep: (step: Step) => void;
}

/** What the form works with. */
export interface FormServices {
  send: (sending: Sending) => Promise<Outcome>;
  /** Loads what sending needs, ahead of it. */
  prepare: () => void;
  uploads: (events: ConstructorParameters<typeof Uploads>[1]) => Uploads;
  /** Whether our services can be reached at this moment. */
  reached: () => Promise<boolean>;
  publicUrl: (bucket: string, path: string) => string;
}

/** A stored draft to begin with. */
export interface Stored {
  submission: Submission;
  /** Where the device keeps what is not sent back yet. */
  name: string;
}
