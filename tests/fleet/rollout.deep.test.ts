/**
 * Blue-green over two rented pools, of which one takes only what a rollout sends to it: it buys nothing for other decks, and finishes what
 * began in the rollout after it was taken back.
 */
import { expect, it } from 'vitest';
import { QUICK_SCENARIO, quickPool, startFleetRig } from '../../testing/fleet-rig.ts';
import { perFile } from '../../testing/per-file.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { until } from '../../testing/until.ts';

const rig = perFile(() =>
  startFleetRig({
    servers: sharedServers,
    scenario: QUICK_SCENARIO,
    accounting: { settleIntervalMs: 1000 },
    pools: [quickPool({ name: 'blue' }), quickPool({ name: 'green', ownQueues: true })],
  }),
);

const READING = { taskType: 'visual_analysis' } as const;
const twoSlides = (company: string) => drawPlainDeck(plainSlides(company).slice(0, 2));

/** Pools whose instances answered the calls of an analysis. */
async function poolsOf(analysisId: string): Promise<string[]> {
  const attempts = await rig.db.callAttempt.findMany({ where: { analysisId, outcome: 'stored' } });
  return [...new Set(attempts.map(({ instanceName }) => instanceName.split('-')[0] ?? ''))];
}

it('a rollout to a pool: its decks are answered there alone, also after the rollout was taken back; no other deck is', async () => {
  const before = await rig.review(await rig.upload(await twoSlides('Blauwald'), 'blauwald.pdf'), READING);
  expect(before.rollout).toBeNull();
  expect(await poolsOf(before.analysisId)).toEqual(['blue']);
  expect(await rig.db.fleetInstance.count({ where: { pool: 'green' } })).toBe(0);

  await rig.client.startRollout({ name: 'green', pool: 'green', percent: 100 });
  const { analysisId } = await rig.client.startAnalysis(await rig.upload(await twoSlides('Gruenhof'), 'gruenhof.pdf'));
  await rig.client.stopRollout('green');
  const after = await rig.review(await rig.upload(await twoSlides('Rotkamp'), 'rotkamp.pdf'), READING);
  await rig.ended(analysisId);

  expect(await poolsOf(analysisId)).toEqual(['green']);
  expect(await poolsOf(after.analysisId)).toEqual(['blue']);
  const shown = await rig.client.rollout('green');
  expect(shown).toMatchObject({ state: 'ended', sides: { candidate: { analyses: 1, completed: 1, slides: 2 } } });
  expect(shown.sides.candidate.verifiedShare).toBeGreaterThan(0.5);
  await until(async () => (await rig.client.rollout('green')).sides.candidate.costUsdPerSlide ?? 0).is(
    (cost) => cost > 0,
  );
});
