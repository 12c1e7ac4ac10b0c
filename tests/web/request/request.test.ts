/** Requests to the API: their addresses, what they send, and what a refusal becomes. */
import { expect, it } from 'vitest';
import { apiPath, errorOf, getJson, RequestError, sendJson } from '../../../web/request.ts';
import { answerApi, callsOf, offline, problem } from '../support/api.ts';
import { watchLocation } from '../support/location.ts';

it('A query leaves out what is not set and joins lists by commas', () => {
  expect(apiPath('/decks', { q: 'a b', limit: 5, anyDeck: true, ids: ['1', '2'], cursor: undefined, tag: '' })).toBe(
    '/api/v1/decks?q=a+b&limit=5&anyDeck=true&ids=1%2C2',
  );
  expect(apiPath('/views')).toBe('/api/v1/views');
});

it('A document is sent as JSON, and an answer without content is null', async () => {
  answerApi({ 'PATCH /companies/:company': ({ body }) => body as never, 'DELETE /session': null });
  expect(await sendJson('PATCH', '/companies/c1', { name: 'Acme' })).toEqual({ name: 'Acme' });
  expect(await sendJson('DELETE', '/session')).toBeNull();
  expect(callsOf('PATCH /companies/:company')[0]).toMatchObject({ params: { company: 'c1' }, body: { name: 'Acme' } });
});

it('A refusal becomes an error with its code, status, words and hint', async () => {
  answerApi({ 'GET /views': problem(409, 'conflict', 'It exists.', 'Take another name.') });
  const error = await getJson('/views').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({
    name: 'RequestError',
    message: 'It exists.',
    code: 'conflict',
    status: 409,
    hint: 'Take another name.',
  });
});

it('An answer that is no problem document is told by its status', () => {
  expect(errorOf(502, '<html>Bad gateway</html>')).toMatchObject({ message: 'HTTP 502', code: 'internal', hint: null });
});

it('Where nothing answers the error says so', async () => {
  answerApi({ 'GET /views': offline });
  await expect(getJson('/views')).rejects.toMatchObject({ code: 'offline', status: 0 });
});

it('A request that the page gave up is not called offline', async () => {
  answerApi({ 'GET /views': offline });
  const given = new AbortController();
  given.abort();
  await expect(getJson('/views', {}, given.signal)).rejects.not.toBeInstanceOf(RequestError);
});

it('Without a session the page leads to the login, which leads back', () => {
  const left = watchLocation();
  window.history.replaceState(null, '', '/decks/d1?slide=2');
  expect(errorOf(401, '{"detail":"Sign in first."}').message).toBe('Sign in first.');
  expect(left.to.mock.calls).toEqual([['/api/v1/session?next=%2Fdecks%2Fd1%3Fslide%3D2']]);
  expect(errorOf(403, '{}').status).toBe(403);
  expect(left.to.mock.calls).toHaveLength(1);
});
