import type { Outcome } from '../../../models/submission/outcome.ts';
import { sendSubmission } from '../../../models/submission/send.ts';
import { clients } from '../../../session/browser.ts';
import type { Sending } from './form-services.ts';

/** Sends a new submission. Loaded with the clients that it needs, when somebody comes as far as the texts. */
export function sendNew({ submission, secret, onStep, ...flow }: Sending): Promise<Outcome> {
  const { auth, data, key } = clients();
  const dataForGuest = (headers: Record<string, string>) => data({ ...headers, authorization: `Bearer ${key}` });
  return sendSubmission(submission(), secret, { ...flow, auth, data, dataForGuest }, onStep);
}
