/** The reason why a run waits, in words. A deck does not fail when capacity is missing, so it reports that it waits and what its GPU is doing. */
import { Context } from '@temporalio/activity';
import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { ConvertActivities } from '../../convert/activities.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { placeText } from '../../../domain/decks/admission/places.ts';
import { PLAN_STEPS } from '../../../domain/decks/stage-graph.ts';
import {
  activitiesOfClass,
  GPU_CLASSES,
  MODEL_TASK_NAMES,
  MODEL_TASKS,
  type GpuClass,
} from '../../../domain/models/model-tasks.ts';
import type { Logger } from '../../../platform/log.ts';
import { readFailure } from '../../../platform/temporal/read-failure.ts';
import { deckCap } from '../../costs/budget/work-limits.ts';
import { analysisIdOf, type ToldShare } from '../../../contracts/decks.ts';
import type { DeckLine } from '../line/line.ts';
import { placeOf } from '../line/places.ts';
import { phaseOf, runningReason, type Reading, type RunningCall } from './running.ts';
import { capacityOf, capacityReason, isServed, type PoolCapacity } from './capacity.ts';

/** A pending activity as Temporal describes it, as far as it matters here. */
export interface PendingActivity {
  readonly name: string;
  /** True while a worker runs it. */
  readonly started: boolean;
  readonly scheduledAtMs: number;
  /** Message of its last failed attempt. */
  readonly lastFailure: string | null;
  /** Code of its last failed attempt. */
  readonly lastFailureCode?: string | null;
}

const DESCRIBE_DEADLINE_MS = 1500;
/** Shorter waits are the ordinary way of a queue. */
const WAITING_AFTER_MS = 3000;
/** `PENDING_ACTIVITY_STATE_SCHEDULED` of the API. */
const SCHEDULED = 1;

interface Runner {
  readonly name: string;
  readonly gpuClass: GpuClass | null;
}

const MODEL_HOSTS: Readonly<Record<GpuClass, string>> = {
  'gpu-visual': 'a model host for images',
  'gpu-text': 'a model host for text',
};

const CONVERTER: Runner = { name: 'a convert worker', gpuClass: null };

/** The worker of each activity; activities that are not listed run on a control worker. */
const RUNNER_OF: Readonly<Partial<Record<string, Runner>>> = {
  ...({ probeDeck: CONVERTER, convertWindow: CONVERTER } satisfies Record<keyof ConvertActivities, Runner>),
  ...Object.fromEntries(
    GPU_CLASSES.flatMap((gpuClass) =>
      activitiesOfClass(gpuClass).map((name) => [name, { name: MODEL_HOSTS[gpuClass], gpuClass }] as const),
    ),
  ),
};

/** Class whose models a planning activity needs the digests of. */
const PLANNED_CLASS: Readonly<Partial<Record<string, GpuClass>>> = Object.fromEntries(
  MODEL_TASK_NAMES.map((task) => [PLAN_STEPS[MODEL_TASKS[task].step].planner, MODEL_TASKS[task].gpuClass] as const),
);

/**
 * What a run waits for, as it reads behind "waiting for"; null when something of it moves, or when it has only just been scheduled.
 *
 * @param pools the pools there are; none when that is not known
 * @param limit why nothing is bought for this run; null = nothing is in the way
 */
export function waitingReason(
  pending: readonly PendingActivity[],
  nowMs: number,
  pools: readonly PoolCapacity[] = [],
  limit: string | null = null,
): string | null {
  if (pending.length === 0 || pending.some((a) => a.started)) return null;
  const failing = pending.find((a) => a.lastFailure !== null);
  if (failing !== undefined) {
    // Its models are not pinned before a host has shown them, so it waits for a host.
    const waitsForHost = failing.lastFailureCode === 'model_not_ready';
    const gpuClass = classOf(failing);
    // A failed activity is retried on a machine that is there; only a missing machine is named.
    const missing = gpuClass !== null && (waitsForHost || !isServed(pools, gpuClass));
    const capacity = missing ? capacityReason(pools, gpuClass, nowMs, limit) : null;
    const wanted = whatFailed(failing.lastFailure ?? '');
    return capacity === null ? wanted : `${wanted}: ${capacity}`;
  }
  const longest = pending.reduce((a, b) => (a.scheduledAtMs <= b.scheduledAtMs ? a : b));
  if (nowMs - longest.scheduledAtMs < WAITING_AFTER_MS) return null;
  const runner = RUNNER_OF[longest.name] ?? { name: 'a control worker', gpuClass: null };
  const capacity = runner.gpuClass === null ? null : capacityReason(pools, runner.gpuClass, nowMs, limit);
  return capacity === null ? runner.name : `${runner.name}: ${capacity}`;
}

/** Class whose machines an activity runs on, or whose models it waits to be shown; null when it needs none. */
const classOf = ({ name, lastFailureCode }: PendingActivity): GpuClass | null =>
  RUNNER_OF[name]?.gpuClass ?? (lastFailureCode === 'model_not_ready' ? PLANNED_CLASS[name] : null) ?? null;

