/** The supervisor's control port against callers without a token: real sockets, real time. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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

it('the control port ends a connection that sends a line without end', async () => {
  const socket = await stranger();
  const closed = endOf(socket);
  for (let sent = 0; sent < 64 && !socket.destroyed; sent += 1) socket.write('x'.repeat(64 * 1024));
  await closed;
});

it('the control port ends a connection that shows no token in time, and keeps one that did', async () => {
  const client = await command();
  expect(await client.ask('status', 'status')).toMatchObject({ holds: 0 });
  await endOf(await stranger());
  expect(await client.ask('status', 'status')).toMatchObject({ kept: false });
  client.close();
});

it('the control port serves commands while many idle connections come, and keeps few of those', async () => {
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

it('the control port ends a connection whose token is wrong or whose words are no request, and goes on', async () => {
  for (const words of ['{"token":"wrong","op":"stop"}\n', 'GET / HTTP/1.1\r\n\r\n', `{"op":"${'x'.repeat(2000)}"}\n`]) {
    const socket = await stranger();
    socket.write(words);
    await endOf(socket);
  }
  const client = await command();
  const held = client.ask('status', 'status');
  expect(await held).toMatchObject({ holds: 0, children: [] });
  client.close();
});
