/**
 * Signals pools that there is work for them. A pool without a signal finds the work at its next observation, so a failure here never fails a
 * deck.
 *
 * A deck plans in many small steps: the first signal goes out at once, later ones at most once per gap, the last at the end of the gap.
 */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Logger } from '@temporalio/common';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { GpuClass } from '../../domain/models/model-tasks.ts';
import { Memo } from '../../platform/memo.ts';
import { makePoolWorkflowId, WORK_SIGNAL, type WorkComing } from '../../contracts/pool.ts';

/** Least time between two signals to one pool from one process. */
const SIGNAL_GAP_MS = 1000;
/** How long the list of pools is cached; a new pool observes by itself when it starts. */
const POOLS_KNOWN_MS = 5000;

interface PoolRow {
  readonly name: string;
  readonly classes: readonly string[];
}

interface Told {
  atMs: number;
  /** Set while a signal waits for the end of the gap. */
  timer: NodeJS.Timeout | null;
}

/** Signals of one process. */
export class PoolSignals {
  readonly #db: PrismaClient;
  readonly #gapMs: number;
  readonly #told = new Map<string, Told>();
  readonly #pools = new Memo<readonly PoolRow[]>({ keptMs: POOLS_KNOWN_MS });

  constructor(db: PrismaClient, gapMs: number = SIGNAL_GAP_MS) {
    this.#db = db;
    this.#gapMs = gapMs;
  }

  /** Signals the pools that serve any of these classes. */
  async announce(
    classes: ReadonlySet<GpuClass>,
    work: WorkComing,
    { client, log }: { readonly client: Client; readonly log: Pick<Logger, 'warn'> },
  ): Promise<void> {
    try {
      const pools = (await this.#knownPools()).filter((p) => p.classes.some((c) => classes.has(c as GpuClass)));
      await Promise.all(pools.map((p) => this.#tell(p.name, () => signal(client, p.name, work, log))));
    } catch (error) {
      log.warn('pools could not be signalled', { analysisId: work.analysisId, error: String(error) });
    }
  }

  /** Signals now, or when the gap after the last signal is over. */
  async #tell(pool: string, send: () => Promise<void>): Promise<void> {
    const told = this.#told.get(pool) ?? { atMs: Number.NEGATIVE_INFINITY, timer: null };
    this.#told.set(pool, told);
    if (told.timer !== null) return;
    const restMs = told.atMs + this.#gapMs - Date.now();
    if (restMs <= 0) {
      told.atMs = Date.now();
      return send();
    }
    told.timer = setTimeout(() => {
      told.timer = null;
      told.atMs = Date.now();
      void send();
    }, restMs);
    // The timer does not keep a process alive: the pool finds the work by itself.
    told.timer.unref();
  }

  #knownPools(): Promise<readonly PoolRow[]> {
    return this.#pools.get('', () => this.#db.fleetPool.findMany({ select: { name: true, classes: true } }));
  }
}

/** Never rejects: a pool that does not run is not an error. */
async function signal(client: Client, pool: string, work: WorkComing, log: Pick<Logger, 'warn'>): Promise<void> {
  try {
    await client.workflow.getHandle(makePoolWorkflowId(pool)).signal<[WorkComing]>(WORK_SIGNAL, work);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return;
    log.warn('a pool could not be signalled', { pool, error: String(error) });
  }
}
