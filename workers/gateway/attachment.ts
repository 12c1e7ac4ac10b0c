/**
 * One machine attached to this gateway: it proves itself, its classes are served, it is lost and found again, until the attachment ends.
 *
 * Order of things: the host worker runs from the first moment, because a machine that does not prove itself may have to be restarted over
 * it; class workers run only while the machine is proved and reachable, so that a dead machine does not eat calls. At the end the class
 * workers stop taking calls, those in flight are finished or cut, the host worker ends last, and the way to the machine is closed.
 */
import { createHostActivities } from '../../activities/gateway/host-activities.ts';
import { createHostDiagnosisActivities } from '../../activities/gateway/host-diagnosis.ts';
import { createHostHealthActivities } from '../../activities/gateway/host-health.ts';
import type { Machine } from '../../activities/gateway/machine.ts';
import { machineAnswers, proveMachine } from '../../activities/gateway/proof.ts';
import type { ProofResult, ProofStage } from '../../activities/gateway/proof-result.ts';
import type { ServingState } from '../../activities/gateway/serving-row.ts';
import type { CallTally } from '../../activities/models/host/call-tally.ts';
import { ModelHost, pinModels } from '../../activities/models/host/model-host.ts';
import type { AnalysisContexts } from '../../activities/models/analysis-context.ts';
import { ModelCallRunner } from '../../activities/models/run-call.ts';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import type { ReadinessFacts } from '../../domain/fleet/instance-life/types.ts';
import type { GpuClass } from '../../domain/models/model-tasks.ts';
import { pause } from '../../platform/pause.ts';
import { makeHostQueue } from '../../contracts/queues.ts';
import type { WorkerProcess } from '../support/worker-process.ts';
import { whenAborted, type Endings } from './endings.ts';
import { NestedWorkers, type RunningWorkers } from './nested-workers.ts';
import { ProofReports, type TellFailure } from './proof-reports.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
/** Between tries of a machine whose fault time does not mend; somebody may repair it, or accept another version of a model. */
const CERTAIN_PAUSE_MS = 10_000;
/** A drain is heard of within this time: calls that are to be cut by it are cut then at the latest. */
const CUT_WAIT_MS = 5000;
/** The way to a machine that is only watched is looked after this often. */
const WATCH_INTERVAL_MS = 2000;
/** A machine that serves is looked at this often; after so many looks without an answer it is lost. */
const LOOK_INTERVAL_MS = 5000;
const LOOK_LIMIT_MS = 5000;
const LOST_AFTER_LOOKS = 3;
/** Calls in flight when the gateway is told to end get this long; what is cut is repeated by the next gateway. */
const HURRY_GRACE_MS = 3000;

export interface AttachmentOptions {
  readonly process: WorkerProcess;
  readonly contexts: AnalysisContexts;
  readonly log: WorkerProcess['log'];
  /** Name of the instance, or of a host that runs already. */
  readonly name: string;
  readonly machine: Machine;
  readonly classes: readonly GpuClass[];
  readonly rented: boolean;
  /** Attached for its health alone. */
  readonly watchOnly: boolean;
  readonly slots: number;
  readonly tally: CallTally;
  readonly endings: Endings;
  /** Time after which a machine that is not proved is reported; null = never. */
  readonly proveTimeoutMs: number | null;
  readonly drainTimeoutMs: number;
  readonly onProved: (facts: ReadinessFacts) => Promise<void>;
  readonly onFailed: TellFailure;
}

/** Where an attachment stands, for reports. */
export interface AttachmentStatus {
  readonly state: ServingState;
  readonly message: string | null;
  readonly pullPercent: number | null;
  readonly models: readonly string[];
}

/** Runs one attachment. */
export class Attachment {
  readonly #options: AttachmentOptions;
  #status: AttachmentStatus = { state: 'connecting', message: null, pullPercent: null, models: [] };
  #host: ModelHost | null = null;
  #reports: ProofReports | null = null;
  #touched = new AbortController();
  #callsCut = 0;

