/**
 * What the embedded servers are set to, how they are replaced by the user's own, and what is said when they cannot be had.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startRuntime, stopRunningRuntime } from '../../../runtime/runtime.ts';
import { SEARCH_ATTRIBUTES } from '../../../domain/temporal/search-attributes.ts';
import { applyTemporalSettings } from '../../../runtime/temporal-settings.ts';
import { query, TestHome } from './support.ts';

/** One data directory for all: a start joins the servers that run. */
let home: TestHome;

beforeAll(() => {
  home = new TestHome();
});
afterAll(() => home.remove());

it('the embedded servers are a durable Postgres 18 on loopback that asks its password, and a Temporal with our search attributes and a month of history', async () => {
  const runtime = await home.start();
  expect(await query(runtime, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
  expect(await query(runtime, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
  expect(await query(runtime, 'select current_database() as name')).toEqual([{ name: 'deckhand' }]);
  expect(await query(runtime, 'show server_version')).toEqual([
    { server_version: expect.stringMatching(/^18\./) as unknown },
  ]);

  const connection = await Connection.connect({ address: runtime.temporalAddress });
  try {
    const described = await connection.workflowService.describeNamespace({ namespace: 'default' });
    expect(Number(described.config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 3600);
    const listed = await connection.operatorService.listSearchAttributes({ namespace: 'default' });
    expect(Object.keys(listed.customAttributes ?? {})).toEqual(expect.arrayContaining([...SEARCH_ATTRIBUTES]));
  } finally {
    await connection.close();
  }
  // A second application changes nothing and is refused nothing.
  expect(await applyTemporalSettings(runtime.temporalAddress, 'default')).toEqual([]);
  expect((await fetch(runtime.temporalUiUrl ?? '')).status).toBe(200);

  // The data directory and the password are their owner's.
  expect(statSync(runtime.home).mode & 0o777).toBe(0o700);
  const passwordFile = join(runtime.home, 'postgres-app-password');
  expect(statSync(passwordFile).mode & 0o777).toBe(0o600);
  expect(readFileSync(passwordFile, 'utf8').trim()).toBe(new URL(runtime.databaseUrl).password);
  const wrong = { ...runtime, databaseUrl: runtime.databaseUrl.replace(/:[^:@]+@/, ':wrong@') };
  await expect(query(wrong, 'select 1')).rejects.toThrow('password authentication failed');
});

it('the embedded servers take other ports when theirs have been taken since', async () => {
  const before = await home.start();
  await stopRunningRuntime(home.config);
  const port = Number(new URL(before.databaseUrl).port);
  const squatter = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void squatter.close());
  await once(squatter, 'listening');
  const after = await home.start();
  expect(Number(new URL(after.databaseUrl).port)).not.toBe(port);
});

it('the embedded servers are replaced by servers that are named', async () => {
  const theirs = await home.start();
  await using ours = new TestHome({
    DATABASE_URL: theirs.databaseUrl,
    TEMPORAL_ADDRESS: theirs.temporalAddress,
    OLLAMA_HOST: '127.0.0.1:9',
  });
  const runtime = await ours.start();
  expect((await runtime.status()).children.map((child) => child.name)).toEqual(['echo']);
  expect(runtime.temporalUiUrl).toBeNull();
  expect(await (await fetch(runtime.apiUrl)).json()).toMatchObject({
    databaseUrl: theirs.databaseUrl,
    temporalAddress: theirs.temporalAddress,
    ollamaHost: 'http://127.0.0.1:9',
    home: ours.config.home,
  });
});

it.each([
  [
    'DATABASE_URL',
    'postgresql://none:nothing@127.0.0.1:1/none',
    /does not let us in: connect ECONNREFUSED 127\.0\.0\.1:1$/u,
  ],
  ['TEMPORAL_ADDRESS', '127.0.0.1:1', /127\.0\.0\.1:1 does not answer\.$/u],
])('a start that cannot succeed names %s and ends, leaving nothing behind', async (name, value, said) => {
  await using broken = new TestHome({ [name]: value });
  await expect(broken.start()).rejects.toMatchObject({
    code: 'service_unavailable',
    userMessage: expect.stringMatching(said) as unknown,
    hint: expect.stringContaining(name) as unknown,
  });
});

it('a start that cannot succeed shows the last log lines of a supervisor that does not run', async () => {
  await using broken = new TestHome();
  const start = startRuntime(broken.config, { models: 'reader', supervisorArgs: ['-e', 'throw new Error("no luck")'] });
  await expect(start).rejects.toMatchObject({
    code: 'service_unavailable',
    userMessage: expect.stringContaining('no luck') as unknown,
  });
});

// The last one: the directory is of no use afterwards.
it('a start that cannot succeed says that the password of an existing database is gone', async () => {
  await home.start();
  await stopRunningRuntime(home.config);
  rmSync(join(home.config.home, 'postgres-password'));
  await expect(home.start()).rejects.toMatchObject({ code: 'dependency_missing' });
});
