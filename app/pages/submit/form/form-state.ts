import type { UploadsAhead } from '../../../models/media/allowance.ts';
import type { Draft } from '../../../models/submission/draft.ts';
import type { Outcome } from '../../../models/submission/outcome.ts';
import type { Step } from '../../../models/submission/send.ts';
import {
  type CheckedField,
  emptySubmission,
  locatedIn,
  type Submission,
} from '../../../models/submission/submission.ts';

/** Whether this device has a copy of what is written. */
export type Saved = 'nothing' | 'saving' | 'saved' | 'impossible';

/** A draft beside the one in the form. */
export interface KeptDraft {
  /** The tab it was written in, which is gone. */
  tab: string;
  draft: Draft;
}

/** Why the last try to send it failed. */
export interface FormFailure {
  message: string;
  field: CheckedField | null;
  /** The media item that it is about. */
  item?: string | undefined;
  /** Counts the tries, so that each one is noticed, also when it failed for the same reason. */
  attempt: number;
}

export interface FormState {
  /** `waiting`: to be sent as soon as the line is back. */
  phase: 'editing' | 'waiting' | 'submitting' | 'submitted';
  submission: Submission;
  /** Sent fraction of files under way, by item id. */
  progress: Record<string, number>;
  /** Temporary addresses of chosen files, by item id. */
  previews: Record<string, string>;
  failure: FormFailure | null;
  /** Quiet lines about files that were not added. */
  notices: string[];
  step: Step | null;
  saved: Saved;
  /** Items whose files the device could not keep. */
  unkept: string[];
  /** Whether this is the tab that goes on with the draft. `unknown`: the browser does not tell about tabs. */
  tab: 'here' | 'elsewhere' | 'unknown';
  /** How the draft came here from another tab. */
  arrival: 'closed' | 'taken' | 'joined' | 'sentElsewhere' | null;
  kept: KeptDraft[];
  /** A draft of an earlier visit was brought back: written, or already being sent. */
  returned: 'written' | 'sending' | null;
  /** Why sending waits, or had to wait. `limit`: files wait for the upload limit. */
  line: 'offline' | 'unreachable' | 'limit' | null;
  /** Files that wait to be uploaded, and how much may be; null until the server says so. */
  ahead: UploadsAhead | null;
  /** Sending was put off by hand. */
  later: boolean;
  outcome: (Outcome & { secret: string }) | null;
  /** Proves the draft to the server. */
  secret: string;
  /** This secret may have been used for sending before. */
  sentBefore: boolean;
  /** What another tab went on with. */
  parted: Submission | null;
  /** Email address of the account it is written in; null for a guest. */
  account: string | null;
  /** The session of that account is over. */
  signedOut: boolean;
  /** It is to be sent without an account all the same. */
  asGuest: boolean;
}

/** What the device keeps of it. */
export const heldOf = ({
  secret,
  submission,
  phase,
  line,
  parted,
  account,
}: FormState): Omit<Draft, 'savedAt' | 'aside'> => ({
  secret,
  submission,
  sending: phase === 'submitting',
  wanted: phase === 'waiting' || (phase === 'submitting' && line !== null),
  parted,
  account,
});

/** The files that would be lost with the page: neither kept on the device nor with the server. */
export const unkeptOf = ({ submission, unkept }: FormState): string[] =>
  locatedIn(submission.media).flatMap(({ id, url, file }) =>
    file && url === '' && unkept.includes(id) ? [file.name] : [],
  );

export const untouched: FormState = {
  phase: 'editing',
  submission: emptySubmission(),
  progress: {},
  previews: {},
  failure: null,
  notices: [],
  step: null,
  saved: 'nothing',
  unkept: [],
  tab: 'here',
  arrival: null,
  kept: [],
  returned: null,
  line: null,
  ahead: null,
  later: false,
  outcome: null,
  secret: '',
  sentBefore: false,
  parted: null,
  account: null,
  signedOut: false,
  asGuest: false,
};
