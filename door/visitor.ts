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
  return { address: countedAddress(addressOf(request, trustProxy)), id: randomUUID() };
}

/** What counts as one when places are given out: an IPv4 address, or a /56 of IPv6, which one customer may well have. */
export const networkOf = (request: IncomingMessage, trustProxy: number): string =>
  countedAddress(addressOf(request, trustProxy), 56);

function addressOf(request: IncomingMessage, trustProxy: number): string {
  return forwarded(request, trustProxy) ?? request.socket.remoteAddress ?? '';
}

function forwarded(request: IncomingMessage, trustProxy: number): string | undefined {
  if (trustProxy === 0) return undefined;
  const chain = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .slice(-LONGEST_CHAIN)
    .map((part) => withoutPort(part.trim()))
    .filter(Boolean);
  return chain.at(-trustProxy) ?? chain[0];
}

/** Some proxies write `203.0.113.9:4001` or `[2001:db8::1]:4001`; the port is another one each time. */
const withoutPort = (entry: string): string =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? entry;

/**
 * IPv6 counts by network, a mapped IPv4 address as itself.
 * @param bits of the network, at most 64; a /64 is the smallest one that a customer is given
 */
export function countedAddress(address: string, bits = 64): string {
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
    .map((group, index) => (Number.parseInt(group, 16) & networkMask(bits - index * 16)).toString(16))
    .join(':')}::/${bits}`;
}

/** Of a group of 16 bits the first `bits`. */
const networkMask = (bits: number): number => (0xffff << (16 - Math.min(16, Math.max(0, bits)))) & 0xffff;
