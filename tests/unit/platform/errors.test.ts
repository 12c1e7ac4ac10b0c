/** What is said of an error that is not ours. */
import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { asDeckhandError, errorText } from '../../../domain/errors.ts';

/** What Node throws at a host of these addresses, on a port where nobody listens. */
async function refusedAt(...addresses: string[]): Promise<unknown> {
  const socket = connect({
    host: 'example.test',
    port: 1,
    lookup: (_host, _options, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
  });
  return (await once(socket, 'connect').catch((error: unknown) => [error]))[0];
}

it('a host of several addresses that refuses is described by its first', async () => {
  const error = await refusedAt('127.0.0.1', '127.0.0.2');
  expect(error).toBeInstanceOf(AggregateError);
  expect(errorText(error)).toBe('connect ECONNREFUSED 127.0.0.1:1');
  expect(asDeckhandError(error)).toMatchObject({ code: 'internal', message: 'connect ECONNREFUSED 127.0.0.1:1' });
});

it.each([
  ['an error', new Error('no room'), 'no room'],
  ['several errors with words of their own', new AggregateError([new Error('one')], 'all failed'), 'all failed'],
  ['what is no error', 'broken', 'broken'],
])('%s is described in its words', (_, thrown, text) => expect(errorText(thrown)).toBe(text));
