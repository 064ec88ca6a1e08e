import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ClientInfo } from './client-info.ts';
import { currentRequest } from './current-request.ts';
import { countedAddress } from './network.ts';

type Incoming = Pick<IncomingMessage, 'headers' | 'socket'>;

const MAX_CHAIN = 32;

/** Behind `trustProxy` proxies: the right-most X-Forwarded-For entry that is not one of these proxies (TM-42). */
export function clientAddress(request: Incoming, trustProxy: number): ClientInfo {
  return { address: countedAddress(addressOf(request, trustProxy)), id: currentRequest.getStore()?.id ?? randomUUID() };
}

/** An IPv4 address, or a /56 of IPv6, which one customer may have. */
export const clientNetwork = (request: Incoming, trustProxy: number): string =>
  countedAddress(addressOf(request, trustProxy), 56);

function addressOf({ headers, socket }: Incoming, trustProxy: number): string {
  const chain = String((trustProxy && headers['x-forwarded-for']) || '')
    .split(',')
    .slice(-MAX_CHAIN)
    .map((part) => withoutPort(part.trim()))
    .filter(Boolean);
  return chain.at(-trustProxy) ?? chain[0] ?? socket.remoteAddress ?? '';
}

/** Some proxies write `203.0.113.9:4001` or `[2001:db8::1]:4001`; the port varies. */
const withoutPort = (entry: string): string =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? entry;
