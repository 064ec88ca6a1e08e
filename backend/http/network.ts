/**
 * The network of one customer: of IPv6 the /56, because 256 networks that count as one address each belong to one person;
 * any other address is itself.
 * @param address as the front door counts it, `2001:db8:0:1::/64`
 */
export function networkOf(address: string): string {
  const found = /^([0-9a-f:]+):([0-9a-f]{1,4})::\/64$/.exec(address);
  if (!found) return address;
  return `${found[1]}:${(Number.parseInt(found[2]!, 16) & 0xff00).toString(16)}::/56`;
}
