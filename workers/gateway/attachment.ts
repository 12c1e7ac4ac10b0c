/**
 * One machine attached to this gateway: readiness check, serving, loss and recovery, until the attachment ends.
 *
 * The host worker runs from the start, because a machine that fails its readiness check may have to be restarted through it. Class workers
 * run only while the machine is ready and reachable, so that a dead machine takes no calls. At the end the class workers stop taking calls,
 * calls in progress are finished or cut, the host worker ends last, and the connection is closed.
 */
import { createHostActivities, createHostDiagnosisActivities } from '../../activities/gateway/host-activities.ts';
import { createHostHealthActivities } from '../../activities/gateway/host-health.ts';
import type { AttachedMachine, Machine } from '../../activities/gateway/machine.ts';
import { machineAnswers, checkReadiness } from '../../activities/gateway/readiness.ts';
import type { ReadinessResult, ReadinessStage } from '../../activities/gateway/readiness-result.ts';
import type { ServingState, ServingStatus } from '../../activities/gateway/serving-row.ts';
import type { CallTally } from '../../activities/models/host/call-tally.ts';
import type { SharedServer } from '../../activities/models/host/shared-server.ts';
import { openModelServer } from '../../activities/models/client/open.ts';
import { ModelHost, pinModels } from '../../activities/models/host/model-host.ts';
import type { AnalysisContexts } from '../../activities/models/analysis-context.ts';
import { ModelCallRunner } from '../../activities/models/run-call.ts';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import type { ReadinessFacts } from '../../domain/fleet/instance-life/types.ts';
import type { EvictionNotice } from '../../domain/fleet/provider/eviction-notice.ts';
import type { GpuClass } from '../../domain/models/model-tasks.ts';
import { pause } from '../../platform/pause.ts';
import { makeHostQueue } from '../../contracts/queues.ts';
import type { WorkerProcess } from '../support/worker-process.ts';
import { whenAborted, type Endings } from './endings.ts';
import { watchForNotice } from './notice-watch.ts';
import { NestedWorkers, type RunningWorkers } from './nested-workers.ts';
import { ReadinessReports, type TellFailure } from './readiness-reports.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
/** Between readiness checks of a machine with a permanent fault, which an operator may repair or accept. */
const CERTAIN_PAUSE_MS = 10_000;
/** Longest time until a drain is noticed; calls that it cuts are cut by then. */
const CUT_WAIT_MS = 5000;
/** How often the connection to a watched machine is checked. */
const WATCH_INTERVAL_MS = 2000;
/** How often a serving machine is checked, and after how many checks without an answer it is lost. */
const LOOK_INTERVAL_MS = 5000;
const LOOK_LIMIT_MS = 5000;
const LOST_AFTER_LOOKS = 3;
/** Calls in progress are cut so long before the provider takes the machine back: they are retried at once, not when their connection breaks. */
const CUT_BEFORE_END_MS = 3000;
/** Time for calls in progress at a hand-over; cut calls are retried by the next gateway. */
const HURRY_GRACE_MS = 3000;

export interface AttachmentOptions {
  readonly process: WorkerProcess;
  readonly contexts: AnalysisContexts;
  readonly log: WorkerProcess['log'];
  /** Name of the instance or static host. */
  readonly name: string;
  readonly machine: Machine;
  readonly classes: readonly GpuClass[];
  /** Pool whose own queues it takes calls from; null = the queues of all pools. */
  readonly queuesOf: string | null;
  /** Profile whose models it has to hold. */
  readonly profile: string;
  readonly rented: boolean;
  /** Its server runs already: nothing is done to it where it is not ready. */
  readonly runsAlready: boolean;
  /** Its models prove that they answer before they are given work; see `ReadinessOptions`. */
  readonly provesAnswers: boolean;
  /** What is known of its server beside its version, for the provenance of results; absent = nothing to be said. */
  readonly origin?: string;
  /** Attached for health checks only. */
  readonly watchOnly: boolean;
  readonly slots: number;
  /** Its server as other instances use it, too; undefined = it is nobody else's. */
  readonly sharedServer: () => SharedServer | undefined;
  readonly tally: CallTally;
  readonly endings: Endings;
  /** The provider may take it back: it is asked for the notice of that. */
  readonly mayBeTakenBack: boolean;
  /** Time after which a machine that is not ready is reported; null = never. */
  readonly proveTimeoutMs: number | null;
  readonly drainTimeoutMs: number;
  readonly onReady: (facts: ReadinessFacts) => Promise<void>;
  readonly onFailed: TellFailure;
  readonly onNotice: (notice: EvictionNotice) => Promise<void>;
}

