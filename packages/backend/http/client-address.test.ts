import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientAddress, clientNetwork } from './client-address.ts';
import { countedAddress } from './network.ts';

const requestFrom = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

describe('the client address', () => {
  it('is the socket address without a trusted proxy, regardless of headers', () => {
    const unused = { 'x-real-ip': '198.51.100.2', forwarded: 'for=198.51.100.3' };
    const request = requestFrom('203.0.113.9', { 'x-forwarded-for': '198.51.100.1', ...unused });
    expect(clientAddress(request, 0).address).toBe('203.0.113.9');
  });

  it('is the entry of the nearest trusted proxy, not a forged one before it (TM-42)', () => {
    const request = requestFrom('127.0.0.1', { 'x-forwarded-for': '6.6.6.6, 198.51.100.7' });
    expect(clientAddress(request, 1).address).toBe('198.51.100.7');
  });

  it('is the /64 network for IPv6, and IPv4 for a mapped address', () => {
    expect(countedAddress('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(countedAddress('2001:db8:1:2::9')).toBe(countedAddress('2001:db8:1:2:ffff::1'));
    expect(countedAddress('::1')).toBe('0:0:0:0::/64');
    expect(countedAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
  });

  it('excludes the port that some proxies append (L7)', () => {
    const addressBehindProxy = (entry: string) =>
      clientAddress(requestFrom('127.0.0.1', { 'x-forwarded-for': entry }), 1).address;
    expect(addressBehindProxy('203.0.113.9:4001')).toBe('203.0.113.9');
    expect(addressBehindProxy('6.6.6.6, [2001:db8:1:2::1]:4001')).toBe('2001:db8:1:2::/64');
    expect(addressBehindProxy('[2001:db8:1:2::1]')).toBe('2001:db8:1:2::/64');
    expect(addressBehindProxy('2001:db8:1:2::1:4001')).toBe('2001:db8:1:2::/64');
  });

  it('is the /56 network when slots are counted (H2)', () => {
    const networkOf = (address: string) => clientNetwork(requestFrom(address), 0);
    expect(networkOf('2001:db8:1:ab00::1')).toBe('2001:db8:1:ab00::/56');
    expect(networkOf('2001:db8:1:abff::1')).toBe(networkOf('2001:db8:1:ab00::1'));
    expect(networkOf('2001:db8:1:ac00::1')).not.toBe(networkOf('2001:db8:1:ab00::1'));
    expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  });
});
