/**
 * The settings of a model server change while its instance runs: they reach the gateway without a restart, and a permission to send slides out of
 * the network ends with its withdrawal.
 */
import { connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { perFile } from '../../testing/per-file.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile } from '../../testing/rig.ts';
import { listen } from '../../testing/server.ts';
import { until } from '../../testing/until.ts';

const MODEL = 'llava:7b';

const rig = rigPerFile({ template: 'short', readerArgs: ['--parallel', '16', '--also', `${MODEL}=vision`] });

/** In front of the reader: it counts the connections and bytes that come. */
const relay = perFile(async () => {
  const state = { connections: 0, bytes: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    state.connections += 1;
    const far = connect(Number(new URL(rig.reader.host).port), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => void (near.destroy(), far.destroy()));
    }
    near.on('data', (bytes: Buffer) => (state.bytes += bytes.length));
    near.pipe(far).pipe(near);
  });
  const port = await listen(server);
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  // This address is in none of the ranges of a network, and leads to this machine.
  return Object.assign(state, { url: `http://0.0.0.0:${port}`, stop });
});

const put = (settings: object) =>
  rig.client.PUT('/models/servers/{name}', {
    params: { path: { name: 'far' } },
    body: { url: relay.url, dataLeavesHost: false, ...settings },
  });
const serving = () => rig.db.instanceServing.findFirst({ where: { instance: { pool: 'far', endedAt: null } } });
const gatewayPid = () => rig.pidOf('gateway');
const start = async (company: string): Promise<string> =>
  (await rig.client.startAnalysis(await rig.upload(await plainDeck(company), `${company}.pdf`), { models: 'far' }))
    .analysisId;

it('a server that is allowed answers a deck', async () => {
  await put({ dataLeavesHost: true });
  await rig.client.PUT('/models/entries', { body: { name: MODEL, server: 'far', seesPictures: true } });
  await rig.client.PUT('/models/profiles/{name}', {
    params: { path: { name: 'far' } },
    body: { models: { 'gpu-visual': MODEL, 'gpu-text': MODEL } },
  });
  await until(serving).is((row) => row?.state === 'serving');
  const analysisId = await start('Fernweh');
  await rig.ended(analysisId);
  const report = await rig.client.report(analysisId);
  expect(report.status).toBe('completed');
  expect(report.slides[0]?.descriptionProvenance).toMatchObject({ model: MODEL });
  expect(relay.connections).toBeGreaterThan(0);
});

it('another number of calls and another protocol count without a restart', async () => {
  const pid = await gatewayPid();
  await put({ dataLeavesHost: true, parallel: 7 });
  await until(serving).is((row) => row?.state === 'serving' && row.slots === 7);
  // In another protocol the server shows another digest of the model, which no operator accepted.
  await put({ dataLeavesHost: true, parallel: 3, kind: 'openai' });
  await until(serving).is((row) => row?.slots === 3 && row.message?.includes(`${MODEL} is pinned to`) === true);
  await put({ dataLeavesHost: true, parallel: 5 });
  await until(serving).is((row) => row?.state === 'serving' && row.slots === 5);
  expect(await gatewayPid()).toBe(pid);
});

it('calls in flight are cut when the permission is withdrawn, no byte leaves afterwards, and the status says why', async () => {
  // Longer than the test: only a cut ends them.
  await rig.reader.script({ callSeconds: 600 });
  const analysisId = await start('Heimkehr');
  await until(serving).is((row) => (row?.inFlight ?? 0) > 0);
  await put({});
  const refused = await until(serving).is((row) => row?.message?.includes('outside your network') === true);
  expect(refused).toMatchObject({ state: 'connecting', message: expect.stringContaining('0.0.0.0') as unknown });
  const { bytes, connections } = relay;
  await until(async () => (await rig.reader.stats()).open).is(0);
  // Nor after the gateway began anew, with what its workflows have.
  process.kill(await gatewayPid(), 'SIGKILL');
  const { seenAt } = refused ?? { seenAt: new Date() };
  await until(serving).is(
    (row) =>
      row !== null &&
      row.gateway !== refused?.gateway &&
      row.seenAt > seenAt &&
      row.message?.includes('outside your network') === true,
  );
  expect({ bytes: relay.bytes, connections: relay.connections }).toEqual({ bytes, connections });
  // The waiting deck goes on once slides may leave again.
  await rig.reader.script({});
  await put({ dataLeavesHost: true });
  await rig.ended(analysisId);
  expect((await rig.client.report(analysisId)).status).toBe('completed');
});
