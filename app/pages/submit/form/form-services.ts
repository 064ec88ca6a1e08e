import type { FlowServices, Outcome } from '../../../models/submission/send.ts';
import type { Submission } from '../../../models/submission/submission.ts';
import type { Uploads } from './uploads.ts';

/** What the form works with. */
export interface FormServices extends Omit<FlowServices, 'finishUploads' | 'signal'> {
  uploads: (events: ConstructorParameters<typeof Uploads>[1]) => Uploads;
  /** Whether our services can be reached at this moment. */
  reached: () => Promise<boolean>;
  publicUrl: (bucket: string, path: string) => string;
  /** Takes the place of the six steps when a stored draft is changed. */
  send?: (submission: Submission) => Promise<Outcome>;
}

/** A stored draft to begin with. */
export interface Stored {
  submission: Submission;
  /** Where the device keeps what is not sent back yet. */
  name: string;
}
