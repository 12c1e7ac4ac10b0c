/** A name is judged by the addresses it has when it is connected to. */
import type { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { expect, it } from 'vitest';
import { checkedLookup } from '../../../activities/webhooks/send.ts';

/** A resolver that knows one answer. */
const resolving = (...addresses: readonly string[]): typeof lookup =>
  ((_name: string, _options: unknown, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup;

const resolve = (look: LookupFunction, all: boolean): Promise<unknown> =>
  new Promise((done) => {
    look('receiver.example', { all }, (error, address) => done(error ?? address));
  });

it('leaves out what is refused and takes the rest', async () => {
  const look = checkedLookup(resolving('169.254.169.254', '10.0.0.7', 'fe80::1'));
  expect(await resolve(look, true)).toEqual([{ address: '10.0.0.7', family: 4 }]);
  expect(await resolve(look, false)).toBe('10.0.0.7');
});

it('connects to nothing when only refused addresses are left', async () => {
  const look = checkedLookup(resolving('169.254.169.254', '::ffff:169.254.169.254'));
  for (const all of [true, false])
    expect(await resolve(look, all)).toMatchObject({ message: 'receiver.example has only addresses that are refused' });
});
