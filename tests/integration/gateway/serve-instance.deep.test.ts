/**
 * Attachments against real Temporal and Postgres, with a gateway as a real process and the built-in reader as the machine's model server: served and
 * drained, cancelled, superseded, cut, handed over, late, without models or lost.
 */
import { afterEach, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { CALLS_OF_A_PROOF, gatewayProcess, machine, READER, SLOTS, startGatewayRig } from './support.ts';
import { perFile } from '../../../testing/per-file.ts';

const rig = perFile(startGatewayRig);
afterEach(() => rig.detachAll());

it('an instance passes its readiness check, serves the calls of a deck at full width with one kind of work and with both, and drains', async () => {
  await using reader = await machine(['--parallel', '16', '--call-seconds', '0.1']);
  await using _gateway = gatewayProcess(rig);
  const instance = await rig.attach('width', { endpoint: { kind: 'url', url: reader.host } });

  const proof = await instance.report((r) => r.kind === 'proved');
  const models = ['reader-text:1', 'reader-vision:1'];
  expect(proof).toMatchObject({ attachment: 7, facts: { models: models.map((name) => ({ name })) } });
  for (const model of proof.kind === 'proved' ? proof.facts.models : []) expect(model.vramBytes).toBeGreaterThan(0);
  const row = await instance.serving((r) => r.state === 'serving');
  expect(row).toMatchObject({ slots: SLOTS, attachment: 7, inFlight: 0, pullPercent: null });
  expect(row.models).toEqual(models);

  const first = await rig.deck('Alpha', 5);
  await reader.script({ callSeconds: 1 });
  const visual = await rig.review(first, { taskType: 'visual_analysis' });
  expect(visual.status).toBe('completed');
  expect(await reader.stats()).toMatchObject({ maxOpen: SLOTS });
  await reader.script({ callSeconds: 0.1 });

  // One deck's slides against another's text calls.
  const second = await rig.deck('Beta', 5);
  const both = await Promise.all([rig.review(first), rig.review(second)]);
  expect(both.map((r) => r.status)).toEqual(['completed', 'completed']);
  const { maxOpen, callsByTask } = await reader.stats();
  expect(maxOpen).toBe(SLOTS);
  expect(callsByTask).toMatchObject({ describe_slide: 10, slide_feedback: 10 });

  const calls = await rig.db.modelResult.count();
  const last = await instance.serving((r) => r.finishedCalls === calls && r.inFlight === 0);
  expect(last.lastCallAt).not.toBeNull();
  expect(await instance.drain()).toEqual({ reason: 'drained', callsCut: 0 });
  expect(await instance.row()).toBeNull();
});

it('cancellation lets the calls in flight finish and takes no more', async () => {
  await using reader = await machine(READER);
  await using _gateway = gatewayProcess(rig);
  const instance = await rig.attach('drained', { endpoint: { kind: 'url', url: reader.host } });
  await instance.serving((r) => r.state === 'serving');
  await reader.script({ callSeconds: 3 });
  const deck = await rig.deck('Gamma', 6);
  const review = rig.review(deck, { taskType: 'slide_feedback' });
  await instance.serving((r) => r.inFlight === SLOTS);

  expect(await instance.drain()).toEqual({ reason: 'drained', callsCut: 0 });
  const stats = await reader.stats();
  expect(stats).toMatchObject({ cancelled: 0, open: 0 });
  expect(stats.callsByTask['slide_feedback']).toBe(SLOTS);
  expect(await rig.db.modelCall.count({ where: { state: 'stored', analysis: { deckId: deck } } })).toBe(SLOTS);

  await reader.script({ callSeconds: 0.1 });
  const other = await rig.attach('after', { endpoint: { kind: 'url', url: reader.host } });
  expect((await review).status).toBe('completed');
  expect((await reader.stats()).repeatedInputs).toBe(CALLS_OF_A_PROOF);
  await other.drain();
});

it('a model that runs on the CPU is reported, and no call is routed to it', async () => {
  await using reader = await machine(READER);
  await using _gateway = gatewayProcess(rig);
  await reader.script({ rules: [{ match: { task: 'plain' }, fault: { cpuFallback: true, tokensPerSecond: 1000 } }] });
  const instance = await rig.attach('cpu', { endpoint: { kind: 'url', url: reader.host } });
  expect(await instance.report((r) => r.kind === 'failed')).toMatchObject({ failure: 'cpu_only', attachment: 7 });
  expect((await instance.row())?.state).not.toBe('serving');

  await instance.handle.signal('restart');
  const { restarts } = await until(() => instance.standIn()).is((s) => s.restarts.length > 0);
  expect(restarts[0]).toContain('reached by URL');
  await instance.drain();
});

it('an attachment whose run is over takes no more calls and finishes those in flight', async () => {
  await using reader = await machine(READER);
  await using _gateway = gatewayProcess(rig);
  const instance = await rig.attach('superseded', { endpoint: { kind: 'url', url: reader.host } });
  await instance.serving((r) => r.state === 'serving');
  // Longer than a gateway in a hurry would wait.
  await reader.script({ callSeconds: 6 });
  const review = rig.review(await rig.deck('Eta', 6), { taskType: 'slide_feedback' });
  await instance.serving((r) => r.inFlight === SLOTS);
  const before = await reader.stats();

  // As when the instance workflow goes on as a new run: the same attachment, asked for again.
  await instance.handle.terminate();
  const next = await rig.attach('superseded', { endpoint: { kind: 'url', url: reader.host } });
  expect((await review).status).toBe('completed');
  const { cancelled, repeatedInputs } = await reader.stats();
  expect(cancelled).toBe(before.cancelled);
  expect(repeatedInputs - before.repeatedInputs).toBe(CALLS_OF_A_PROOF);
  await next.drain();
});

it('calls that do not finish within the drain are cut, counted and repeated elsewhere', async () => {
  await using reader = await machine(READER);
  await using quick = await machine(['--parallel', '16']);
  await using _gateway = gatewayProcess(rig);
  const instance = await rig.attach('cut', { endpoint: { kind: 'url', url: reader.host }, drainTimeoutMs: 300 });
  await instance.serving((r) => r.state === 'serving');
  await reader.script({ callSeconds: 60 });
  const review = rig.review(await rig.deck('Delta', 6), { taskType: 'slide_feedback' });
  await instance.serving((r) => r.inFlight === SLOTS);
  expect(await instance.drain()).toEqual({ reason: 'drained', callsCut: SLOTS });

  const other = await rig.attach('uncut', { endpoint: { kind: 'url', url: quick.host } });
  expect((await review).status).toBe('completed');
  expect((await quick.stats()).callsByTask['slide_feedback']).toBe(6);
  await other.drain();
});

it('a gateway told to end hands its instance over, and the workflow does not take it for drained', async () => {
  await using reader = await machine(READER);
  await using first = gatewayProcess(rig);
  const instance = await rig.attach('handed', { endpoint: { kind: 'url', url: reader.host } });
  const before = await instance.serving((r) => r.state === 'serving');
  await using _second = gatewayProcess(rig);
  await first.kill('SIGTERM');
  await instance.serving((r) => r.state === 'serving' && r.gateway !== before.gateway);
  expect((await instance.handle.describe()).status.name).toBe('RUNNING');
  expect(await instance.drain()).toEqual({ reason: 'drained', callsCut: 0 });
});

it('one gateway serves several instances of the same class', async () => {
  await using one = await machine(READER);
  await using two = await machine(READER);
  await using _gateway = gatewayProcess(rig);
  const instances = await Promise.all(
    [one, two].map((m, i) => rig.attach(`side-${i}`, { endpoint: { kind: 'url', url: m.host } })),
  );
  for (const instance of instances) await instance.serving((r) => r.state === 'serving');
  expect((await rig.review(await rig.deck('Zeta', 10), { taskType: 'visual_analysis' })).status).toBe('completed');
  for (const m of [one, two]) expect((await m.stats()).callsByTask['describe_slide']).toBeGreaterThan(0);
  await Promise.all(instances.map((instance) => instance.drain()));
});

it('a machine that is not reachable in time is reported, and passes its readiness check when it comes', async () => {
  const reader = await machine(READER);
  const { host } = reader;
  await reader.stop();
  await using _gateway = gatewayProcess(rig);
  const instance = await rig.attach('late', { endpoint: { kind: 'url', url: host }, proveTimeoutMs: 1000 });
  expect(await instance.report((r) => r.kind === 'failed')).toMatchObject({ failure: 'unreachable' });
  await using _late = await machine([...READER, '--port', new URL(host).port]);
  await instance.report((r) => r.kind === 'proved');
  await instance.drain();
});

it('a machine without the models pulls them, with progress', async () => {
  await using reader = await machine([...READER, '--pull-ms', '4000']);
  for (const model of ['reader-text:1', 'reader-vision:1']) {
    await fetch(`${reader.host}/api/delete`, { method: 'DELETE', body: JSON.stringify({ model }) });
  }
  await using _gateway = gatewayProcess(rig);
  const instance = await rig.attach('pulls', { endpoint: { kind: 'url', url: reader.host } });
  const pulling = await instance.serving((r) => r.state === 'pulling' && (r.pullPercent ?? 0) > 0);
  expect(pulling.message).toMatch(/^pulling reader-/u);
  await instance.report((r) => r.kind === 'proved');
  await instance.drain();
});

it('a machine that dies while it serves is served again when it comes back', async () => {
  const reader = await machine(READER);
  await using _gateway = gatewayProcess(rig);
  const instance = await rig.attach('back', { endpoint: { kind: 'url', url: reader.host } });
  await instance.serving((r) => r.state === 'serving');
  await reader.stop();
  await instance.serving((r) => r.state === 'connecting');
  await using _again = await machine([...READER, '--port', new URL(reader.host).port]);
  await instance.serving((r) => r.state === 'serving');
  await instance.drain();
});

it('a gateway killed with -9 while serving is replaced by another; only the calls in flight repeat', async () => {
  await using reader = await machine(['--parallel', '16', '--call-seconds', '0.5']);
  await using first = gatewayProcess(rig);
  const instance = await rig.attach('killed', { endpoint: { kind: 'url', url: reader.host } });
  const before = await instance.serving((r) => r.state === 'serving');
  await using _second = gatewayProcess(rig);
  const review = rig.review(await rig.deck('Epsilon', 12));
  await until(() => reader.stats()).is((s) => s.completed >= 2 * SLOTS && s.open === SLOTS);
  await first.kill('SIGKILL');

  const after = await instance.serving((r) => r.state === 'serving' && r.gateway !== before.gateway);
  expect(after.startedAt).toEqual(before.startedAt);
  expect((await review).status).toBe('completed');
  const proofs = (await instance.reports()).filter((r) => r.kind === 'proved').length;
  const { repeatedInputs } = await reader.stats();
  expect(repeatedInputs - CALLS_OF_A_PROOF * (proofs - 1)).toBeLessThanOrEqual(SLOTS);
  expect(await instance.drain()).toEqual({ reason: 'drained', callsCut: 0 });
});
