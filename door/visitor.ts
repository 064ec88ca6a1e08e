import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Origin } from '../backend/http/origin.ts';

/** The longest chain of forwarded addresses that is looked at. */
const LONGEST_CHAIN = 32;

/**
 * Who is at the door. The address is the socket's; behind `trustProxy` proxies it is the right-most entry of
 * X-Forwarded-For that none of them wrote about another proxy (threat model TM-42). No other header is read.
 */
export function visitorOf(request: IncomingMessage, trustProxy: number): Origin {
  const socket = request.socket.remoteAddress ?? '';
  return { address: countedAddress(forwarded(request, trustProxy) ?? socket), id: randomUUID() };
}

function forwarded(request: IncomingMessage, trustProxy: number): string | undefined {
  if (trustProxy === 0) return undefined;
  const chain = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .slice(-LONGEST_CHAIN)
    .map((part) => part.trim())
    .filter(Boolean);
  return chain.at(-trustProxy) ?? chain[0];
}

/** IPv6 counts by /64, the smallest network one customer is given; a mapped IPv4 address counts as itself. */
export function countedAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const start = head ? head.split(':') : [];
  const end = tail ? tail.split(':') : [];
  const groups =
    tail === undefined ? start : [...start, ...Array(Math.max(0, 8 - start.length - end.length)).fill('0'), ...end];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
