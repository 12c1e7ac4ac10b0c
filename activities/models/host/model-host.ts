/** One instance of a model server that a gateway serves: its address, its calls, and which model digests it holds. */
import type { ModelConfiguration, PrismaClient } from '../../../generated/prisma/client.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import type { ModelFindings } from '../../../domain/models/probes/findings.ts';
import type { ModelServer } from '../client/model-server.ts';
import {
  attemptLimits,
  type AttemptLimits,
  type AttemptWork,
  type LimitSettings,
} from '../../../domain/models/call-limits.ts';
import type { SendEnd } from '../client/generate.ts';
import { StalledAttempt } from '../client/attempt.ts';
import { Memo } from '../../../platform/memo.ts';
import type { PinnedSetup } from '../analysis-context.ts';
import { CallTally, type TalliedCall } from './call-tally.ts';
import { CallsInFlight } from './calls-in-flight.ts';
import { SharedServer } from './shared-server.ts';
import type { SpeedBook } from './speed-book.ts';
import { shownDigest } from '../../../domain/models/identity.ts';

/** What a host said of one of its models. */
export interface InspectedModel {
  readonly digest: string;
  /** `rules` for the built-in reader, else `language model`. */
  readonly engineKind: EngineKind;
  readonly serverVersion: string;
}

export type EngineKind = 'rules' | 'language model';

/** Model family by which the built-in reader shows that it is no language model. */
const RULES_FAMILY = 'deckhand-rules';
/** A host is asked again after this time; a model replaced behind our back is noticed within it. */
const INSPECTION_VALID_MS = 60_000;
/** A trial that has no slot after this time is not made: running calls show the state of the machine. */
const TRIAL_WAIT_MS = 1000;

/** One model server and the calls in flight on it. */
export class ModelHost {
  /** Deckhand's own name of the host, such as `static-0`. */
  readonly name: string;
  readonly server: ModelServer;
  /** Ends its use of the server; once, after its last call. */
  readonly leave: () => void;
  readonly #origin: string | undefined;
  readonly #limits: LimitSettings | undefined;
  readonly #shared: SharedServer;
  readonly #calls: CallsInFlight;
  readonly #tally: CallTally;
  #inFlight = 0;
  readonly #findings = new Map<string, ModelFindings>();
  readonly #inspected = new Memo<InspectedModel>({ keptMs: INSPECTION_VALID_MS });

  constructor(options: {
    readonly name: string;
    readonly server: ModelServer;
    /** Calls that it is given at a time. */
    readonly parallel: number;
    /** Settings that decide the limits of calls; the usual ones by default. */
    readonly limits?: LimitSettings;
    /** Where its calls are counted. */
    readonly tally?: CallTally;
    /** Stands beside the server's version in the provenance of results. */
    readonly origin?: string;
    /** Its server, where other instances may be on the same one. */
    readonly shared?: SharedServer;
  }) {
    this.name = options.name;
    this.server = options.server;
    this.#origin = options.origin;
    this.#limits = options.limits;
    this.#shared = options.shared ?? new SharedServer(options.limits);
    this.leave = this.#shared.join(options.parallel);
    this.#tally = options.tally ?? new CallTally();
    this.#calls = new CallsInFlight(this.#tally);
  }

  /** A call in flight has said nothing for longer than was expected of it. */
  get isOverdue(): boolean {
    const { overdueAt } = this.#tally;
    return overdueAt !== null && overdueAt.getTime() <= Date.now();
  }

  /** Calls of its own that hold a slot of the server now. A trial is none. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Calls that its server is given at a time, those of other instances on it included. */
  get slots(): number {
    return this.#shared.slots.limit;
  }

  /** How fast the models of its server are. */
  get speeds(): SpeedBook {
    return this.#shared.speeds;
  }

