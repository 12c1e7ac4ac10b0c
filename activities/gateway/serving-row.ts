/**
 * A gateway's report on an attached instance: one row, written on changes and at least every few seconds.
 *
 * The pool reads the row. It is not a lock: Temporal decides which gateway serves an instance.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Logger } from '../../platform/log.ts';

const TICK_MS = 1000;
const LONGEST_SILENCE_MS = 5000;

/** `watching`: attached for health checks only, without calls. */
export type ServingState = 'connecting' | 'pulling' | 'proving' | 'serving' | 'watching' | 'draining';

/** Content of the row at one time. */
export interface ServingStatus extends Omit<CarriedCounts, 'startedAt'> {
  readonly state: ServingState;
  readonly message: string | null;
  /** Progress of the current pull; null = none. */
  readonly pullPercent: number | null;
  readonly models: readonly string[];
  readonly inFlight: number;
  /** Calls that it is given at a time. */
  readonly slots: number;
}

/** The instance and gateway of a row. */
export interface ServingIdentity {
  readonly instance: string;
  readonly gateway: string;
  readonly attachment: number;
}

/** Counts that continue when another gateway takes over the attachment. */
export interface CarriedCounts {
  readonly finishedCalls: number;
  readonly lastCallAt: Date | null;
  readonly lastProgressAt: Date | null;
  readonly stalledInARow: number;
  readonly startedAt: Date;
}

/** The last row of an earlier gateway of the same attachment. */
export async function carriedCounts(db: PrismaClient, identity: ServingIdentity): Promise<CarriedCounts> {
  const { instance: instanceName, attachment } = identity;
  const row = await db.instanceServing.findUnique({
    where: { instanceName, attachment },
    select: { finishedCalls: true, lastCallAt: true, lastProgressAt: true, stalledInARow: true, startedAt: true },
  });
  return row ?? { finishedCalls: 0, lastCallAt: null, lastProgressAt: null, stalledInARow: 0, startedAt: new Date() };
}

interface ServingRowOptions {
  readonly db: PrismaClient;
  readonly identity: ServingIdentity;
  readonly startedAt: Date;
  /** Called at every tick. */
  readonly read: () => ServingStatus;
  readonly log: Logger;
}

/** Updates the row of one attachment by a timer. */
export class ServingRow {
  readonly #options: ServingRowOptions;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | null = null;
  #written: { readonly text: string; readonly atMs: number } | null = null;

  constructor(options: ServingRowOptions) {
    this.#options = options;
  }

  /** Starts writing. */
  start(): void {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
  }

  /** Stops writing. `remove` deletes the row; otherwise it stays for the gateway that takes over. */
  async stop(remove: boolean): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    if (!remove) return;
    const { db, identity } = this.#options;
    const { instance, gateway, attachment } = identity;
    await db.instanceServing.deleteMany({ where: { instanceName: instance, gateway, attachment } });
  }

  #tick(): void {
    if (this.#writing !== null) return;
    const status = this.#options.read();
    // Calls make progress with every token, which is no reason to write earlier.
    const text = JSON.stringify({ ...status, lastProgressAt: null });
    const nowMs = Date.now();
    if (this.#written?.text === text && nowMs - this.#written.atMs < LONGEST_SILENCE_MS) return;
    this.#writing = this.#write(status)
      .then(() => {
        this.#written = { text, atMs: nowMs };
      })
      // Serving does not depend on the report; the next tick writes it again.
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'the serving report was not stored'))
      .finally(() => {
        this.#writing = null;
      });
  }

  async #write(status: ServingStatus): Promise<void> {
    const { db, identity, startedAt } = this.#options;
    const { instance: instanceName, gateway, attachment } = identity;
    const row = { ...status, models: [...status.models], gateway, attachment, seenAt: new Date() };
    await db.instanceServing.upsert({
      where: { instanceName },
      create: { instanceName, startedAt, ...row },
      update: { startedAt, ...row },
    });
  }
}
