/**
 * Blue-green over two rented pools, of which one has another model profile and takes only what a rollout sends to it: it buys nothing for
 * other decks, and finishes what began in the rollout after it was taken back.
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
    pools: [quickPool({ name: 'blue' }), quickPool({ name: 'green', ownQueues: true, models: 'ollama' })],
  }),
);

/** The model that the profile of the candidate has here for every task; the machines know no other one. */
const MODEL = 'reader-vision:1';
const READING = { taskType: 'visual_analysis' } as const;
const twoSlides = (company: string) => drawPlainDeck(plainSlides(company).slice(0, 2));

/** Pools whose instances answered the calls of an analysis. */
async function poolsOf(analysisId: string): Promise<string[]> {
  const attempts = await rig.db.callAttempt.findMany({ where: { analysisId, outcome: 'stored' } });
  return [...new Set(attempts.map(({ instanceName }) => instanceName.split('-')[0] ?? ''))];
}

it('a rollout to a model profile: its decks are answered by its models on its pool alone, also after the rollout was taken back; no other deck is', async () => {
  const before = await rig.review(await rig.upload(await twoSlides('Blauwald'), 'blauwald.pdf'), READING);
  expect(before.rollout).toBeNull();
  expect(await poolsOf(before.analysisId)).toEqual(['blue']);
  expect(await rig.db.fleetInstance.count({ where: { pool: 'green' } })).toBe(0);

  const ollama = { where: { profile: 'ollama' } };
  await rig.db.modelConfiguration.updateMany({ ...ollama, data: { modelName: MODEL, languages: ['en', 'de'] } });
  await rig.client.POST('/rollouts', { body: { name: 'green', profile: 'ollama', percent: 100 } });
  const { analysisId } = await rig.client.startAnalysis(await rig.upload(await twoSlides('Gruenhof'), 'gruenhof.pdf'));
  await rig.client.POST('/rollouts/{name}/stop', { params: { path: { name: 'green' } } });
  const after = await rig.review(await rig.upload(await twoSlides('Rotkamp'), 'rotkamp.pdf'), READING);
  await rig.ended(analysisId);

  expect(await poolsOf(analysisId)).toEqual(['green']);
  expect(await poolsOf(after.analysisId)).toEqual(['blue']);
  const attempts = await rig.db.callAttempt.findMany({ where: { analysisId } });
  expect(new Set(attempts.map(({ modelName }) => modelName))).toEqual(new Set([MODEL]));
  // Its first machine pinned what it holds.
  expect(await rig.db.modelConfiguration.count({ where: { ...ollama.where, pinnedDigest: null } })).toBe(0);
  const shown = await rig.client.GET('/rollouts/{name}', { params: { path: { name: 'green' } } });
  expect(shown).toMatchObject({ state: 'ended', sides: { candidate: { analyses: 1, completed: 1, slides: 2 } } });
  expect(shown.sides.candidate.verifiedShare).toBeGreaterThan(0.5);
  await until(
    async () =>
      (await rig.client.GET('/rollouts/{name}', { params: { path: { name: 'green' } } })).sides.candidate
        .costUsdPerSlide ?? 0,
  ).is((cost) => cost > 0);
});
