import { lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { networkList } from '../http/network.ts';

const TIMEOUT_MS = 10_000;

/** Special-purpose networks (IANA); of IPv6 only 2000::/3 is public, without the transition networks in it. */
const isReserved = networkList(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
  2001::/23 2001:db8::/32 2002::/16 3fff::/20`.split(/\s+/),
);
const isGlobalV6 = networkList(['2000::/3']);

const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some((list) => list?.some((own) => own.address === address));

export const isPublic = (address: string): boolean =>
  (isIP(address) === 4 || isGlobalV6(address)) && !isReserved(address) && !isOwn(address);

/** Security: checks each address when it is resolved for the connection. @param allowed networks @returns the status */
export function post(url: URL, headers: Record<string, string>, body: string, allowed: readonly string[]) {
  const isAllowed = networkList(allowed);
  const isSecure = url.protocol === 'https:';
  const refusal = (address: string): Error | null => {
    if (isAllowed(address)) return null;
    if (!isPublic(address))
      return new Error(
        `${address} is an address of this machine or of a private network. The server’s WEBHOOK_NETWORKS can allow it.`,
      );
    return isSecure ? null : new Error('Addresses on the internet must start with https://.');
  };
  const checkedLookup: LookupFunction = (name, options, callback) =>
    lookup(name, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      const refused = error ?? addresses.map(refusal).find((one) => one !== null);
      if (refused) callback(refused, found, family);
      else callback(null, found, family);
    });
  return new Promise<number>((resolve, reject) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    // A literal address is connected to without a lookup.
    const refused = isIP(host) ? refusal(host) : null;
    if (refused) return reject(refused);
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      lookup: checkedLookup,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    };
    const request = (isSecure ? https : http).request(url, options, (response) => {
      resolve(response.statusCode!);
      response.destroy();
    });
    request.on('error', (error: Error) =>
      reject(error.name === 'AbortError' ? new Error(`No response within ${TIMEOUT_MS / 1000} s.`) : error),
    );
    request.end(body);
  });
}