  constructor(options: AttachmentOptions) {
    this.#options = options;
  }

  get status(): AttachmentStatus {
    return this.#status;
  }

  /** Calls that hold a slot of the machine now. */
  get inFlight(): number {
    return this.#host?.inFlight ?? 0;
  }

  /**
   * Runs until it is told to end. Returns the number of calls that were cut at the end.
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
      await machine.close();
    }
    return this.#callsCut;
  }

  async #withHostWorker(nested: NestedWorkers): Promise<void> {
    const { process, name, machine, classes, slots, tally, endings } = this.#options;
    const hostWorker = await nested.runQueue(makeHostQueue(name), {
      ...createHostActivities({
        instance: name,
        machine,
        onTouched: () => this.#restarted(),
        cutCalls: () => this.#cutOnceItEnds(),
      }),
      ...createHostHealthActivities({
        db: process.db,
        instance: name,
        machine,
        host: () => this.#host,
        tally,
        profile: process.config.models,
        classes,
        ending: endings.signal,
      }),
      ...createHostDiagnosisActivities({
        db: process.db,
        instance: name,
        machine,
        host: () => this.#host,
        profile: process.config.models,
        classes,
        slots,
        ending: endings.signal,
      }),
    });
    // Whatever breaks it ends the attachment; its own end is waited for below.
    hostWorker.ended.catch((error: unknown) => endings.handOver(error as Error));
    try {
      if (this.#options.watchOnly) await this.#watchOnly();
      else await this.#proveAndServe(nested);
    } finally {
      hostWorker.shutdown();
      await hostWorker.ended;
    }
  }

  /** Attached for its health alone: nothing is proved and no call is taken, the host worker does what it is asked. */
  async #watchOnly(): Promise<void> {
    const { name, machine, slots, tally, endings, log } = this.#options;
    const { signal } = endings;
    this.#host = new ModelHost({ name, url: machine.url, parallel: slots, tally });
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

