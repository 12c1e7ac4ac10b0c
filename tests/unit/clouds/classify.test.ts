/**
 * Every message known from the live service, and the class it is treated as.
 */
import { describe, expect, it } from 'vitest';
import { readId, readRefusal } from '../../../clouds/datacrunch/http/body.ts';
import { classifyRefusal } from '../../../clouds/datacrunch/http/classify.ts';
import type { CallKind } from '../../../clouds/http/wire.ts';
import { providerError, providerErrorOf } from '../../../clouds/errors.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import type { ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';

type Case = readonly [CallKind, number, string | null, string, ProviderErrorClass];

const CASES: readonly Case[] = [
  // Messages seen in the wild.
  ['read', 400, 'invalid_request', 'Invalid instance id', 'gone'],
  ['change', 400, 'invalid_request', 'Invalid instance id', 'gone'],
  ['change', 403, 'forbidden_action', "Can't discontinue a discontinued instance", 'gone'],
  ['change', 403, 'forbidden_action', "Can't discontinue a provisioning instance", 'not_yet'],
  ['create', 503, 'service_unavailable', 'No capacity available', 'capacity'],
  ['create', 400, 'invalid_request', 'Operating system is not valid for this instance type', 'config'],
  ['create', 404, 'not_found', 'Operating system or volume not found `8a4e`', 'config'],
  ['create', 400, 'invalid_request', 'Invalid ssh-key ID', 'config'],
  ['create', 400, 'invalid_request', 'Storage limit exceeded', 'quota'],
  ['create', 400, 'invalid_request', 'Volume limit exceeded', 'quota'],
  ['create', 403, 'forbidden_action', 'GPU quota reached for this project', 'quota'],
  ['change', 400, 'invalid_request', 'Volume is already permanently deleted', 'gone'],
  ['read', 403, 'forbidden_action', 'Insufficient scope', 'auth'],
  ['token', 401, 'unauthorized_request', 'Invalid client id or client secret', 'auth'],
  ['token', 400, 'invalid_request', 'unsupported grant type', 'auth'],
  // The table of codes.
  ['read', 401, 'unauthorized_request', 'Unauthorized', 'auth'],
  ['create', 402, 'insufficient_funds', 'Balance too low', 'billing'],
  ['create', 400, 'insufficient_funds', '', 'billing'],
  ['read', 429, 'rate_limit_exceeded', 'Too many requests', 'throttled'],
  ['create', 429, null, 'rate limited', 'throttled'],
  ['read', 404, 'not_found', 'Resource not found', 'gone'],
  ['change', 409, 'conflict', 'Tag is already linked', 'config'],
  ['create', 422, 'invalid_request', 'volume_mounts.0.volume_id should not be null or undefined', 'config'],
  ['create', 500, 'server_error', 'Internal error', 'transient'],
  ['token', 503, null, '', 'transient'],
  // Out of stock is said at a create only, and by the API itself only.
  ['create', 503, 'service_unavailable', 'Try again later or use a different resource', 'capacity'],
  ['create', 503, null, 'No capacity available', 'capacity'],
  ['create', 503, null, 'an HTML page instead of an answer', 'transient'],
  ['create', 500, 'server_error', 'No capacity available', 'transient'],
  ['change', 503, 'service_unavailable', 'No capacity available', 'capacity'],
  ['change', 503, 'service_unavailable', 'Try again later', 'transient'],
  ['read', 503, 'service_unavailable', 'No capacity available', 'transient'],
  // The edge speaks HTML; it says nothing about what exists.
  ['create', 502, null, 'an HTML page instead of an answer', 'transient'],
  ['read', 504, null, 'an HTML page instead of an answer', 'transient'],
  ['read', 403, null, 'an HTML page instead of an answer', 'transient'],
  ['read', 404, null, 'an HTML page instead of an answer', 'config'],
  // Codes that are not documented say nothing of a retry.
  ['create', 400, 'a_code_of_next_year', 'Not now', 'transient'],
  ['create', 409, 'a_code_of_next_year', 'Not now', 'transient'],
  ['change', 422, null, 'an HTML page instead of an answer', 'transient'],
  ['read', 403, 'a_code_of_next_year', 'Not for you', 'auth'],
  // A wrong state is something to wait out.
  ['change', 400, 'invalid_request', 'Instance must be offline to hibernate', 'not_yet'],
  ['change', 403, 'forbidden_action', 'Instance must be shut down first', 'not_yet'],
  ['change', 403, 'forbidden_action', 'You do not have the right to do this', 'auth'],
];

it.each(CASES)('classification of refusals: %s: %i %s "%s" is %s', (kind, status, code, message, expected) => {
  expect(classifyRefusal(kind, status, { code, message })).toBe(expected);
});

it('the body of a refusal is read from the API, from lists of messages, short text and HTML', () => {
  expect(readRefusal('{"code":"not_found","message":"nope"}')).toEqual({ code: 'not_found', message: 'nope' });
  expect(readRefusal('{"code":"invalid_request","message":["a is wrong","b too"]}').message).toBe('a is wrong; b too');
  expect(readRefusal('rate limited')).toEqual({ code: null, message: 'rate limited' });
  expect(readRefusal('<!DOCTYPE html><html><body>502</body></html>').message).toMatch(/HTML/u);
  expect(readRefusal('')).toEqual({ code: null, message: '' });
  expect(readRefusal('x'.repeat(5_000)).message.length).toBeLessThan(400);
});

describe('the id in the answer to a create', () => {
  const id = '8a4ec0f8-1111-4222-8333-444444444444';
  it.each([id, `"${id}"`, `${id}\n`, `{"id":"${id}"}`, `["${id}"]`, `[{"id":"${id}"}]`])('is found in %s', (text) => {
    expect(readId(text)).toBe(id);
  });
  it('keeps every digit of one made of digits', () =>
    expect(readId('12345678901234567890')).toBe('12345678901234567890'));
  it.each(['', 'null', '{}', '[]', '<html></html>', '["a","b"]', 'two words'])('is not found in %j', (text) => {
    expect(readId(text)).toBeNull();
  });
});

it('a provider error as data has its class back, and the time to wait', () => {
  const expected = { errorClass: 'throttled', message: 'slow down', retryAfterMs: 7_000 };
  expect(providerErrorOf(providerError('throttled', 'slow down', { retryAfterMs: 7_000 }))).toEqual(expected);
  expect(providerErrorOf(providerError('not_yet', 'wait'))).toEqual({ errorClass: 'not_yet', message: 'wait' });
});
it('a provider error as data is transient where its cause is unknown', () => {
  expect(providerErrorOf(new TypeError('fetch failed')).errorClass).toBe('transient');
  expect(providerErrorOf(new DeckhandError('internal', 'oops')).errorClass).toBe('transient');
});
