/** Requests to the API: their addresses, what they send, and what a refusal becomes. */
import { expect, it } from 'vitest';
import { api, apiPath, errorOf, RequestError } from '../../../web/request.ts';
import { answerApi, callsOf, offline, problem } from '../support/api.ts';
import { watchLocation } from '../support/location.ts';

it('A query leaves out what is not set, in an address and in a call', async () => {
  const query = { q: 'a b', limit: 5, cursor: undefined, tag: '', ids: '1,2' };
  expect(apiPath('/decks', query)).toBe('/api/v1/decks?q=a%20b&limit=5&ids=1%2C2');
  expect(apiPath('/views')).toBe('/api/v1/views');
  answerApi({ 'GET /decks': { items: [], nextCursor: null, total: 0, eventId: '0' } });
  await api.GET('/decks', { params: { query } });
  expect(callsOf('GET /decks')[0]?.query).toEqual({ q: 'a b', limit: '5', ids: '1,2' });
});

it('A document is sent as JSON, and an answer without content is none', async () => {
  answerApi({ 'PATCH /companies/:company': ({ body }) => body as never, 'DELETE /session': null });
  const params = { path: { id: 'c 1/2' } };
  expect(await api.PATCH('/companies/{id}', { params, body: { name: 'Acme' } })).toEqual({ name: 'Acme' });
  expect(await api.DELETE('/session')).toBeUndefined();
  expect(callsOf('PATCH /companies/:company')[0]).toMatchObject({
    params: { company: 'c 1/2' },
    body: { name: 'Acme' },
  });
});

it('A refusal becomes an error with its code, status, words and hint', async () => {
  answerApi({ 'GET /views': problem(409, 'conflict', 'It exists.', 'Take another name.') });
  const error = await api.GET('/views').catch((reason: unknown) => reason);
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
  const wrong = { detail: 4, code: null, hint: [] };
  for (const body of ['<html>Bad gateway</html>', '', undefined, null, [], wrong])
    expect(errorOf(502, body)).toMatchObject({ message: 'HTTP 502', code: 'internal', hint: null });
});

it('Where nothing answers the error says so', async () => {
  answerApi({ 'GET /views': offline });
  await expect(api.GET('/views')).rejects.toMatchObject({ code: 'offline', status: 0 });
});

it('A request that the page gave up is not called offline', async () => {
  answerApi({ 'GET /views': offline });
  const given = new AbortController();
  given.abort();
  await expect(api.GET('/views', { signal: given.signal })).rejects.not.toBeInstanceOf(RequestError);
});

it('Without a session the page leads to the login, which leads back', () => {
  const left = watchLocation();
  window.history.replaceState(null, '', '/decks/d1?slide=2');
  expect(errorOf(401, { detail: 'Sign in first.' }).message).toBe('Sign in first.');
  expect(left.to.mock.calls).toEqual([['/api/v1/session?next=%2Fdecks%2Fd1%3Fslide%3D2']]);
  expect(errorOf(403, {}).status).toBe(403);
  expect(left.to.mock.calls).toHaveLength(1);
});
