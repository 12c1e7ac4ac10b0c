/**
 * Attachments against real Temporal and Postgres, with a gateway as a real process and the built-in reader as the machine's model server.
 */
import { afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../../../testing/until.ts';
import { CALLS_OF_A_PROOF, machine, READER, SLOTS, startGatewayRig } from './support.ts';
import { perFile } from '../../../testing/per-file.ts';

const rig = perFile(startGatewayRig);
beforeAll(() => void rig.startGateway());
afterEach(() => rig.detachAll());

it('an instance passes its readiness check, serves the calls of a deck at full width with one kind of work and with both, and drains', async () => {
  await using reader = await machine(['--parallel', '16', '--call-seconds', '0.1']);
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
  await reader.script({ rules: [{ match: { task: 'plain' }, fault: { cpuFallback: true, tokensPerSecond: 1000 } }] });
  const instance = await rig.attach('cpu', { endpoint: { kind: 'url', url: reader.host } });
  expect(await instance.report((r) => r.kind === 'failed')).toMatchObject({ failure: 'cpu_only', attachment: 7 });
  expect((await instance.row())?.state).not.toBe('serving');

  await instance.handle.signal('restart');
  const { restarts } = await until(() => instance.standIn()).is((s) => s.restarts.length > 0);
  expect(restarts[0]).toContain('reached by URL');
  await instance.drain();
});
