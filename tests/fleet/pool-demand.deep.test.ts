/**
 * From a deck to a machine and back: what is uploaded has a GPU rented, what is known or cancelled does not, what is idle sleeps, what comes
 * again wakes it; and operators can intervene.
 */
import { expect, it } from 'vitest';
import { QUICK_SCENARIO, quickPool, startFleetRig } from '../../testing/fleet-rig.ts';
import { drawPlainDeck, plainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { until } from '../../testing/until.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { perFile } from '../../testing/per-file.ts';

const POOL = quickPool();

// A pool that remembers stock would try to rent what is sold out.
const rig = perFile(() =>
  startFleetRig({ servers: sharedServers, scenario: QUICK_SCENARIO, pools: [POOL], availabilityTtlMs: 1 }),
);

const creates = (): number => rig.provider.calls.filter((call) => call === 'POST /instances').length;
const fleet = () => rig.client.GET('/fleet');
const instances = async () => (await fleet()).pools[0]?.instances ?? [];
const analysis = (id: string) => rig.client.GET('/analyses/{id}', { params: { path: { id } } });
const operate = (name: string, request: 'uncordon' | 'wake' | 'destroy') =>
  rig.client.POST('/fleet/instances/{name}/{request}', { params: { path: { name, request } } });
/** Waits until nothing is awake and the pool wants nothing. */
const asleep = () =>
  until(() => fleet()).is(
    ({ pools }) =>
      pools[0]?.target === 0 && pools[0].instances.every((i) => i.phase === 'suspended' || i.phase === 'gone'),
  );

it('a deck at zero has a machine rented, is served by it, and the machine sleeps when it is idle', async () => {
  const deckId = await rig.upload(await plainDeck('Cardiana'), 'cardiana.pdf');
  const report = await rig.review(deckId);
  expect(report.status).toBe('completed');
  expect(creates()).toBe(1);
  await asleep();
  const [slept] = await instances();
  expect(slept).toMatchObject({ pool: 'visual', phase: 'suspended', offer: expect.stringMatching(/^datacrunch\//u) });
  expect(slept?.costUsd).toBeGreaterThan(0);
  rig.provider.core.settle();
  expect(rig.provider.core.allInstances().filter((machine) => machine.phase !== 'gone')).toEqual([]);
});

it('the same deck again is answered from what is stored: nothing wakes', async () => {
  const before = creates();
  const [slept] = await instances();
  const deckId = await rig.upload(await plainDeck('Cardiana'), 'cardiana.pdf');
  const report = await rig.review(deckId);
  expect(report.status).toBe('completed');
  const { modelCalls } = (await analysis(report.analysisId)).progress;
  expect(modelCalls).toBe(0);
  expect(creates()).toBe(before);
  expect(await instances()).toMatchObject([{ name: slept?.name, phase: 'suspended', since: slept?.since }]);
});

it('another deck wakes the machine that sleeps', async () => {
  const [slept] = await instances();
  const report = await rig.review(await rig.upload(await plainDeck('Pulmora'), 'pulmora.pdf'));
  expect(report.status).toBe('completed');
  const history = await rig.client.GET('/fleet/instances/{name}', { params: { path: { name: slept?.name ?? '' } } });
  expect(history.transitions.map((t) => t.to)).toContain('waking');
  expect((await rig.db.fleetInstance.findMany()).map((i) => i.name)).toEqual([slept?.name]);
  await asleep();
});

it('an operator destroys what sleeps, and is told when something cannot be', async () => {
  const [slept] = await instances();
  const name = slept?.name ?? '';
  await expect(operate(name, 'uncordon')).rejects.toMatchObject({ code: 'conflict' });
  await expect(operate('unknown', 'wake')).rejects.toMatchObject({ code: 'not_found' });
  await operate(name, 'destroy');
  await rig.reaches(name, 'gone');
  await expect(operate(name, 'destroy')).rejects.toMatchObject({ code: 'conflict' });
  expect(await instances()).toEqual([]);
  rig.provider.core.settle();
  expect(rig.provider.core.volumes().filter((v) => v.status !== 'purged')).toEqual([]);
});

it('a deck that is cancelled with 30 slides queued at zero GPUs causes no create, also when machines come', async () => {
  const before = creates();
  rig.provider.core.setStock([{ types: '*', count: 0 }]);
  const slides = Array.from({ length: 6 }, (_, n) => plainSlides(`Renovia${n}`)).flat();
  const deckId = await rig.upload(await drawPlainDeck(slides), 'renovia.pdf');
  const { analysisId } = await rig.client.startAnalysis(deckId, { models: 'reader' });
  await until(() => rig.db.modelCall.count({ where: { analysisId, state: 'planned' } })).is(60);
  // The pool may not have looked yet: until then the review waits for no machine by name.
  const rented = /^a model host for images: visual-\d+-\w+ is being rented/u;
  await until(() => analysis(analysisId)).is(({ progress }) => rented.test(progress.waitingFor ?? ''));

  await rig.client.POST('/analyses/{id}/cancel', { params: { path: { id: analysisId } } });
  await until(() => analysis(analysisId)).is((status) => status.status === 'cancelled');
  const isGivenUp = () => until(() => fleet()).is(({ pools }) => pools[0]?.target === 0 && !pools[0].instances.length);
  // A rental that the pool has not given up yet may still get a machine.
  await isGivenUp();
  rig.provider.core.setStock([{ types: '*', count: null }]);
  await isGivenUp();
  expect(creates()).toBe(before);
  // The next deck is the one that the machines are for.
  const report = await rig.review(await rig.upload(await plainDeck('Tessaro'), 'tessaro.pdf'));
  expect(report.status).toBe('completed');
  expect(creates()).toBe(before + 1);
});