/** State of an attachment, for reports. */
export type AttachmentStatus = Pick<ServingStatus, 'state' | 'message' | 'pullPercent' | 'models'>;

/** Of an attachment that has just begun. */
export const NOT_STARTED: AttachmentStatus = { state: 'connecting', message: null, pullPercent: null, models: [] };

/** Runs one attachment. */
export class Attachment {
  readonly #options: AttachmentOptions;
  #status = NOT_STARTED;
  #host: ModelHost | null = null;
  #reports: ReadinessReports | null = null;
  #touched = new AbortController();
  /** Aborted when the provider has said that it takes the machine back. */
  readonly #noticed = new AbortController();
  #endsAtMs = Infinity;
  #callsCut = 0;

  constructor(options: AttachmentOptions) {
    this.#options = options;
  }

  get status(): AttachmentStatus {
    return this.#status;
  }

  /** Calls that the machine is given at a time: as configured until it was measured. */
  get slots(): number {
    return this.#host?.slots ?? this.#options.slots;
  }

  /** Calls that hold a slot of the machine now. */
  get inFlight(): number {
    return this.#host?.inFlight ?? 0;
  }

  /**
   * Runs until the attachment has to end. Returns the number of calls that were cut at the end.
   *
   * @throws what broke a worker or the connection to Temporal
   */
  async run(): Promise<number> {
    const { process, name, machine, drainTimeoutMs } = this.#options;
    try {
      const nested = await NestedWorkers.open(process, name, drainTimeoutMs);
      try {
        await this.#withHostWorker(nested);
      } finally {
        await nested.close();
      }
    } finally {
      this.#host?.leave();
      await machine.close();
    }
    return this.#callsCut;
  }

  async #withHostWorker(nested: NestedWorkers): Promise<void> {
    const { process, name, machine, classes, profile, slots, tally, endings } = this.#options;
    const attached: AttachedMachine = {
      db: process.db,
      instance: name,
      machine,
      host: () => this.#host,
      profile,
      classes,
      ending: endings.signal,
    };
    const hostWorker = await nested.runQueue(makeHostQueue(name), {
      ...createHostActivities({
        instance: name,
        machine,
        onTouched: () => this.#restarted(),
        cutCalls: () => this.#cutOnceItEnds(),
      }),
      ...createHostHealthActivities(attached, tally),
      ...createHostDiagnosisActivities(attached, slots),
    });
    // An error in it ends the attachment; its regular end is awaited below.
    hostWorker.ended.catch((error: unknown) => endings.handOver(error as Error));
    const over = new AbortController();
    const watching = this.#watchForNotice(AbortSignal.any([endings.signal, over.signal]));
    try {
      if (this.#options.watchOnly) await this.#watchOnly();
      else await this.#checkAndServe(nested);
    } finally {
      over.abort();
      hostWorker.shutdown();
      await hostWorker.ended;
      await watching;
    }
  }