  /** Limits of one attempt with a model, at its speed here and beside the calls that run now. */
  limitsOf(model: string, work: AttemptWork): AttemptLimits {
    return attemptLimits(work, this.speeds.of(model), this.#shared.slots.inUse, this.#limits);
  }

  /** Learns from how an attempt ended. */
  learn(model: string, work: AttemptWork, end: SendEnd): void {
    const slotsInUse = this.#shared.slots.inUse;
    if (end.kind === 'failed') {
      const { error } = end;
      if (error instanceof DeckhandError && error.code === 'model_busy')
        return this.#shared.busy.refused(error.retryAfterMs);
      if (error instanceof StalledAttempt && error.unread)
        this.speeds.unread(model, { promptTokens: work.readTokens, elapsedMs: error.silentMs, slotsInUse });
      return;
    }
    this.#shared.busy.taken();
    if (end.outcome.ok) {
      const { promptTokens, outputTokens, times } = end.outcome;
      const { readMs, writeMs, cachedTokens } = times;
      const read = Math.max(0, promptTokens - cachedTokens);
      this.speeds.learned(model, { promptTokens: read, readMs, outputTokens, writeMs, slotsInUse });
    }
  }

  /**
   * Lowers how many calls are inside the server at a time to what it really runs side by side, so that none waits in its queue.
   *
   * @param slots as measured; more than the configured number has no effect
   */
  limitSlots(slots: number): void {
    this.#shared.limitSlots(slots);
  }

  /**
   * Runs a call in one of the host's slots. The signal `work` gets fires when the caller's does, or when the calls are cut; `call` is to be
   * told about its progress. `alone`: no other call runs on the host beside it.
   *
   * @throws the caller's reason when cancelled while waiting, that of {@link cutCalls} after it.
   */
  call<T>(
    signal: AbortSignal,
    work: (signal: AbortSignal, call: Pick<TalliedCall, 'asks' | 'followed'>) => Promise<T>,
    options = { alone: false },
  ): Promise<T> {
    return this.#calls.run(signal, (own, call) =>
      this.#shared.slots.run(
        own,
        async () => {
          this.#inFlight++;
          try {
            return await this.#shared.busy.run(own, () => {
              call.tookSlot();
              return work(own, call);
            });
          } finally {
            this.#inFlight--;
          }
        },
        options,
      ),
    );
  }

  /**
   * Runs a part of the readiness check while nothing else runs on the server: no call, and no check of another instance on it.
   *
   * @throws the signal's reason when it fires while this waits
   */
  prove<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#shared.slots.run(signal, work, { alone: true });
  }

  /**
   * Runs a trial in one of the host's slots. It is not a call and not counted. Null when no slot got free
   * quickly.
   *
   * @throws the caller's reason when cancelled, that of {@link cutCalls} after it
   */
  async trial<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), TRIAL_WAIT_MS);
    let begun = false;
    try {
      return await this.#calls.runUncounted(signal, (own) =>
        this.#shared.slots.run(AbortSignal.any([own, patience.signal]), () => {
          begun = true;
          clearTimeout(timer);
          return work(own);
        }),
      );
    } catch (error) {
      if (!begun && patience.signal.aborted && !signal.aborted) return null;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends every call with this reason, waiting and later ones too. Returns how many were going on. */
  cutCalls(reason: Error): number {
    return this.#calls.cut(reason);
  }

  /** What the host says of a model, at most a minute old. */
  inspect(modelName: string, signal: AbortSignal): Promise<InspectedModel> {
    return this.#inspected.get(modelName, () => this.#ask(modelName, signal));
  }

  /** Findings of the readiness check about a model; null = none. */
  findingsOf(modelName: string): ModelFindings | null {
    return this.#findings.get(modelName) ?? null;
  }

  noteFindings(modelName: string, findings: ModelFindings): void {
    this.#findings.set(modelName, findings);
  }

  /** Asks anew next time: what is pinned must be what the host holds now. */
  forget(modelName: string): void {
    this.#inspected.forget(modelName);
  }

  /** Checks that the host holds the pinned digest of a task's model. @throws DeckhandError `model_not_ready` when it holds another. */
  async checkPinned(
    setup: Pick<PinnedSetup, 'modelName' | 'modelDigest'>,
    signal: AbortSignal,
  ): Promise<InspectedModel> {
    const model = await this.inspect(setup.modelName, signal);
    if (model.digest !== setup.modelDigest) {
      this.#inspected.forget(setup.modelName);
      throw new DeckhandError(
        'model_not_ready',
        `${this.name} holds ${setup.modelName} with digest ${shownDigest(model.digest)}, pinned is ${shownDigest(setup.modelDigest)}`,
        {
          userMessage: `${setup.modelName} on ${this.name} is not the pinned version.`,
          hint: 'Run `./deckhand models --pin` to accept it.',
        },
      );
    }
    return model;
  }

  async #ask(modelName: string, signal: AbortSignal): Promise<InspectedModel> {
    const found = await this.server.inspect(modelName, { signal });
    return {
      digest: found.digest,
      engineKind: found.family === RULES_FAMILY ? 'rules' : 'language model',
      serverVersion: this.#origin === undefined ? found.serverVersion : `${found.serverVersion} (${this.#origin})`,
    };
  }
}

/** A model whose pin is not what a host holds. */
export interface PinDifference {
  readonly modelName: string;
  readonly pinned: string;
  readonly found: string;
}

/**
 * Pins the digests of a profile's models to what a host holds. Models without a pin get one; a pin that differs is left alone, because
 * changing it is an operator's act, except for the built-in reader, which is part of Deckhand and changes with it.
 *
 * @returns Models whose pin differs from what the host holds.
 */
export async function pinModels(
  db: PrismaClient,
  host: ModelHost,
  profile: string,
  options: {
    readonly repin: boolean;
    readonly signal: AbortSignal;
    /** Only these models; all of the profile by default. */
    readonly modelNames?: readonly string[];
  },
): Promise<PinDifference[]> {
  const only = options.modelNames === undefined ? {} : { modelName: { in: [...options.modelNames] } };
  const configurations = await db.modelConfiguration.findMany({ where: { profile, ...only } });
  const differing: PinDifference[] = [];
  for (const modelName of new Set(configurations.map((c) => c.modelName))) {
    const unpinned = configurations.some((c) => c.modelName === modelName && c.pinnedDigest === null);
    if (unpinned) host.forget(modelName);
    const { digest, engineKind } = await host.inspect(modelName, options.signal);
    const mayPin = options.repin || engineKind === 'rules';
    const data = { pinnedDigest: digest, pinnedAt: new Date() };
    if (mayPin) {
      await db.modelConfiguration.updateMany({ where: { profile, modelName, NOT: { pinnedDigest: digest } }, data });
    }
    // NOT … equals does not match NULL in SQL, so models without a pin are a case of their own.
    await db.modelConfiguration.updateMany({ where: { profile, modelName, pinnedDigest: null }, data });
    const pinned = await pinnedDigest(db, profile, modelName, { seen: configurations, stale: unpinned });
    if (!mayPin && pinned !== null && pinned !== digest) differing.push({ modelName, pinned, found: digest });
  }
  return differing;
}

/** The pin that counts: two hosts may see an unpinned model at the same time, and only one of them pins it. */
async function pinnedDigest(
  db: PrismaClient,
  profile: string,
  modelName: string,
  known: { readonly seen: readonly ModelConfiguration[]; readonly stale: boolean },
): Promise<string | null> {
  const rows = known.stale ? await db.modelConfiguration.findMany({ where: { profile, modelName } }) : known.seen;
  return rows.find((c) => c.modelName === modelName && c.pinnedDigest !== null)?.pinnedDigest ?? null;
}