  async #proveAndServe(nested: NestedWorkers): Promise<void> {
    const { log, endings, onProved, machine } = this.#options;
    while (!endings.signal.aborted) {
      const facts = await this.#prove();
      if (facts === null) return;
      await onProved(facts);
      log.info({ url: machine.url, models: facts.models.map((m) => m.name) }, 'serving');
      await this.#serve(nested, facts);
    }
  }

  /** Repeats the proof until it succeeds; null when the attachment ended before. */
  async #prove(): Promise<ReadinessFacts | null> {
    const { name, machine, slots, tally, endings, proveTimeoutMs, onFailed, log } = this.#options;
    const host = new ModelHost({ name, url: machine.url, parallel: slots, tally });
    this.#host = host;
    const reports = new ProofReports(proveTimeoutMs, onFailed);
    this.#reports = reports;
    try {
      for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        const touched = this.#touched.signal;
        const result = await this.#tryProof(host);
        if (endings.signal.aborted) return null;
        if (result?.proved === true) return result.facts;
        if (result !== null) {
          this.#show({ state: 'connecting', message: result.message });
          log.warn({ failure: result.failure, error: result.message, url: machine.url }, 'model host is not ready');
          reports.failed(result);
        }
        const certain = result !== null && result.certain;
        await pause(certain ? CERTAIN_PAUSE_MS : pauseMs, AbortSignal.any([endings.signal, touched]));
        if (touched.aborted) pauseMs = FIRST_PAUSE_MS;
      }
    } finally {
      reports.end();
    }
  }

  /** One try; null when it was not the machine that failed. */
  async #tryProof(host: ModelHost): Promise<ProofResult | null> {
    const { process, machine, classes, rented, endings, log } = this.#options;
    const { signal } = endings;
    try {
      this.#show({ state: 'connecting', message: null });
      const way = await machine.open(signal);
      if (!way.open) return { proved: false, ...way, certain: way.failure === 'host_key_changed' };
      return await proveMachine({
        db: process.db,
        host,
        shell: machine.shell,
        profile: process.config.models,
        classes,
        rented,
        signal,
        onStage: (stage) => this.#show(stage),
      });
    } catch (error) {
      if (signal.aborted) return null;
      log.warn({ err: error }, 'the proof could not be tried');
      this.#show({ state: 'connecting', message: asDeckhandError(error).userMessage });
      return null;
    }
  }

  /** Serves until the attachment ends or the machine is lost. */
  async #serve(nested: NestedWorkers, facts: ReadinessFacts): Promise<void> {
    const { process, contexts, classes, slots, machine, endings, log } = this.#options;
    const host = this.#host;
    if (host === null) throw new DeckhandError('internal', 'served before it was proved');
    const runner = new ModelCallRunner({ db: process.db, blobs: process.blobs, host, contexts, log });
    const over = new AbortController();
    const stopListening = [machine.onLost(() => over.abort()), whenAborted(endings.signal, () => over.abort())];
    const workers = await nested.runClasses(classes, runner, slots);
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

  /** No new calls; those in flight get the time their kind of end allows, then they are cut. */
  async #endCalls(workers: RunningWorkers): Promise<void> {
    const { drainTimeoutMs, endings, log } = this.#options;
    const lost = !endings.signal.aborted;
    const timers: NodeJS.Timeout[] = [];
    const cutAfter = (ms: number, why: string): void => {
      timers.push(setTimeout(() => this.#cutCalls(why), ms));
    };
    const hurry = (): void => cutAfter(HURRY_GRACE_MS, 'its gateway ends');
    if (lost) {
      log.warn('the machine is lost: its classes are not served until it proves itself again');
      cutAfter(0, 'the connection to it was lost');
    } else {
      this.#show({ state: 'draining', message: null });
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

  /** Before the attachment knows that it ends it would take new calls, only to cut them. */
  async #cutOnceItEnds(): Promise<void> {
    await pause(CUT_WAIT_MS, this.#options.endings.signal);
    this.#cutCalls('it is out of service for its health');
  }

  /** Ends the calls in flight. Those of an attachment that ends are counted; of a machine that was lost they are the loss's. */
  #cutCalls(why: string): void {
    const { name, endings, log } = this.#options;
    const calls = this.#host?.cutCalls(new DeckhandError('host_not_ready', `${name}: ${why}`)) ?? 0;
    if (calls === 0) return;
    if (endings.signal.aborted) this.#callsCut += calls;
    log.warn({ calls, why }, 'calls in flight were cut; they are repeated elsewhere');
  }

  /** While serving: is the machine there, are its models still the pinned ones, has an operator unpinned one? */
  async #watch(host: ModelHost, over: AbortController): Promise<void> {
    const { process, classes, log } = this.#options;
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
        for (const model of await pinModels(process.db, host, process.config.models, options)) {
          log.warn({ ...model, classes }, 'the host holds another version than the pinned one; its calls wait');
        }
      } catch (error) {
        if (signal.aborted) return;
        // A model or database that is away is noticed by the calls themselves, which are retried.
        log.debug({ err: error }, 'models were not looked at');
      }
    }
  }

  /** The machine was restarted over the host queue: a proof that waits goes on at once. */
  #restarted(): void {
    this.#reports?.restarted();
    this.#touched.abort();
    this.#touched = new AbortController();
  }

  #show(stage: ProofStage | { readonly state: ServingState; readonly message: string | null }): void {
    const pullPercent = 'percent' in stage ? stage.percent : null;
    this.#status = { ...this.#status, state: stage.state, message: stage.message, pullPercent };
    if (stage.state === 'pulling' || stage.state === 'proving') {
      this.#reports?.underway(stage.message ?? stage.state);
    }
  }
}
