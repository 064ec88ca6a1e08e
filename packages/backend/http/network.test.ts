import { expect, it } from 'vitest';
import { countedAddress, networkList, networkOf } from './network.ts';

it('C19: counts the 256 /64 networks of one customer as one address', () => {
  const of = (last: number) => networkOf(`2001:db8:1:${last.toString(16)}::/64`);
  expect(new Set(Array.from({ length: 256 }, (_, n) => of(0x1200 + n))).size).toBe(1);
  expect(of(0x12ff)).not.toBe(of(0x1300));
  expect(of(0)).toBe('2001:db8:1:0::/56');
  expect(['203.0.113.9', '', 'unknown'].map(networkOf)).toEqual(['203.0.113.9', '', 'unknown']);
});

it('finds counted addresses in listed networks', () => {
  const isListed = networkList(['203.0.113.7', '198.51.100.0/24', '2001:db8:42::/48', '2001:db8:7:1::9']);
  const counted = (address: string) => isListed(countedAddress(address));
  const inside = ['203.0.113.7', '::ffff:203.0.113.7', '198.51.100.200', '2001:db8:42:9::1', '2001:db8:7:1::77'];
  const outside = ['203.0.113.8', '198.51.101.1', '2001:db8:43::1', '2001:db8:7:2::9', '', 'unknown'];
  expect(inside.filter((address) => !counted(address))).toEqual([]);
  expect(outside.filter(counted)).toEqual([]);
  expect(networkList([])('203.0.113.7')).toBe(false);
});
