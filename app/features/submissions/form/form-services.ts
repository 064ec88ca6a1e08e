import type { Uploads } from '#features/media/uploads.ts';
import type { Outcome } from '../model/outcome.ts';
import type { FlowServices, Step } from '../model/send.ts';
import type { Submission } from '../model/submission.ts';

export interface Sending extends Pick<FlowServices, 'finishUploads' | 'needsSession'> {
  submission: () => Submission;
  secret: string;
  signal: AbortSignal;
  onStep: (step: Step) => void;
}

export interface FormServices {
  send: (sending: Sending) => Promise<Outcome>;
  prepare: () => void;
  uploads: (events: ConstructorParameters<typeof Uploads>[1]) => Uploads;
  reached: () => Promise<boolean>;
  publicUrl: (bucket: string, path: string) => string;
}

export interface Stored {
  submission: Submission;
  name: string;
}
