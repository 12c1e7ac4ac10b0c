/**
 * Where notifications may go: http and https, without credentials, and never to the addresses at which clouds hand out a machine's own
 * credentials. Private addresses are allowed: receivers in the same network are the usual case.
 */
import { BlockList, isIP } from 'node:net';
import { DeckhandError } from '../../domain/errors.ts';

const MAX_URL_CHARS = 2000;

/** Names of metadata services that resolve only inside a cloud. */
const REFUSED_NAMES: ReadonlySet<string> = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data']);

/** Metadata services outside the link-local range: of Alibaba Cloud, of Oracle's older machines, and what gives Azure's their settings. */
const METADATA_IPV4: readonly string[] = ['100.100.100.200', '192.0.0.192', '168.63.129.16'];

const refused = new BlockList();
// Link-local, with the metadata service of most clouds at 169.254.169.254.
refused.addSubnet('169.254.0.0', 16, 'ipv4');
refused.addSubnet('fe80::', 10, 'ipv6');
for (const address of METADATA_IPV4) refused.addAddress(address, 'ipv4');
// The metadata services of AWS and Google Cloud over IPv6.
refused.addAddress('fd00:ec2::254', 'ipv6');
refused.addAddress('fd20:ce::254', 'ipv6');
// Addresses without a receiver: this network, multicast and reserved.
refused.addSubnet('0.0.0.0', 8, 'ipv4');
refused.addSubnet('224.0.0.0', 3, 'ipv4');
refused.addSubnet('ff00::', 8, 'ipv6');
refused.addAddress('::', 'ipv6');
// IPv4 addresses inside IPv6 ones. Behind a public translator (NAT64) receivers are usual, so only what is refused above is refused there …
refused.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
for (const address of METADATA_IPV4) refused.addAddress(`64:ff9b::${address}`, 'ipv6');
// … and all of the other forms: where a network's own translator puts the address is its choice, and the rest is out of use (::1 is none of them).
refused.addSubnet('64:ff9b:1::', 48, 'ipv6');
refused.addRange('::2', '::ffff:ffff', 'ipv6');
refused.addSubnet('::ffff:0:0:0', 96, 'ipv6');
refused.addSubnet('2001::', 32, 'ipv6');
refused.addSubnet('2002::', 16, 'ipv6');

/** True for an address that is never connected to. An IPv4 address written as IPv6 (`::ffff:…`) is judged as the IPv4 one. */
export function isRefusedAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && refused.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

const unusable = (text: string, why: string): DeckhandError =>
  new DeckhandError('invalid_request', `webhook URL ${JSON.stringify(text.slice(0, 100))}: ${why}`, {
    userMessage: `This URL cannot receive notifications: ${why}.`,
  });

/**
 * The URL in its normal form.
 *
 * A name is judged again when it is connected to, by the addresses it has then.
 *
 * @throws DeckhandError `invalid_request` saying which rule it breaks
 */
export function checkReceiverUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || text.length > MAX_URL_CHARS) throw unusable(text, 'it is not a complete URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw unusable(text, 'it is neither http nor https');
  if (url.username !== '' || url.password !== '') throw unusable(text, 'it holds a user name or password');
  // The parser has turned every spelling of an address (decimal, hexadecimal, short) into the usual one.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isRefusedAddress(host) || REFUSED_NAMES.has(host.replace(/\.$/, ''))) {
    throw unusable(text, 'it points at link-local, metadata or reserved addresses');
  }
  url.hash = '';
  return url.href;
}
