/** Where notifications may go. */
import { expect, it } from 'vitest';
import { checkReceiverUrl, isRefusedAddress } from '../../../activities/webhooks/receiver-url.ts';
import { DeckhandError } from '../../../domain/errors.ts';

it.each([
  ['https://hooks.example.com/deckhand?team=1', 'https://hooks.example.com/deckhand?team=1'],
  ['http://127.0.0.1:9000/in', 'http://127.0.0.1:9000/in'],
  ['http://10.20.30.40/', 'http://10.20.30.40/'],
  ['http://[fd12:3456::1]/x', 'http://[fd12:3456::1]/x'],
  ['HTTPS://Hooks.Example.COM:443', 'https://hooks.example.com/'],
  ['https://hooks.example.com/a#part', 'https://hooks.example.com/a'],
])('a receiver URL: %s is taken', (text, normal) => expect(checkReceiverUrl(text)).toBe(normal));

it.each([
  'hooks.example.com/deckhand',
  '/deckhand',
  '',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://user@hooks.example.com/',
  'https://user:word@hooks.example.com/',
  `https://hooks.example.com/${'a'.repeat(2000)}`,
  'http://169.254.169.254/latest/meta-data/',
  // The same address in every spelling a URL allows.
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'http://169.254.43518/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fd20:ce::254]/',
  'http://100.100.100.200/',
  'http://168.63.129.16/machine?comp=goalstate',
  'http://0.0.0.0:8080/',
  'http://255.255.255.255/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://metadata.google.internal./',
])('a receiver URL: %s is refused', (text) => {
  expect(() => checkReceiverUrl(text)).toThrow(DeckhandError);
  expect(() => checkReceiverUrl(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }) as Error);
});

it('addresses are judged however they were found', () => {
  expect(['169.254.0.1', '::ffff:169.254.169.254', 'fe80::abcd', 'ff02::1', '::'].map(isRefusedAddress)).toEqual(
    Array.from({ length: 5 }, () => true),
  );
  expect(['10.0.0.1', '127.0.0.1', '192.168.1.1', '8.8.8.8', '::1', 'hooks.example.com'].map(isRefusedAddress)).toEqual(
    Array.from({ length: 6 }, () => false),
  );
});

it.each([
  ['of a public translator', '64:ff9b::a9fe:a9fe', '64:ff9b::6464:64c8', '64:ff9b::168.63.129.16'],
  [
    'of a network’s own translator',
    '64:ff9b:1::a9fe:a9fe',
    '64:ff9b:1:a9fe:a9:fe00::',
    '64:ff9b:1:ffff:a9fe:a9:fe00:0',
  ],
  ['compatible', '::169.254.169.254', '::a9fe:a9fe', '0:0:0:0:0:0:a9fe:a9fe', '::2'],
  ['translated', '::ffff:0:169.254.169.254', '::ffff:0:a9fe:a9fe'],
  ['of Teredo', '2001:0:a9fe:a9fe::1', '2001::5601:5601', '2001:0:1:2:3:4:5601:5601'],
  ['of 6to4', '2002:a9fe:a9fe::1', '2002:6464:64c8::1'],
])('an IPv4 address inside an IPv6 one is refused: %s', (_form, ...addresses) => {
  for (const address of addresses) {
    expect(isRefusedAddress(address), address).toBe(true);
    expect(() => checkReceiverUrl(`http://[${address}]/`), address).toThrow(
      expect.objectContaining({ code: 'invalid_request' }) as Error,
    );
  }
});

it('an IPv4 address inside an IPv6 one is accepted where a receiver may be: behind a public translator, mapped, and beside the refused ranges', () => {
  for (const address of [
    '64:ff9b::8.8.8.8',
    '64:ff9b:2::a9fe:a9fe',
    '::ffff:10.0.0.1',
    '::1',
    '2001:db8::1',
    '2001:4860:4860::8888',
    '2003::1',
  ])
    expect(isRefusedAddress(address), address).toBe(false);
});
