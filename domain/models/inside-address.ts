/** Which IP addresses are inside the network of the installation: what is sent to any other leaves it. */
import ipaddr from 'ipaddr.js';

/** Where connections may go: inside the network; anywhere, as somebody allowed it; or to what our own fleet made, wherever that is. */
export type Reach = 'inside' | 'allowed' | 'ours';

/**
 * Ranges that no router of the internet passes on, by their names in the library: 127.0.0.0/8 and ::1; 10.0.0.0/8, 172.16.0.0/12 and
 * 192.168.0.0/16 (RFC 1918); 169.254.0.0/16 and fe80::/10; fc00::/7; and 100.64.0.0/10 (RFC 6598), the addresses of meshes such as Tailscale and
 * of pods in some clouds.
 */
const INSIDE: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);

/**
 * True for an address inside. An IPv4 address written as IPv6 (`::ffff:…`) is judged as the IPv4 one; one behind a translator (64:ff9b::/96) is
 * outside, as its packets leave. What is no address in its usual form is outside.
 */
export function isInsideAddress(address: string): boolean {
  const { IPv4, IPv6 } = ipaddr;
  if (IPv4.isValidFourPartDecimal(address)) return INSIDE.has(IPv4.parse(address).range());
  // The library takes the long abandoned `::10.0.0.1` for a mapped address, and it is none.
  if (!IPv6.isValid(address) || /^::\d+\./u.test(address)) return false;
  const parsed = IPv6.parse(address);
  return INSIDE.has((parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed).range());
}
