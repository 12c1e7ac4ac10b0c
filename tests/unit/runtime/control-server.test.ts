/** The supervisor's control port against whoever knows no token: real sockets, real time. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { apiKeyPrefix, isApiKey, newApiKey } from '../../../platform/api-key.ts';
import { loadConfig } from '../../../platform/config.ts';
import { clientApiKey, ensureOwnKey, ownKeyPath, readOwnKey } from '../../../platform/own-api-key.ts';
import { ControlClient } from '../../../runtime/control-client.ts';
import { ControlServer } from '../../../runtime/control-server.ts';

let server: ControlServer;
let port: number;
let sockets: Socket[];

beforeEach(async () => {
  server = new ControlServer({ onEnd: () => undefined, statuses: () => [] });
  port = await server.listen();
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

async function stranger(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  // Without a reader the end of the connection is never seen.
  socket.resume();
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const endOf = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('close', () => resolve());
  });

const command = async (): Promise<ControlClient> => {
  const client = await ControlClient.open({ pid: 1, startTime: '', port, token: server.token });
  if (client === undefined) throw new Error('the control port takes no connection');
  return client;
};

describe('the control port', () => {
  it('ends a connection that sends a line without end', async () => {
    const socket = await stranger();
    const closed = endOf(socket);
    for (let sent = 0; sent < 64 && !socket.destroyed; sent += 1) socket.write('x'.repeat(64 * 1024));
    await closed;
  });

  it('ends a connection that shows no token in time, and keeps one that did', async () => {
    const client = await command();
    expect(await client.ask('status', 'status')).toMatchObject({ holds: 0 });
    await endOf(await stranger());
    expect(await client.ask('status', 'status')).toMatchObject({ kept: false });
    client.close();
  });

  it('serves commands while many idle connections come, and keeps few of those', async () => {
    const idle = await Promise.all(Array.from({ length: 200 }, stranger));
    const client = await command();
    client.send('hold');
    await server.held;
    expect(await client.ask('status', 'status')).toMatchObject({ holds: 1 });
    await vi.waitFor(() => expect(idle.filter((socket) => !socket.closed).length).toBeLessThanOrEqual(32), {
      timeout: 10_000,
    });
    client.close();
  });

  it('ends a connection whose token is wrong or whose words are no request, and goes on', async () => {
    for (const words of [
      '{"token":"wrong","op":"stop"}\n',
      'GET / HTTP/1.1\r\n\r\n',
      `{"op":"${'x'.repeat(2000)}"}\n`,
    ]) {
      const socket = await stranger();
      socket.write(words);
      await endOf(socket);
    }
    const client = await command();
    const held = client.ask('status', 'status');
    expect(await held).toMatchObject({ holds: 0, children: [] });
    client.close();
  });
});

// The data directory's own key, and which key a client shows.
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'deckhand-key-'));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

it('an API key has 256 random bits and says its role', () => {
  const keys = Array.from({ length: 100 }, () => newApiKey('operator'));
  expect(new Set(keys).size).toBe(100);
  for (const key of keys) {
    expect(key).toMatch(/^dh_o_[\w-]{43}$/);
    expect(isApiKey(key)).toBe(true);
    expect(Buffer.from(key.slice(5), 'base64url')).toHaveLength(32);
  }
  expect(newApiKey('analyst')).toMatch(/^dh_a_/);
  expect(apiKeyPrefix(`dh_o_${'x'.repeat(43)}`)).toBe('dh_o_xxxxxx');
});

it('the own key of a data directory is made once, for its owner alone', () => {
  expect(readOwnKey(home)).toBeUndefined();
  const key = ensureOwnKey(home);
  expect(ensureOwnKey(home)).toBe(key);
  expect(readOwnKey(home)).toBe(key);
  expect(isApiKey(key)).toBe(true);
  expect(statSync(ownKeyPath(home)).mode & 0o777).toBe(0o600);
  expect(statSync(join(home, 'keys')).mode & 0o777).toBe(0o700);
});

it('the own key of a data directory is refused when the file holds something else, which is left alone', () => {
  ensureOwnKey(home);
  writeFileSync(ownKeyPath(home), 'not a key');
  expect(() => ensureOwnKey(home)).toThrowError(expect.objectContaining({ code: 'usage' }));
  expect(readFileSync(ownKeyPath(home), 'utf8')).toBe('not a key');
});

describe('the key that a client shows', () => {
  const keyOf = (environment: Record<string, string>): string | undefined =>
    clientApiKey(loadConfig({ HOME: home, DECKHAND_HOME: home, ...environment }));

  it('is the configured one, else that of the data directory, else none', () => {
    expect(keyOf({})).toBeUndefined();
    const own = ensureOwnKey(home);
    expect(keyOf({})).toBe(own);
    expect(keyOf({ DECKHAND_API_KEY: 'dh_a_other' })).toBe('dh_a_other');
  });

  it('is never this machine’s own for an API of another machine', () => {
    const own = ensureOwnKey(home);
    expect(keyOf({ DECKHAND_API_URL: 'https://deckhand.example' })).toBeUndefined();
    expect(keyOf({ DECKHAND_API_URL: 'http://127.0.0.1:8420' })).toBe(own);
    const theirs = { DECKHAND_API_URL: 'https://deckhand.example', DECKHAND_API_KEY: 'dh_a_x' };
    expect(keyOf(theirs)).toBe('dh_a_x');
    // What is meant for the other machine is not shown here, such as to a runtime that a command starts.
    const config = loadConfig({ HOME: home, DECKHAND_HOME: home, ...theirs });
    expect(clientApiKey(config, 'http://127.0.0.1:8420')).toBe(own);
  });
});
