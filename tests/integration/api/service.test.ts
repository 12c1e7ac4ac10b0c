/** What holds for the API as a whole: health, its document, who may call it, and errors that are always problem documents. */
import { loadConfig } from '../../../platform/config.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Connection } from '@temporalio/client';
import getPort from 'get-port';
import { expect, it, vi } from 'vitest';
import { temporalClient } from '../../../platform/temporal.ts';
import { closeDatabase, createDatabase } from '../../../platform/db.ts';
import { send, serveInTest, startTestApi } from './support.ts';
import { perFile, folderPerTest } from '../../../testing/per-file.ts';

const api = perFile(startTestApi);

it('GET /health 200: the database and Temporal answer', async () => {
  expect(await api.call('GET', '/health')).toMatchObject({
    status: 200,
    body: { status: 'ok', database: 'ok', temporal: 'ok' },
  });
});

it('GET /health 503: says which of them does not', async () => {
  const connection = Connection.lazy({ address: '127.0.0.1:9' });
  const db = createDatabase('postgresql://none@127.0.0.1:9/none');
  const temporal = temporalClient(connection, { namespace: api.temporalNamespace }, api.config);
  for (const [parts, body] of [
    [
      { ...api, temporal },
      { database: 'ok', temporal: 'unreachable' },
    ],
    [
      { ...api, db },
      { database: 'unreachable', temporal: 'ok' },
    ],
  ] as const) {
    const server = await serveInTest(parts);
    const response = await fetch(`${server.url}/api/v1/health`);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ status: 'unavailable', ...body });
  }
  await closeDatabase(db);
  await connection.close();
});

it('the API refuses, where it is open, a name that is not this machine’s (DNS rebinding) and pages from elsewhere', async () => {
  const open = await serveInTest({ ...api, config: { ...api.config, auth: 'open' } });
  const foreign: Record<string, string>[] = [
    { host: 'evil.example' },
    { host: '127.0.0.1.evil.example:8420' },
    { host: '127.0.0.1', origin: 'http://evil.example' },
    { host: '127.0.0.1', origin: 'null' },
    { host: '127.0.0.1', 'sec-fetch-site': 'cross-site' },
    { host: '127.0.0.1', 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' },
  ];
  for (const headers of foreign) {
    for (const method of ['GET', 'POST']) {
      const answer = await send(`${open.url}/api/v1/decks`, headers, method);
      expect(answer, JSON.stringify(headers)).toMatchObject({ status: 400, type: 'application/problem+json' });
    }
  }
  const own = { host: 'localhost:1', origin: 'http://127.0.0.1:9000' };
  expect((await send(`${open.url}/api/v1/decks`, own)).status).toBe(200);
  // A person who follows a link, such as one in the Temporal UI.
  const link = { host: '127.0.0.1', 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
  expect((await send(`${open.url}/api/v1/decks`, link)).status).toBe(200);
  expect((await send(`${open.url}/api/v1/decks`, link, 'POST')).status).toBe(400);
});

it('the API lets no other page read an answer', async () => {
  const response = await fetch(`${api.url}/api/v1/decks`, {
    headers: { ...api.authorization, origin: 'http://127.0.0.1:9000' },
  });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
});

it('errors are problem documents for paths and methods that do not exist', async () => {
  for (const [method, path] of [
    ['GET', '/pages'],
    ['GET', '/api/v1/nothing'],
    ['DELETE', '/api/v1/health'],
  ] as const) {
    const response = await fetch(`${api.url}${path}`, { method, headers: api.authorization });
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({
      status: 404,
      code: 'not_found',
      instance: path,
      type: 'urn:deckhand:problem:not_found',
    });
  }
});

it('errors hide what is inside when the database is away', async () => {
  const db = createDatabase('postgresql://secret-user:secret-password@127.0.0.1:9/none');
  const server = await serveInTest({ ...api, db });
  const response = await fetch(`${server.url}/api/v1/decks`, { headers: api.authorization });
  expect(response.status).toBe(503);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ code: 'service_unavailable' });
  expect(text).not.toMatch(/secret|prisma|127\.0\.0\.1:9/i);
  await closeDatabase(db);
});

it('errors carry the id of their request', async () => {
  const own = await fetch(`${api.url}/api/v1/nothing`, {
    headers: { ...api.authorization, 'x-request-id': 'my-id-1' },
  });
  expect(own.headers.get('x-request-id')).toBe('my-id-1');
  const made = await fetch(`${api.url}/api/v1/nothing`, { headers: { ...api.authorization, 'x-request-id': 'a b' } });
  expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

it('the process serves, and ends on SIGTERM with exit code 0 although a client listens to events', async () => {
  const home = folderPerTest();
  const port = await getPort();
  const row = await api.analysisRow({ status: 'running', stage: 'slides' });
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../../api/main.ts', import.meta.url))], {
    stdio: 'ignore',
    env: {
      ...loadConfig().environment,
      DECKHAND_HOME: home,
      DATABASE_URL: api.databaseUrl,
      TEMPORAL_ADDRESS: api.temporalAddress,
      TEMPORAL_NAMESPACE: api.temporalNamespace,
      DECKHAND_API_PORT: String(port),
    },
  });
  const exit = once(child, 'exit');
  try {
    const url = `http://127.0.0.1:${port}/api/v1`;
    await vi.waitFor(async () => expect((await fetch(`${url}/health`)).status).toBe(200), {
      timeout: 20_000,
      interval: 100,
    });
    const events = await fetch(`${url}/analyses/${row.id}/events`, { headers: api.authorization });
    await events.body?.getReader().read();
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});
