/**
 * What the embedded servers are set to, how they are replaced by the user's own, and what is said when they cannot be had.
 */
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

function occupy(port: number): Promise<Server> {
  return new Promise((resolveListen, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolveListen(server));
  });
}

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
  const squatter = await occupy(port);
  try {
    const after = await home.start();
    expect(Number(new URL(after.databaseUrl).port)).not.toBe(port);
  } finally {
    squatter.close();
  }
});

it('the embedded servers are replaced by servers that are named', async () => {
  const theirs = await home.start();
  const ours = new TestHome({
    DATABASE_URL: theirs.databaseUrl,
    TEMPORAL_ADDRESS: theirs.temporalAddress,
    OLLAMA_HOST: '127.0.0.1:9',
  });
  try {
    const runtime = await ours.start();
    expect((await runtime.status()).children.map((child) => child.name)).toEqual(['echo']);
    expect(runtime.temporalUiUrl).toBeNull();
    expect(await (await fetch(runtime.apiUrl)).json()).toMatchObject({
      databaseUrl: theirs.databaseUrl,
      temporalAddress: theirs.temporalAddress,
      ollamaHost: 'http://127.0.0.1:9',
      home: ours.config.home,
    });
  } finally {
    await ours.remove();
  }
});

it.each([
  [
    'DATABASE_URL',
    'postgresql://none:nothing@127.0.0.1:1/none',
    /does not let us in: connect ECONNREFUSED 127\.0\.0\.1:1$/u,
  ],
  ['TEMPORAL_ADDRESS', '127.0.0.1:1', /127\.0\.0\.1:1 does not answer\.$/u],
])('a start that cannot succeed names %s and ends, leaving nothing behind', async (name, value, said) => {
  const broken = new TestHome({ [name]: value });
  try {
    await expect(broken.start()).rejects.toMatchObject({
      code: 'service_unavailable',
      userMessage: expect.stringMatching(said) as unknown,
      hint: expect.stringContaining(name) as unknown,
    });
  } finally {
    await broken.remove();
  }
});

it('a start that cannot succeed shows the last log lines of a supervisor that does not run', async () => {
  const broken = new TestHome();
  const start = startRuntime(broken.config, { models: 'reader', supervisorArgs: ['-e', 'throw new Error("no luck")'] });
  try {
    await expect(start).rejects.toMatchObject({
      code: 'service_unavailable',
      userMessage: expect.stringContaining('no luck') as unknown,
    });
  } finally {
    await broken.remove();
  }
});

// The last one: the directory is of no use afterwards.
it('a start that cannot succeed says that the password of an existing database is gone', async () => {
  await home.start();
  await stopRunningRuntime(home.config);
  rmSync(join(home.config.home, 'postgres-password'));
  await expect(home.start()).rejects.toMatchObject({ code: 'dependency_missing' });
});
