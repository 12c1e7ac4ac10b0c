/**
 * `deckhand bench fleet`: reaction times of the fleet, in real time, on the simulated provider: from an accepted deck to the create call, from
 * a ready machine to the first slide picked up, and from a killed gateway to the next call that another gateway picks up. Then two hundred model
 * calls at a time.
 */
import { generateUniqueDeck } from '../../samples/generator/bulk.ts';
import { startFleetRig, type FleetRig } from '../../testing/fleet-rig.ts';
import { until } from '../../testing/until.ts';
import type { Figures } from '../figures.ts';
import { addBurst } from './burst.ts';
import { median } from '../pipeline/decks.ts';

const ROUNDS = 5;
const SLIDES = 12;
const CALL_SECONDS = 0.5;
const POOL = 'gpu';

/** Boots in half a second, because the provider's time is not measured. */
const SCENARIO = {
  name: 'bench',
  boot: { orderedSec: 0.1, provisioningSec: 0.3, startSec: 0.2 },
  end: { stopSec: 0.1, deleteSec: 0.2, diskLingerSec: 0 },
  stock: [{ types: '*', count: null }],
};

/** Runs the benchmark. */
export async function benchFleet(figures: Figures, tell: (line: string) => void): Promise<void> {
  tell('starting the runtime and the simulated provider');
  const rig = await startFleetRig({
    scenario: SCENARIO,
    readerArgs: ['--call-seconds', String(CALL_SECONDS)],
    pools: [
      {
        name: POOL,
        classes: ['gpu-visual', 'gpu-text'],
        max: 1,
        sleepPolicy: 'never',
        timing: {
          tickMs: 1_000,
          idleTickMs: 60_000,
          bootPollMs: 200,
          bootPollMaxMs: 500,
          goneConfirmMs: 500,
          destroyRetryMs: 500,
        },
      },
    ],
  });
  try {
    // Starting is not measured: wait for the pool's first decision before the first deck.
    await until(() => rig.db.fleetPool.findFirst({ where: { name: POOL, nextLookAt: { not: null } } })).is(
      (row) => row !== null,
    );
    const toCreate: number[] = [];
    const toFirstSlide: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      tell(`round ${round + 1} of ${ROUNDS}: a deck at zero machines`);
      const times = await reviewFromZero(rig, round);
      toCreate.push(times.acceptedToCreateMs / 1000);
      toFirstSlide.push(times.readyToFirstSlideMs / 1000);
      if (round < ROUNDS - 1) await toZero(rig);
    }
    figures.add(`deck accepted at zero → create call, median of ${ROUNDS}`, median(toCreate), 's', '<= 2');
    figures.add(`deck accepted at zero → create call, worst of ${ROUNDS}`, Math.max(...toCreate), 's', '<= 2');
    figures.add(`machine ready → first slide taken, median of ${ROUNDS}`, median(toFirstSlide), 's');
    tell('killing the gateway while it serves');
    const takeover = await takeOver(rig);
    figures.add('gateway killed → next call taken', takeover.seconds, 's', '<= 20');
    figures.add(
      'calls repeated by the killed gateway',
      takeover.repeatedCalls,
      'calls',
      `<= ${rig.config.modelConcurrency}`,
    );
    figures.add('machines created by the takeover', takeover.creates, 'machines', '<= 0');
  } finally {
    await rig.stop();
  }
  await addBurst(figures, SCENARIO, tell);
}

interface RoundTimes {
  readonly acceptedToCreateMs: number;
  readonly readyToFirstSlideMs: number;
}

async function reviewFromZero(rig: FleetRig, round: number): Promise<RoundTimes> {
  const deckId = await rig.upload(
    await generateUniqueDeck({ slides: SLIDES, seed: 900 + round }),
    `fleet-${round}.pdf`,
  );
  const { analysisId, workflowId } = await rig.client.startAnalysis(deckId, { taskType: 'visual_analysis' });
  const acceptedAtMs = Date.now();
  await rig.temporal.workflow.getHandle(workflowId).result();
  const ready = await rig.db.instanceTransition.findFirstOrThrow({
    where: { toPhase: 'ready' },
    orderBy: { at: 'desc' },
  });
  // The time at which the provider received the create, by the same clock.
  const createdAtMs = Math.max(...Object.values(rig.provider.core.state.instances).map((i) => i.createdAtMs));
  return {
    acceptedToCreateMs: createdAtMs - acceptedAtMs,
    readyToFirstSlideMs: (await firstSlideTakenAtMs(rig, workflowId, analysisId)) - ready.at.getTime(),
  };
}

/** When a worker picked up the run's first call, by Temporal's clock, which is this machine's. */
async function firstSlideTakenAtMs(rig: FleetRig, workflowId: string, analysisId: string): Promise<number> {
  const { events } = await rig.temporal.workflow.getHandle(workflowId).fetchHistory();
  const calls = new Set(
    events
      ?.filter((e) => e.activityTaskScheduledEventAttributes?.activityType?.name === 'describeSlide')
      .map((e) => String(e.eventId)),
  );
  const first = events?.find((e) => calls.has(String(e.activityTaskStartedEventAttributes?.scheduledEventId)));
  if (first?.eventTime === undefined || first.eventTime === null)
    throw new Error(`no slide of ${analysisId} was taken`);
  return Number(first.eventTime.seconds) * 1000 + (first.eventTime.nanos ?? 0) / 1e6;
}

/** Suspends every instance and waits for that, so that the next deck needs a create again. */
async function toZero(rig: FleetRig): Promise<void> {
  const living = () => rig.db.fleetInstance.findMany({ where: { endedAt: null } });
  for (const { name } of await living())
    await rig.client.POST('/fleet/instances/{name}/{request}', { params: { path: { name, request: 'suspend' } } });
  await until(living).is((rows) => rows.every((row) => row.phase === 'suspended'));
}

interface Takeover {
  readonly seconds: number;
  readonly repeatedCalls: number;
  readonly creates: number;
}

async function takeOver(rig: FleetRig): Promise<Takeover> {
  const deckId = await rig.upload(await generateUniqueDeck({ slides: 30, seed: 990 }), 'takeover.pdf');
  const creates = () => rig.provider.calls.filter((call) => call === 'POST /instances').length;
  const createsBefore = creates();
  // Readiness checks are calls, too, of the task `plain`; only slides are counted.
  const slideCalls = async () => (await rig.machineModels.stats()).callsByTask['describe_slide'] ?? 0;
  const callsBefore = await slideCalls();
  const { analysisId, workflowId } = await rig.client.startAnalysis(deckId, { taskType: 'visual_analysis' });
  const stored = () => rig.db.modelCall.count({ where: { analysisId, state: 'stored' } });
  await until(stored).is((count) => count >= 4);
  await rig.kill('gateway');
  const killedAtMs = performance.now();
  const atKill = await stored();
  await until(stored).is((count) => count > atKill);
  // A stored call was picked up one call length earlier.
  const seconds = (performance.now() - killedAtMs) / 1000 - CALL_SECONDS;
  await rig.temporal.workflow.getHandle(workflowId).result();
  const calls = await rig.db.modelCall.count({ where: { analysisId } });
  const made = (await slideCalls()) - callsBefore;
  return { seconds, repeatedCalls: Math.max(0, made - calls), creates: creates() - createsBefore };
}
