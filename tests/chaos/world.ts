/**
 * The installation that chaos runs share: a runtime whose pool rents machines from a simulated provider, one model server behind all of
 * them, and short times, so that a machine's life and the recovery from a fault take seconds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GPU_CLASSES } from '../../domain/models/model-tasks.ts';
import { type FleetRig, QUICK_SCENARIO, quickPool, startFleetRig } from '../../testing/fleet-rig.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts';
import { KillableReader } from './reader-process.ts';
import { Watchers } from './watchers.ts';

/** Calls that a machine has in flight at most. */
export const SLOTS = 4;
/** A worker that was not heard of for this long counts as lost. */
export const LOST_WORKER_MS = 4000;
/** One attempt of a model call: so long that a call on a busy machine is not cut and asked for once more. */
export const ATTEMPT_MS = 6000;
/** How long a model takes to answer: long enough that kills meet calls in flight. */
const CALL_SECONDS = 0.03;
/** What a reader does while nothing is wrong. */
export const GOOD_SCRIPT = { callSeconds: CALL_SECONDS };
const MAX_MACHINES = 2;
/** Calls that workers may have begun at once: every class of a machine has as many workers' slots as the machine itself. */
export const MOST_BEGUN = SLOTS * MAX_MACHINES * GPU_CLASSES.length;

const POOL = quickPool({
  max: MAX_MACHINES,
  // Drawn out of every run's faults together, not of one deck's bad luck.
  launchBudgetPerHour: 10_000,
  timing: {
    upDelayMs: 500,
    downDelayMs: 500,
    drainGoalMs: 60_000,
    // Of critical work, whose end keeps the machines awake for a minute otherwise.
    panicHoldMs: 500,
    tickMs: 500,
    idleTickMs: 5_000,
    fixedIdleMs: 700,
    minIdleMs: 300,
    visibilityWindowMs: 1_500,
  },
});

export interface ChaosWorld {
  readonly rig: FleetRig;
  readonly reader: KillableReader;
  /** Gets a notification of every review that ends. */
  readonly receiver: WebhookReceiver;
  readonly watchers: Watchers;
  stop(): Promise<void>;
}

export async function startWorld(): Promise<ChaosWorld> {
  const directory = mkdtempSync(path.join(tmpdir(), 'deckhand-chaos-'));
  const reader = await KillableReader.start(directory, ['--parallel', String(SLOTS * MAX_MACHINES)]);
  await reader.script(GOOD_SCRIPT);
  const rig = await startFleetRig({
    scenario: { ...QUICK_SCENARIO, rateLimits: null },
    pools: [POOL],
    availabilityTtlMs: 300,
    reaper: { intervalMs: 4_000, minAgeMs: 3_000, quarantineMs: 1_000 },
    machineModels: reader,
    ollamaHost: reader.host,
    environment: {
      DECKHAND_LOST_WORKER_SEC: String(LOST_WORKER_MS / 1000),
      DECKHAND_MODEL_CONCURRENCY: String(SLOTS),
      DECKHAND_SLOWEST_TOKENS_PER_SEC: '5000',
      DECKHAND_LEAST_SILENCE_SEC: String(ATTEMPT_MS / 1000),
    },
  });
  await rig.db.modelConfiguration.updateMany({
    data: { loadTimeoutMs: ATTEMPT_MS },
  });
  const receiver = await startWebhookReceiver();
  await rig.client.POST('/webhooks', { body: { url: receiver.url } });
  const watchers = new Watchers(path.join(directory, 'drop'), rig.config.environment);
  return {
    rig,
    reader,
    receiver,
    watchers,
    stop: async () => {
      await watchers.stop();
      await receiver.close();
      await rig.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Machines that exist at the provider and cost. */
export function billedMachines({ rig }: ChaosWorld): readonly { readonly hostname: string; readonly phase: string }[] {
  rig.provider.core.settle();
  return rig.provider.core.allInstances().filter(({ phase }) => phase !== 'gone' && phase !== 'failed');
}
