import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { clientOf } from '../operator/client.ts';
import { startHttpServer } from '../programs/http-server.ts';
import type { Account } from '../seeded-data.ts';
import type { RunningServer } from '../server.ts';

export type WebhookAnswer = (response: ServerResponse) => unknown;
export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

/**
 * Receives webhooks on loopback and verifies their signatures.
 * @param options.answers to the next requests, then status 204
 */
export async function startWebhookReceiver(options: { answers?: WebhookAnswer[]; port?: number } = {}) {
  const { answers = [], port = 0 } = options;
  const receiver = { secret: '', received: [] as { id: string; event: unknown }[], answers };
  const { url, close: stop } = await startHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    const event = new Webhook(receiver.secret).verify(Buffer.concat(chunks).toString(), headers);
    receiver.received.push({ id: headers['webhook-id']!, event });
    const answer = answers.shift();
    if (answer) answer(response);
    else response.writeHead(204).end();
  }, port);
  return Object.assign(receiver, { url: `${url}/hook?of=madhouse`, stop });
}

/** Calls a server as a user. */
export async function callerAt(server: Pick<RunningServer, 'base' | 'dataDir'>, account: Account) {
  const { send, signIn } = clientOf(server);
  const { access_token: token } = await signIn(account);
  return async (path: string, json: object) => {
    const response = await send(path, { json, token, headers: { prefer: 'return=representation' } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return JSON.parse((await response.text()) || 'null');
  };
}

/** Adds a webhook and passes its secret to the receiver. @returns its id */
export async function addWebhook(call: Awaited<ReturnType<typeof callerAt>>, receiver: WebhookReceiver) {
  const [{ id }] = await call('/rest/v1/webhooks', { url: receiver.url, events: ['project.published'] });
  ({ secret: receiver.secret } = await call('/functions/v1/webhook-secret', { id }));
  return id as string;
}
