import { clients } from '#session/browser.ts';
import type { Outcome } from '../model/outcome.ts';
import { sendSubmission } from '../model/send.ts';
import type { Sending } from './form-services.ts';

/** Loaded with its clients once the user reaches the texts. */
export function sendNew({ submission, secret, onStep, ...flow }: Sending): Promise<Outcome> {
  const { auth, data, key } = clients();
  const dataForGuest = (headers: Record<string, string>) => data({ ...headers, authorization: `Bearer ${key}` });
  return sendSubmission(submission(), secret, { ...flow, auth, data, dataForGuest }, onStep);
}
