/**
 * A spot machine that is taken back while a deck is reviewed, through Temporal, gateways and simulated machines: the notice is read at the
 * machine, its calls end or are made again elsewhere, and another instance takes its place.
 */
import { beforeAll, expect, it } from 'vitest';
import { EVICTED, NOTICED } from '../../domain/fleet/instance-life/running.ts';
import { quickPool } from '../../testing/fleet-rig.ts';
import { startMachineRig } from '../../testing/fleet/machine-rig.ts';
import { perFile } from '../../testing/per-file.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { until } from '../../testing/until.ts';

const POOL = quickPool({
  min: 2,
  max: 3,
  spotRatio: 1,
  sleepPolicy: 'never',
  timing: { tickMs: 500, idleTickMs: 1000, bootPollMaxMs: 500, upDelayMs: 600_000 },
});

const rig = perFile(() =>
  startMachineRig({
    servers: sharedServers,
    scenario: {
      name: 'evictions',
      boot: { orderedSec: 0.1, provisioningSec: [0.1, 0.4], startSec: 0.2 },
      end: { stopSec: 0.1, deleteSec: [0.1, 0.4], diskLingerSec: 0 },
      spot: { noticeSec: 20 },
      stock: [{ types: '*', count: null }],
      modelServer: { pullMs: 10, loadMs: 10, callSeconds: 0.4 },
    },
    pools: [POOL],
    environment: { DECKHAND_MODEL_CONCURRENCY: '2' },
  }),
);

const ready = () => rig.db.fleetInstance.findMany({ where: { phase: 'ready' }, orderBy: { name: 'asc' } });
beforeAll(async () => {
  await until(ready).is((rows) => rows.length === 2);
});

it('a notice cordons the machine at once, another instance replaces it, and no call of the deck is lost', async () => {
  const before = (await ready()).map((row) => row.name);
  expect((await ready()).map((row) => row.offerKey?.split('/').at(-1))).toEqual(['spot', 'spot']);
  const deckId = await rig.upload(await drawPlainDeck(plainSlides('Taken back')), 'Taken back.pdf');
  const { analysisId } = await rig.client.startAnalysis(deckId, { models: 'reader' });
  const busy = await until(() =>
    rig.db.instanceServing.findFirst({ where: { inFlight: { gt: 0 }, finishedCalls: { gt: 0 } } }),
  ).is((row) => row !== null);
  const name = busy?.instanceName ?? '';
  await rig.evict(name);

  const rows = await until(() =>
    rig.db.instanceTransition.findMany({ where: { instanceName: name }, orderBy: { position: 'asc' } }),
  ).is((all) => all.some((row) => row.toPhase === 'gone'));
  const phases = rows.map((row) => row.toPhase);
  expect(phases.slice(phases.indexOf('cordoned'))).toEqual(['cordoned', 'destroying', 'gone']);
  expect(rows.find((row) => row.toPhase === 'cordoned')?.reason).toContain(NOTICED);
  expect(rows.find((row) => row.toPhase === 'destroying')?.reason).toBe(EVICTED);

  await rig.ended(analysisId);
  const { status } = await rig.db.analysis.findUniqueOrThrow({ where: { id: analysisId } });
  expect(status).toBe('completed');
  const calls = await rig.db.modelCall.findMany({ where: { analysisId } });
  expect(calls.filter((call) => call.state !== 'stored')).toEqual([]);
  const after = await until(ready).is((now) => now.length === 2);
  expect(after.filter((row) => !before.includes(row.name))).toHaveLength(1);
  const block = await rig.db.offerBlock.findUnique({
    where: { scopeKey: rows.find((r) => r.toPhase === 'ready')?.offerKey ?? '' },
  });
  expect(block === null || block.message === EVICTED).toBe(true);
});
