import { expect } from 'vitest';
import type { MailServer } from '../../programs/mail-server.ts';
import type { Client } from '../client.ts';

/** Sends sign-ups and messages until stopped. @returns the names of the acknowledged ones */
export async function writeUntil({ send }: Client, over: () => boolean): Promise<string[]> {
  const acknowledged: string[] = [];
  const post = (path: string, json: object) => send(path, { json }).catch(() => null);
  while (!over()) {
    const name = `p${crypto.randomUUID().slice(0, 8)}`;
    const email = `${name}@example.com`;
    const signUp = await post('/auth/v1/signup', { email, password: 'tangerine bicycle' });
    if (signUp?.status === 200) acknowledged.push(email);
    const contactMessage = { p_name: name, p_email: email, p_message: 'Hello from the test' };
    const message = acknowledged.length % 4 ? null : await post('/rest/v1/rpc/send_message', contactMessage);
    if (message?.status === 204) acknowledged.push(`Message from ${name}`);
  }
  return acknowledged;
}

/**
 * A process sends one e-mail at a time and records each delivery before the next, so only the last e-mail of a killed
 * process may be sent twice.
 */
export function expectSentOnce({ accepted }: MailServer, acknowledged: readonly string[], killed: readonly string[]) {
  const lastMails = killed.map((sender) => accepted.findLast((mail) => mail.sender === sender));
  for (const name of acknowledged) {
    const [first, ...duplicates] = accepted.filter(({ to, subject }) => name === to || name === subject);
    expect(first, `${name} was not sent`).toBeDefined();
    for (const [at, mail] of duplicates.entries()) {
      expect(lastMails, `${name} was sent twice without a kill`).toContain(duplicates[at - 1] ?? first);
      expect(mail.id).toBe(first!.id);
    }
  }
}

export function findMissing({ accepted }: MailServer, acknowledged: readonly string[]): string[] {
  const names = new Set(accepted.flatMap(({ to, subject }) => [to, subject]));
  return acknowledged.filter((name) => !names.has(name));
}
