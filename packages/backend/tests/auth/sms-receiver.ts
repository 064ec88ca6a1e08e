import { text } from 'node:stream/consumers';
import { Webhook } from '../../../../tests/packages/packages.ts';
import { startHttpServer } from '../../../../tests/programs/http-server.ts';
import { WIDE } from './auth-server.ts';

/** Like `WIDE`, but with a high limit of messages. */
export const WIDE_SMS = WIDE.replace('email_sent', 'sms_sent = 10000\nemail_sent');
/** Phone accounts with confirmations and one test number. */
export const BY_NUMBER = `
[auth.sms]
enable_signup = true
enable_confirmations = true
max_frequency = "0s"
[auth.sms.test_otp]
"+1 555 0100" = "246810"
`;

export interface Received {
  id: string;
  user: { id: string; phone: string; aud: string; [member: string]: unknown };
  sms: { otp: string; phone: string; sms_type?: string };
}

const SECRET = `whsec_${Buffer.alloc(32, 11).toString('base64')}`;

/** Starts an SMS hook on loopback that verifies signatures as its documentation requires. */
export async function startSmsReceiver() {
  const received: Received[] = [];
  /** Statuses of the next responses, then 200. `hang`: no response. */
  const responses: (number | 'hang')[] = [];
  const problems: unknown[] = [];
  const { url, close } = await startHttpServer(async (request, response) => {
    const sent = await text(request);
    try {
      const headers = request.headers as Record<string, string>;
      const body = new Webhook(SECRET).verify(sent, headers) as Omit<Received, 'id'>;
      received.push({ id: headers['webhook-id']!, ...body });
    } catch (problem) {
      problems.push(problem);
    }
    const status = responses.shift() ?? 200;
    if (status !== 'hang') response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  return {
    received,
    answers: responses,
    problems,
    settings: `
[auth.hook.send_sms]
enabled = true
uri = "${url}/sms"
secrets = "v1,${SECRET}"
`,
    /** The newest code sent to a number in any notation. */
    codeTo(phone: string): string {
      const digits = phone.replace(/\D/g, '');
      const message = received.findLast(({ sms }) => sms.phone === digits);
      if (!message) throw new Error(`No message to ${phone}`);
      return message.sms.otp;
    },
    close,
  };
}

export type SmsReceiver = Awaited<ReturnType<typeof startSmsReceiver>>;
