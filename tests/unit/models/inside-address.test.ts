/** Which addresses are inside the network, against Node's own list of subnets. */
import { BlockList, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isInsideAddress } from '../../../domain/models/inside-address.ts';
import { assertProperty } from '../../../testing/property.ts';

const subnets = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['::1', 128],
  ['fe80::', 10],
  ['fc00::', 7],
] as const;
/** Node judges `::ffff:10.0.0.1` by the subnets of IPv4. */
const inside = new BlockList();
for (const [net, bits] of subnets) inside.addSubnet(net, bits, isIPv4(net) ? 'ipv4' : 'ipv6');

const mapped = (ipv4: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
  return `::ffff:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};

/** Near the edges of the subnets, where a random address never is. */
const nearEdge = fc
  .tuple(fc.constantFrom(...subnets.filter(([net]) => isIPv4(net))), fc.integer({ min: -2, max: 2 }), fc.boolean())
  .map(([[net, bits], by, isEnd]) => {
    const first = net.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    const at = (first + (isEnd ? 2 ** (32 - bits) : 0) + by) >>> 0;
    return [24, 16, 8, 0].map((shift) => (at >>> shift) & 255).join('.');
  });

it('the rule judges addresses of IPv4, alone and inside IPv6, as the list of subnets does', () => {
  assertProperty(
    fc.property(fc.oneof(fc.ipV4(), nearEdge), (address) => {
      const expected = inside.check(address, 'ipv4');
      expect(isInsideAddress(address)).toBe(expected);
      expect(isInsideAddress(`::ffff:${address}`)).toBe(expected);
      expect(isInsideAddress(mapped(address))).toBe(expected);
      // A translator sends the packet on to the internet, whatever address it is for.
      expect(isInsideAddress(`64:ff9b::${address}`)).toBe(false);
    }),
    { runs: 5000 },
  );
});

it('the rule judges addresses of IPv6 as the list of subnets does', () => {
  const beginning = fc.constantFrom('fe80', 'febf', 'fec0', 'fc00', 'fdff', 'fbff', 'fe00', 'ff02', '2001', '0');
  const near = fc
    .tuple(beginning, fc.array(fc.nat(0xffff), { minLength: 7, maxLength: 7 }))
    .map(([first, rest]) => [first, ...rest.map((part) => part.toString(16))].join(':'));
  assertProperty(
    fc.property(fc.oneof(fc.ipV6(), near), (address) => {
      expect(isInsideAddress(address), address).toBe(inside.check(address, 'ipv6'));
    }),
    { runs: 5000 },
  );
});

it.each([
  '0.0.0.0',
  '::',
  '224.0.0.1',
  '255.255.255.255',
  'ff02::1',
  '192.0.2.1',
  '203.0.113.7',
  '2001:db8::1',
  '64:ff9b::808:808',
  '64:ff9b:1::a00:1',
  '2002:a00:1::',
  '::10.0.0.1',
  '8.8.8.8',
])('%s is outside', (address) => {
  expect(isInsideAddress(address)).toBe(false);
});

it.each(['', 'localhost', '10.1', '0x7f.0.0.1', '010.0.0.1', '2130706433', '10.0.0.1:80', '[::1]', '10.0.0.0/8'])(
  'what is no address in its usual form is outside: %j',
  (text) => {
    expect(isInsideAddress(text)).toBe(false);
  },
);

it('an address of a link with its zone is inside', () => {
  expect(isInsideAddress('fe80::1%eth0')).toBe(true);
});