/** A failure that names what it waits for gives the reason; after any other the activity is retried. */
function whatFailed(message: string): string {
  const words = message.replace(/\.$/u, '');
  const awaited = /^waiting for (.+)$/isu.exec(words)?.[1];
  return awaited ?? `another try (${words})`;
}

/** What a run waits for, and the pools that serve it. */
export interface Wait {
  /** As it reads behind "waiting for"; null when it moves. */
  readonly reason: string | null;
  readonly pools: readonly string[];
}

const NO_WAIT: Wait = { reason: null, pools: [] };

/** An activity as Temporal describes it. */
type Described = NonNullable<WorkflowExecutionDescription['raw']['pendingActivities']>[number];

/** Where the reason is looked up. */
export interface WaitDependencies {
  readonly temporal: Client;
  readonly db: PrismaClient;
  /** Time zone of budgets (IANA), read when it is needed. */
  readonly timezone: () => string;
}

/** The activities of a run that are scheduled and have not ended, as Temporal describes them. */
async function describePending(temporal: Client, workflowId: string): Promise<Described[]> {
  const { raw } = await temporal.withDeadline(Date.now() + DESCRIBE_DEADLINE_MS, () =>
    temporal.workflow.getHandle(workflowId).describe(),
  );
  return raw.pendingActivities ?? [];
}

/**
 * Reasons why a run waits, by its open activities and by what the GPUs are doing.
 *
 * @param described without the activity that asks
 */
async function askWhatItWaitsFor(
  { temporal, db, timezone }: WaitDependencies,
  workflowId: string,
  described: readonly Described[],
): Promise<Wait> {
  const pending = await Promise.all(
    described.map(async (a) => {
      const failure = await readFailure(temporal, a.lastFailure);
      return {
        name: a.activityType?.name ?? '',
        started: a.state !== SCHEDULED,
        scheduledAtMs: Number(a.scheduledTime?.seconds ?? 0) * 1000,
        lastFailure: failure?.message ?? null,
        lastFailureCode: failure?.code ?? null,
      };
    }),
  );
  const nowMs = Date.now();
  const analysisId = analysisIdOf(workflowId);
  const place = pending.length === 0 ? await placeOf(db, analysisId) : null;
  if (place !== null) return { reason: placeText(place), pools: [] };
  if (waitingReason(pending, nowMs) === null) return NO_WAIT;
  const [all, run] = await Promise.all([
    capacityOf(db),
    db.analysis.findUnique({ where: { id: analysisId }, select: { poolName: true } }),
  ]);
  // In the queues of one pool only its machines are waited for.
  const own = run?.poolName ?? null;
  const pools = own === null ? all : all.filter((pool) => pool.name === own);
  const wanted = new Set<string | null>(pending.map(classOf));
  const serving = pools.filter((pool) => pool.classes.some((c) => wanted.has(c)));
  const limit = await deckCap(db, analysisId, timezone(), new Date(nowMs));
  return { reason: waitingReason(pending, nowMs, pools, limit), pools: serving.map((pool) => pool.name) };
}

/**
 * The reason alone, also of a run whose calls models have; null also when Temporal does not answer.
 *
 * @param reading what its prompts have to be read; null = not known
 */
export async function waitingFor(
  { log, ...deps }: WaitDependencies & { readonly log: Logger },
  workflowId: string,
  reading: Reading | null,
): Promise<string | null> {
  try {
    const described = await describePending(deps.temporal, workflowId);
    const { reason } = await askWhatItWaitsFor(deps, workflowId, described);
    return reason ?? runningReason(await runningCalls(deps.temporal, described), Date.now(), reading);
  } catch (error) {
    // Not an error of the request: the progress is there without it.
    log.debug({ err: error, workflowId }, 'Temporal did not say what the run waits for');
    return null;
  }
}

/** Calls that a model server has, or a slot of it is waited for. */
async function runningCalls(temporal: Client, described: readonly Described[]): Promise<RunningCall[]> {
  const started = described.filter((a) => a.state !== SCHEDULED);
  const calls = await Promise.all(
    started.map(async ({ activityType, heartbeatDetails, lastStartedTime }) => {
      const phase = await phaseOf(temporal, heartbeatDetails);
      const startedAtMs = Number(lastStartedTime?.seconds ?? 0) * 1000;
      return phase === null ? [] : [{ name: activityType?.name ?? '', phase, startedAtMs }];
    }),
  );
  return calls.flat();
}

/** Reason why the calling run waits, its own activity not counted; with its share, should it not have been told of it. */
export async function whatItWaitsFor(
  db: PrismaClient,
  { timezone, line }: { readonly timezone: () => string; readonly line: DeckLine },
): Promise<Wait & { readonly share: ToldShare | null }> {
  const { client, info } = Context.current();
  const { workflowExecution: run, activityId } = info;
  if (run === undefined) return { ...NO_WAIT, share: null };
  const described = (await describePending(client, run.workflowId)).filter((a) => a.activityId !== activityId);
  const wait = await askWhatItWaitsFor({ temporal: client, db, timezone }, run.workflowId, described);
  return { ...wait, share: await line.shareOf(analysisIdOf(run.workflowId)) };
}
