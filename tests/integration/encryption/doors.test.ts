/**
 * No one commands Deckhand without a key through Temporal: what a foreign web page can send reaches none of its ports, and what is started in
 * clear does nothing. Signals have `signals-in-clear.deep.test.ts`.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { request } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLoopbackHost } from '../../../platform/loopback.ts';
import { CONTROL_QUEUE } from '../../../contracts/queues.ts';
import { DELETION_WORKFLOW, type DeletionInput } from '../../../contracts/deletion.ts';
import { plainDeck } from '../../../testing/plain-deck.ts';
import { startRig } from '../../../testing/rig.ts';
import { failureOf } from './workflow-failure.ts';
import { perFile } from '../../../testing/per-file.ts';

/** `address:port` of everything that the embedded Temporal of a data directory listens on, from /proc. */
function portsOfTemporal(home: string): string[] {
  const sockets = new Set<string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/u.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (!command[0]?.endsWith('temporal') || !command.some((word) => word.includes(home))) continue;
      for (const fd of readdirSync(`/proc/${pid}/fd`)) sockets.add(readlinkSync(`/proc/${pid}/fd/${fd}`));
    } catch {
      // The process, or one of its descriptors, is gone meanwhile.
    }
  }
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  return lines.flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/u);
    if (state !== '0A' || !sockets.has(`socket:[${inode}]`)) return [];
    const [address = '', port = ''] = local.split(':');
    const bytes = (address.match(/../gu) ?? []).toReversed().map((byte) => Number.parseInt(byte, 16));
    return [`${bytes.join('.')}:${Number.parseInt(port, 16)}`];
  });
}

/** Sends what a browser would, with headers that `fetch` does not let one set. Status of the answer; 0 where none is HTTP. */
function statusOf(
  at: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<number> {
  return new Promise((resolve) => {
    const method = body === undefined ? 'GET' : 'POST';
    const outgoing = request(`http://${at}${target}`, { method, headers, agent: false, timeout: 5000 }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.once('timeout', () => outgoing.destroy());
    outgoing.once('error', () => resolve(0));
    outgoing.end(body);
  });
}

const payloadOf = (value: unknown): Record<string, unknown> => ({
  metadata: { encoding: Buffer.from('json/plain').toString('base64') },
  data: Buffer.from(JSON.stringify(value)).toString('base64'),
});

/** What the HTTP API takes to start the deletion of a deck. */
const deletionOf = (deckId: string): string =>
  JSON.stringify({
    workflowType: { name: DELETION_WORKFLOW },
    taskQueue: { name: CONTROL_QUEUE },
    input: { payloads: [payloadOf({ tenantId: 'default', deckId } satisfies DeletionInput)] },
  });

let deckId: string;
/** A client that knows no key: it sends in clear. */
let stranger: Client;
const rig = perFile(startRig);
beforeAll(async () => {
  deckId = await rig.upload(await plainDeck('Pulsara'), 'pulsara.pdf');
  const { temporalAddress: address, temporalNamespace: namespace } = rig.runtime;
  stranger = new Client({ connection: await Connection.connect({ address }), namespace });
});
afterAll(() => stranger.connection.close());

it('no port that a web page can find takes a command or shows a run, whatever Host and Origin say', async () => {
  const ports = portsOfTemporal(rig.config.home);
  // gRPC of the services, the HTTP API, metrics and the UI.
  expect(ports.length).toBeGreaterThanOrEqual(6);
  const front = new URL(rig.runtime.temporalUiUrl ?? '').host;
  const doors = [...ports.filter((at) => at.startsWith('127.0.0.1:')), front];
  // What the front passes on goes to an address that a page would have to guess.
  expect(ports.filter((at) => !doors.includes(at)).map((at) => isLoopbackHost(at))).toEqual([true]);
  const start = (name: string): string => `/api/v1/namespaces/default/workflows/${name}`;
  let attempt = 0;
  for (const at of doors) {
    for (const headers of [
      // A simple request of a page, a form, and a page whose name resolves to this machine.
      { host: at, origin: 'http://evil.example', 'content-type': 'text/plain' },
      { host: at, origin: 'null', 'content-type': 'text/plain' },
      { host: 'evil.example', origin: 'http://evil.example', 'content-type': 'application/json' },
      { host: 'evil.example', origin: 'http://evil.example', authorization: 'x', 'content-type': 'application/json' },
      { host: 'evil.example', 'content-type': 'text/plain' },
    ]) {
      const name = `evil-${(attempt += 1)}`;
      const status = await statusOf(at, start(name), headers, deletionOf(deckId));
      expect([0, 403, 404, 405, 415], `${at} ${JSON.stringify(headers)}`).toContain(status);
      await expect(stranger.workflow.getHandle(name).describe()).rejects.toThrow(WorkflowNotFoundError);
      const list = '/api/v1/namespaces/default/workflows?query=';
      if (headers.host !== at) expect([0, 403, 404]).toContain(await statusOf(at, list, { host: headers.host }));
    }
  }
  expect((await rig.client.GET('/decks/{id}', { params: { path: { id: deckId } } })).id).toBe(deckId);
  // The operator's browser is let in, and what it is served is the UI.
  expect(await statusOf(front, '/api/v1/namespaces', { host: front })).toBe(200);
});

it('a workflow that is started in clear fails before it does anything', async () => {
  const run = await stranger.workflow.start(DELETION_WORKFLOW, {
    workflowId: 'clear-deletion',
    taskQueue: CONTROL_QUEUE,
    args: [{ tenantId: 'default', deckId } satisfies DeletionInput],
  });
  expect(await failureOf(rig.temporal.workflow.getHandle(run.workflowId).result())).toBe('payload_in_clear');
  const { events } = await run.fetchHistory();
  expect(events?.some((event) => event.activityTaskScheduledEventAttributes)).toBe(false);
  expect((await rig.client.GET('/decks/{id}', { params: { path: { id: deckId } } })).id).toBe(deckId);
});
