/**
 * Blue-green on a running Deckhand: two pools over one server, of which one takes only what a rollout sends to it; taken back while a review
 * of the candidate runs.
 */
import { expect, it } from 'vitest';
import { plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';

const CLASSES = ['gpu-visual', 'gpu-text'];
const rig = rigPerFile({
  fleet: {
    pools: [
      { name: 'blue', classes: CLASSES },
      { name: 'green', classes: CLASSES, ownQueues: true },
    ],
  },
});

/** Instances that answered the calls of an analysis. */
async function hostsOf(analysisId: string): Promise<string[]> {
  const attempts = await rig.db.callAttempt.findMany({
    where: { analysisId, outcome: 'stored' },
    distinct: ['instanceName'],
  });
  return attempts.map(({ instanceName }) => instanceName);
}

it('a share of the decks is answered by the candidate’s pool alone, and is taken back for new reviews while a running one finishes there', async () => {
  const before = await rig.review(await rig.upload(await plainDeck('Blauwald'), 'blauwald.pdf'));
  expect(before.rollout).toBeNull();
  expect(await hostsOf(before.analysisId)).toEqual(['blue-0']);

  await rig.client.startRollout({ name: 'green', pool: 'green', percent: 100 });
  await rig.reader.script({ callSeconds: 0.3 });
  const { analysisId } = await rig.client.startAnalysis(await rig.upload(await plainDeck('Gruenhof'), 'gruenhof.pdf'));
  await until(async () => (await hostsOf(analysisId)).length > 0).is(true);
  await rig.client.stopRollout('green');
  expect((await rig.client.status(analysisId)).status).toBe('running');
  await rig.reader.script({});
  const after = await rig.review(await rig.upload(await plainDeck('Rotkamp'), 'rotkamp.pdf'));
  await rig.ended(analysisId);

  expect(await hostsOf(analysisId)).toEqual(['green-0']);
  expect(await hostsOf(after.analysisId)).toEqual(['blue-0']);
  const shown = await rig.client.rollout('green');
  expect(shown.state).toBe('ended');
  expect(shown.sides.candidate).toMatchObject({ analyses: 1, completed: 1, failed: 0, slides: 5 });
  expect(shown.sides.candidate.verifiedShare).toBeGreaterThan(0.5);
});