  /** From a notice on the machine gets no new calls. The instance's workflow is told, and ends the attachment. */
  async #watchForNotice(signal: AbortSignal): Promise<void> {
    const { machine, log, mayBeTakenBack, onNotice } = this.#options;
    const notice = mayBeTakenBack ? await watchForNotice({ machine, log, signal }) : null;
    if (notice === null) return;
    log.warn({ endsAt: new Date(notice.endsAtMs) }, 'the provider takes the machine back: it gets no new calls');
    this.#endsAtMs = notice.endsAtMs;
    this.#noticed.abort();
    await onNotice(notice);
  }

  /** Watches for health only: no readiness check and no calls; the host worker runs. */
  async #watchOnly(): Promise<void> {
    const { machine, endings, log } = this.#options;
    const { signal } = endings;
    this.#renewHost();
    while (!signal.aborted) {
      try {
        const way = await machine.open(signal);
        if (way.open) this.#show({ state: 'watching', message: null });
        else this.#show({ state: 'connecting', message: way.message });
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error }, 'the machine could not be reached');
      }
      await pause(WATCH_INTERVAL_MS, signal);
    }
  }

  async #checkAndServe(nested: NestedWorkers): Promise<void> {
    const { log, endings, onReady, machine } = this.#options;
    while (!endings.signal.aborted) {
      const facts = await this.#untilReady();
      if (facts === null) break;
      await onReady(facts);
      log.info({ url: machine.url, models: facts.models.map((m) => m.name) }, 'serving');
      await this.#serve(nested, facts);
      if (this.#noticed.signal.aborted) break;
    }
    // A machine that is taken back is not checked again; its workflow ends the attachment.
    await new Promise<void>((resolve) => void whenAborted(endings.signal, resolve));
  }

  /** Findings about the machine no longer count, except those that its server's other instances go by. */
  #renewHost(): ModelHost {
    const { process, name, machine, slots, sharedServer, tally, origin } = this.#options;
    this.#host?.leave();
    const shared = sharedServer();
    this.#host = new ModelHost({
      name,
      server: openModelServer(machine),
      parallel: slots,
      limits: process.config.callLimits,
      tally,
      ...(origin === undefined ? {} : { origin }),
      ...(shared === undefined ? {} : { shared }),
    });
    return this.#host;
  }

  /** Repeats the readiness check until it succeeds; null when the attachment ended before. */
  async #untilReady(): Promise<ReadinessFacts | null> {
    const { machine, endings, proveTimeoutMs, onFailed, log } = this.#options;
    const host = this.#renewHost();
    const reports = new ReadinessReports(proveTimeoutMs, onFailed, this.#options.runsAlready);
    this.#reports = reports;
    let failure: string | null = null;
    try {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        const touched = this.#touched.signal;
        const result = await this.#checkOnce(host, failure);
        if (endings.signal.aborted || this.#noticed.signal.aborted) return null;
        if (result?.ready === true) return result.facts;
        if (result !== null) {
          failure = result.message;
          this.#show({ state: 'connecting', message: failure });
          log.warn({ failure: result.failure, error: result.message, url: machine.url }, 'model host is not ready');
          reports.failed(result);
        }
        const certain = result !== null && result.certain;
        await pause(
          certain ? CERTAIN_PAUSE_MS : pauseMs,
          AbortSignal.any([endings.signal, touched, this.#noticed.signal]),
        );
        if (touched.aborted) pauseMs = FIRST_PAUSE_MS;
      }
    } finally {
      reports.end();
    }
  }

  /**
   * One readiness check; null when something other than the machine failed.
   *
   * @param failure why the one before failed: it stands until the machine is seen to answer; null = it is the first
   */
  async #checkOnce(host: ModelHost, failure: string | null): Promise<ReadinessResult | null> {
    const { process, machine, classes, profile, rented, provesAnswers, slots, endings, log } = this.#options;
    const { signal } = endings;
    try {
      this.#show({ state: 'connecting', message: failure });
      const way = await machine.open(signal);
      if (!way.open) return { ready: false, ...way, certain: way.failure === 'host_key_changed' };
      return await checkReadiness({
        db: process.db,
        host,
        shell: machine.shell,
        profile,
        classes,
        rented,
        provesAnswers,
        slots,
        signal,
        onStage: (stage) =>
          this.#show(stage.state === 'connecting' ? { ...stage, message: failure ?? stage.message } : stage),
      });
    } catch (error) {
      if (signal.aborted) return null;
      log.warn({ err: error }, 'the readiness check could not run');
      this.#show({ state: 'connecting', message: asDeckhandError(error).userMessage });
      return null;
    }
  }

  /** Serves until the attachment ends or the machine is lost. */
  async #serve(nested: NestedWorkers, facts: ReadinessFacts): Promise<void> {
    const { process, contexts, classes, queuesOf, slots, machine, endings, log } = this.#options;
    const host = this.#host;
    if (host === null) throw new DeckhandError('internal', 'served before it passed its readiness check');
    const runner = new ModelCallRunner({ db: process.db, blobs: process.blobs, host, contexts, log });
    const over = new AbortController();
    const stopListening = [
      machine.onLost(() => over.abort()),
      whenAborted(endings.signal, () => over.abort()),
      whenAborted(this.#noticed.signal, () => over.abort()),
    ];
    const workers = await nested.runClasses({ classes, queuesOf }, runner, slots);
    this.#status = { state: 'serving', message: null, pullPercent: null, models: facts.models.map((m) => m.name) };
    const watching = this.#watch(host, over);
    try {
      await Promise.race([workers.ended, new Promise<void>((resolve) => void whenAborted(over.signal, resolve))]);
      await this.#endCalls(workers);
    } finally {
      over.abort();
      for (const stop of stopListening) stop();
      await watching;
    }
  }

  /** Takes no new calls. Calls in progress get the time that the kind of ending allows, then they are cut. */
  async #endCalls(workers: RunningWorkers): Promise<void> {
    const { drainTimeoutMs, endings, log } = this.#options;
    const isTakenBack = this.#noticed.signal.aborted;
    const lost = !endings.signal.aborted && !isTakenBack;
    const timers: NodeJS.Timeout[] = [];
    const cutAfter = (ms: number, why: string): void => {
      timers.push(setTimeout(() => this.#cutCalls(why), ms));
    };
    const hurry = (): void => cutAfter(HURRY_GRACE_MS, endings.error?.message ?? 'its gateway ends');
    if (lost) {
      log.warn('the machine is lost: its classes are not served until it passes its readiness check again');
      cutAfter(0, 'the connection to it was lost');
    } else {
      this.#show({ state: 'draining', message: null });
      if (isTakenBack)
        cutAfter(Math.max(0, this.#endsAtMs - Date.now() - CUT_BEFORE_END_MS), 'the provider takes the machine back');
      cutAfter(drainTimeoutMs, `the attachment ends and the call was not done within ${drainTimeoutMs} ms`);
    }
    const stopListening = whenAborted(endings.hurry, hurry);
    workers.shutdown();
    try {
      await workers.ended;
    } finally {
      stopListening();
      for (const timer of timers) clearTimeout(timer);
    }
  }

  /** Stops taking calls early, so that the attachment takes no calls that it would have to cut. */
  async #cutOnceItEnds(): Promise<void> {
    await pause(CUT_WAIT_MS, this.#options.endings.signal);
    this.#cutCalls('it is quarantined');
  }

  /** Ends the calls in flight. They are counted if the attachment ends, not if the machine was lost. */
  #cutCalls(why: string): void {
    const { name, endings, log } = this.#options;
    const calls = this.#host?.cutCalls(new DeckhandError('host_not_ready', `${name}: ${why}`)) ?? 0;
    if (calls === 0) return;
    if (endings.signal.aborted) this.#callsCut += calls;
    log.warn({ calls, why }, 'calls in progress were cut; they are retried on other machines');
  }

  /** While serving: checks that the machine answers and that its models still have the pinned digests. */
  async #watch(host: ModelHost, over: AbortController): Promise<void> {
    const { process, classes, profile, log } = this.#options;
    const { signal } = over;
    let silent = 0;
    for (;;) {
      await pause(LOOK_INTERVAL_MS, signal);
      if (signal.aborted) return;
      try {
        silent = (await machineAnswers(host, LOOK_LIMIT_MS, signal)) ? 0 : silent + 1;
        if (silent >= LOST_AFTER_LOOKS) over.abort();
        if (silent > 0) continue;
        const models = this.#status.models;
        const options = { repin: false, signal, modelNames: models };
        for (const model of await pinModels(process.db, host, profile, options)) {
          log.warn({ ...model, classes }, 'the host has a model version other than the pinned one; its calls wait');
        }
      } catch (error) {
        if (signal.aborted) return;
        // The calls themselves notice a missing model or database and are retried.
        log.debug({ err: error }, 'models were not looked at');
      }
    }
  }

  /** The machine was restarted through the host queue: a waiting readiness check continues at once. */
  #restarted(): void {
    this.#reports?.restarted();
    this.#touched.abort();
    this.#touched = new AbortController();
  }

  #show(stage: ReadinessStage | { readonly state: ServingState; readonly message: string | null }): void {
    const pullPercent = 'percent' in stage ? stage.percent : null;
    this.#status = { ...this.#status, state: stage.state, message: stage.message, pullPercent };
    if (stage.state === 'pulling' || stage.state === 'proving') {
      this.#reports?.underway(stage.message ?? stage.state);
    }
  }
}
