import { BlockList, isIP, isIPv6 } from 'node:net';
import { expandIPv6 } from 'hono/utils/ipaddr';

/** The /56 of a counted IPv6 address such as `2001:db8:0:1::/64`: providers assign that many to one customer. */
export const networkOf = (address: string): string => countedAddress(address.replace(/\/64$/, ''), 56);

/** IPv6 is counted by network, a mapped IPv4 address as IPv4. @param bits at most 64 */
export function countedAddress(address: string, bits = 64): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  return `${expandIPv6(address.split('%')[0]!)
    .split(':')
    .slice(0, 4)
    .map((group, index) => (Number.parseInt(group, 16) & networkMask(bits - index * 16)).toString(16))
    .join(':')}::/${bits}`;
}

const networkMask = (bits: number): number => (0xffff << (16 - Math.min(16, Math.max(0, bits)))) & 0xffff;

export function networkList(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string?];
    const isV6 = isIPv6(address);
    list.addSubnet(address, Number(bits ?? (isV6 ? 64 : 32)), isV6 ? 'ipv6' : 'ipv4');
  }
  return (counted) => {
    const address = counted.replace(/\/64$/, '');
    return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}
