import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { countedAddress } from '../packages/backend/http/network.ts';
import { clientAddress, clientNetwork } from './client-address.ts';

const knock = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

describe('the client address', () => {
  it('is the socket, whatever the headers claim', () => {
    const request = knock('203.0.113.9', {
      'x-forwarded-for': '198.51.100.1',
      'x-real-ip': '198.51.100.2',
      forwarded: 'for=198.51.100.3',
    });
    expect(clientAddress(request, 0).address).toBe('203.0.113.9');
  });

  it('is the one that the nearest trusted proxy saw, not a forged entry before it', () => {
    const request = knock('127.0.0.1', { 'x-forwarded-for': '6.6.6.6, 198.51.100.7' });
    expect(clientAddress(request, 1).address).toBe('198.51.100.7');
  });

  it('counts IPv6 by the network of one customer, and mapped IPv4 as IPv4', () => {
    expect(countedAddress('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(countedAddress('2001:db8:1:2::9')).toBe(countedAddress('2001:db8:1:2:ffff::1'));
    expect(countedAddress('::1')).toBe('0:0:0:0::/64');
    expect(countedAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
  });

  it('L7: excludes the port that some proxies append', () => {
    const through = (entry: string) => clientAddress(knock('127.0.0.1', { 'x-forwarded-for': entry }), 1).address;
    expect(through('203.0.113.9:4001')).toBe('203.0.113.9');
    expect(through('6.6.6.6, [2001:db8:1:2::1]:4001')).toBe('2001:db8:1:2::/64');
    expect(through('[2001:db8:1:2::1]')).toBe('2001:db8:1:2::/64');
    expect(through('2001:db8:1:2::1:4001')).toBe('2001:db8:1:2::/64');
  });

  it('H2: is a /56 network where slots are counted', () => {
    const place = (address: string) => clientNetwork(knock(address), 0);
    expect(place('2001:db8:1:ab00::1')).toBe('2001:db8:1:ab00::/56');
    expect(place('2001:db8:1:abff::1')).toBe(place('2001:db8:1:ab00::1'));
    expect(place('2001:db8:1:ac00::1')).not.toBe(place('2001:db8:1:ab00::1'));
    expect(place('::ffff:192.0.2.1')).toBe('192.0.2.1');
  });
});
