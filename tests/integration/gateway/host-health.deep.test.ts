/**
 * Health as a gateway measures it over the host queue of an attached machine: real Temporal and Postgres, the built-in reader as model server.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startReaderProcess, type ReaderProcess } from '../../../testing/rig.ts';
import { until } from '../../../testing/until.ts';
import { SLOTS, startGatewayRig, type AttachedInstance, type GatewayProcess } from './support.ts';
import { perFile } from '../../../testing/per-file.ts';

const READY_PROBES = 3;
const LONG_MS = 20_000;

let gateway: GatewayProcess;
let reader: ReaderProcess;
const rig = perFile(startGatewayRig);
beforeEach(async () => {
  gateway = rig.startGateway();
  reader = await startReaderProcess(['--parallel', '16']);
});
afterEach(async () => {
  await rig.detachAll();
  await gateway.kill('SIGKILL');
  await reader.stop();
});

async function serving(name: string): Promise<AttachedInstance> {
  const instance = await rig.attach(name, { endpoint: { kind: 'url', url: reader.host } });
  await instance.serving((r) => r.state === 'serving');
  return instance;
}

it('a server reached by URL: its models and calls are measured, and that there is no shell is said', async () => {
  const instance = await serving('by-url');
  const measured = await instance.measure();
  expect(measured).toMatchObject({
    gpus: null,
    gpuMessage: null,
    withoutShell: true,
    diskFreeBytes: null,
    calls: { inFlight: 0, stalledInARow: 0, oldestCallAtMs: null },
  });
  expect(measured.models.map((m) => m.name).toSorted()).toEqual(['reader-text:1', 'reader-vision:1']);
  for (const { sizeBytes, vramBytes } of measured.models) expect(vramBytes).toBe(sizeBytes);
});

it('probes generate with every model in turn and are no activity', async () => {
  const instance = await serving('probed');
  const before = await instance.serving((r) => r.state === 'serving');
  const asked = async (): Promise<number> => (await reader.stats()).callsByTask['plain'] ?? 0;
  const sofar = await asked();
  for (let i = 0; i < READY_PROBES; i += 1) {
    const probe = await instance.probe(LONG_MS);
    expect(probe).toMatchObject({ kind: 'answered' });
    expect(probe.kind === 'answered' && (probe.vramBytes ?? 0) > 0).toBe(true);
  }
  expect(await asked()).toBe(sofar + READY_PROBES);
  const { calls } = await instance.measure();
  expect(calls).toMatchObject({ inFlight: 0, lastCallAtMs: null, lastProgressAtMs: null });
  const after = await instance.serving((r) => r.seenAt > before.seenAt);
  expect(after).toMatchObject({ inFlight: 0, finishedCalls: 0, lastCallAt: null, lastProgressAt: null });
});

it('a wedged runner fails its probe within the limit, and one on the CPU shows it', async () => {
  const instance = await serving('faulty');
  await reader.script({ rules: [{ match: {}, fault: { wedge: true } }] });
  const wedged = await instance.probe(500);
  expect(wedged).toMatchObject({ kind: 'failed' });
  expect(wedged.kind === 'failed' && wedged.message).toContain('did not answer within 500 ms');
  // Its list is as green as ever.
  expect((await instance.measure()).models.every((m) => (m.vramBytes ?? 0) > 0)).toBe(true);

  await reader.script({ rules: [{ match: {}, fault: { cpuFallback: true, tokensPerSecond: 1000 } }] });
  expect(await instance.probe(LONG_MS)).toMatchObject({ kind: 'answered', vramBytes: 0 });
  expect((await instance.measure()).models.some((m) => m.vramBytes === 0)).toBe(true);
});

it('a server that refuses a probe because it serves others has no fault, nor have calls that wait for it', async () => {
  const instance = await serving('shared');
  await reader.script({ rules: [{ fault: { status: 503 } }] });
  expect(await instance.probe(LONG_MS)).toMatchObject({ kind: 'busy' });
  const before = await reader.stats();
  const review = rig.review(await rig.deck('Shared', SLOTS + 1), { taskType: 'visual_analysis' });
  await until(() => reader.stats()).is(({ faults }) => faults - before.faults >= SLOTS);
  const { calls } = await until(() => instance.measure()).is((sample) => sample.calls.inFlight === 0);
  expect(calls.oldestCallAtMs).toBeNull();
  await reader.script({});
  expect((await review).gaps).toEqual([]);
});

it('calls that hang keep probes away and show no progress; once they are answered they do', async () => {
  const instance = await serving('hanging');
  await reader.script({ rules: [{ match: { task: 'describe_slide' }, fault: { wedge: true } }] });
  const review = rig.review(await rig.deck('Hanging', SLOTS + 1), { taskType: 'visual_analysis' });
  const busy = await until(() => instance.measure()).is(({ calls }) => calls.inFlight === SLOTS);
  expect(busy.calls.lastProgressAtMs).toBeNull();
  expect(busy.calls.oldestCallAtMs).not.toBeNull();
  expect(await instance.probe(LONG_MS)).toMatchObject({ kind: 'busy' });

  // The server is restarted: its calls end and are repeated.
  await reader.script({});
  const port = Number(new URL(reader.host).port);
  await reader.stop();
  reader = await startReaderProcess(['--parallel', '16', '--port', String(port)]);
  expect((await review).status).toBe('completed');
  const { calls } = await instance.measure();
  expect(calls).toMatchObject({ inFlight: 0, stalledInARow: 0, oldestCallAtMs: null });
  expect(calls.lastProgressAtMs).toBeGreaterThan(busy.atMs);
  const row = await instance.serving((r) => r.lastProgressAt !== null);
  expect(row.stalledInARow).toBe(0);
});

it('an instance is diagnosed over the API: what can be looked at is judged, the rest is named, and an instance without a gateway is refused', async () => {
  const instance = await serving('diagnosed');
  const report = await rig.client.POST('/fleet/instances/{name}/diagnosis', {
    params: { path: { name: 'diagnosed' } },
  });
  expect(report).toMatchObject({ target: 'diagnosed', level: 'ok' });
  const levels = Object.fromEntries(report.findings.map(({ name, level }) => [name, level]));
  expect(levels).toMatchObject({ driver: 'skipped', Ollama: 'ok', generation: 'ok' });
  expect(report.findings.find((f) => f.name === 'Ollama')?.found).toContain('built-in reader');
  const { lastCallAt } = await instance.serving((r) => r.state === 'serving');
  expect(lastCallAt).toBeNull();

  await expect(
    rig.client.POST('/fleet/instances/{name}/diagnosis', { params: { path: { name: 'unknown' } } }),
  ).rejects.toMatchObject({ code: 'not_found' });
  await instance.drain();
  await expect(
    rig.client.POST('/fleet/instances/{name}/diagnosis', { params: { path: { name: 'diagnosed' } } }),
  ).rejects.toMatchObject({ code: 'conflict' });
});
