/** Two hundred model calls at once: decks whose slides are all open at the same time, on rented machines that have a place for each of them. */
import { generateUniqueDeck } from '../../samples/generator/bulk.ts';
import { quickPool, startFleetRig, type FleetRigOptions } from '../../testing/fleet-rig.ts';
import { until } from '../../testing/until.ts';
import type { Figures } from '../figures.ts';

const MACHINES = 5;
const PLACES = 40;
/** Two hundred calls: one for each slide. */
const DECKS = 8;
const SLIDES = 25;
/** Longer than it takes to hand out the places, so that all calls are in flight at a time. */
const CALL_SECONDS = 45;

/** Adds how many calls were in flight at once, whether each was made once, and how long all took. */
export async function addBurst(
  figures: Figures,
  scenario: FleetRigOptions['scenario'],
  tell: (line: string) => void,
): Promise<void> {
  const places = MACHINES * PLACES;
  const rig = await startFleetRig({
    scenario,
    readerArgs: ['--call-seconds', String(CALL_SECONDS), '--parallel', String(2 * places)],
    environment: { DECKHAND_MODEL_CONCURRENCY: String(PLACES) },
    pools: [quickPool({ name: 'gpu', min: MACHINES, max: MACHINES, sleepPolicy: 'never' })],
  });
  try {
    const ready = (): Promise<number> => rig.db.fleetInstance.count({ where: { phase: 'ready' } });
    await until(ready).is((count) => count === MACHINES);
    const decks = await Promise.all(
      Array.from({ length: DECKS }, async (_, n) =>
        rig.upload(await generateUniqueDeck({ slides: SLIDES, seed: 500 + n }), `burst-${n}.pdf`),
      ),
    );
    const before = (await rig.machineModels.stats()).callsByTask['describe_slide'] ?? 0;
    tell(`${DECKS * SLIDES} slides on ${MACHINES} machines with ${PLACES} places each, ${CALL_SECONDS} s a call`);
    const beganMs = performance.now();
    const runs = await Promise.all(
      decks.map((deckId) => rig.client.startAnalysis(deckId, { taskType: 'visual_analysis' })),
    );
    await Promise.all(runs.map(({ workflowId }) => rig.temporal.workflow.getHandle(workflowId).result()));
    const seconds = (performance.now() - beganMs) / 1000;
    const stats = await rig.machineModels.stats();
    const made = (stats.callsByTask['describe_slide'] ?? 0) - before;
    const stored = await rig.db.modelCall.count({ where: { state: 'stored', task: 'describe_slide' } });
    const title = `${DECKS * SLIDES} slides at once`;
    figures.add(`${title}: calls in flight at a time, most`, stats.maxInFlight, 'calls', `>= ${DECKS * SLIDES}`);
    figures.add(`${title}: answers stored`, stored, 'calls', `>= ${DECKS * SLIDES}`);
    figures.add(`${title}: calls made more than once`, made - stored, 'calls', '<= 0');
    figures.add(`${title}: all analyses done`, seconds, 's');
  } finally {
    await rig.stop();
  }
}
