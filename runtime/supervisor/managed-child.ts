/**
 * One child under supervision: started behind a guard, recorded on disk, probed until ready, restarted with back-off, stopped with a
 * signal and then by force.
 *
 * A child that never became ready is not restarted without end: after a few attempts its start fails with the last lines of its log.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeckhandError } from '../../domain/errors.ts';
import { pause } from '../../platform/pause.ts';
import { DEFAULT_BACKOFF, failuresInARow, restartDelayMs } from './backoff.ts';
import { lastLogLines, logPath, openLog } from './child-logs.ts';
import { guarded, RELEASE_LINE } from './guard.ts';
import { endProcess, identify } from '../../platform/processes/process-identity.ts';
import type { ProcessIdentity } from '../../platform/processes/process-identity.ts';
import type { ChildRecords } from '../../platform/processes/records.ts';

/** What is run, decided anew for each attempt. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** How one child is started, judged and ended. */
export interface ChildSpec {
  /** Short and unique in the runtime; also names its log and its record. */
  readonly name: string;
  /** Called before every start. `attempt` counts from 1 and stays at the successful one once the child was ready. */
  prepare(attempt: number): Launch | Promise<Launch>;
  /** True once the child does its work. Absent = ready as soon as it runs. */
  probe?(): Promise<boolean>;
  readonly readyTimeoutMs?: number;
  readonly stopSignal?: 'SIGTERM' | 'SIGINT';
  readonly stopGraceMs?: number;
  /** What to do when it cannot be started. */
  readonly hint?: string;
}

/** What happens to a child, for listeners. */
export type ChildEvent =
  | { readonly type: 'started'; readonly name: string; readonly pid: number }
  | {
      readonly type: 'exited';
      readonly name: string;
      readonly reason: string;
      readonly restarts: number;
      readonly nextStartInMs: number;
    };

/** What a child is doing. */
export interface ChildStatus {
  readonly name: string;
  readonly pid: number | undefined;
  readonly ready: boolean;
  readonly restarts: number;
}

/** Where a child's files go, and who hears of it. */
export interface ChildContext {
  readonly records: ChildRecords;
  readonly logDir: string;
  readonly onEvent: (event: ChildEvent) => void;
}

const MAX_START_ATTEMPTS = 4;
const PROBE_INTERVAL_MS = 25;

/** A child and its life. */
export class ManagedChild {
  readonly spec: ChildSpec;
  readonly #context: ChildContext;
  #identity: ProcessIdentity | undefined;
  #exited: Promise<string> = Promise.resolve('never started');
  #ready = false;
  #attempt = 1;
  #restarts = 0;
  #failures = 0;
  #stopping = false;
  readonly #stopped = new AbortController();

  constructor(spec: ChildSpec, context: ChildContext) {
    this.spec = spec;
    this.#context = context;
  }

  status(): ChildStatus {
    return { name: this.spec.name, pid: this.#identity?.pid, ready: this.#ready, restarts: this.#restarts };
  }

  /**
   * Starts the child and waits until it is ready; from then on it is kept running until `stop()`.
   *
   * @throws DeckhandError `service_unavailable` when it cannot be brought to readiness
   */
  async start(): Promise<void> {
    for (this.#attempt = 1; ; this.#attempt += 1) {
      await this.#spawn();
      const outcome = await this.#untilReady();
      if (this.#stopping) throw new DeckhandError('cancelled', `${this.spec.name} was stopped while it started`);
      if (outcome === 'ready') {
        this.#ready = true;
        void this.#keepRunning();
        return;
      }
      await this.#endCurrent();
      if (this.#attempt >= MAX_START_ATTEMPTS || outcome === 'timeout') throw this.#startFailure(outcome);
      await sleep(restartDelayMs(this.#attempt));
    }
  }

  /** Ends the child and waits for it; it is not started again. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stopped.abort();
    await this.#endCurrent();
  }

  async #spawn(): Promise<void> {
    const launch = await this.spec.prepare(this.#attempt);
    if (this.#stopping) return;
    const line = guarded(launch.command, launch.args, {
      stopSignal: this.spec.stopSignal ?? 'SIGTERM',
      stopGraceMs: this.spec.stopGraceMs ?? 3_000,
    });
    const log = openLog(this.#context.logDir, this.spec.name);
    try {
      // A session of its own: Ctrl-C in a terminal reaches the command that holds the runtime, which then ends things in order.
      const child = spawn(line.command, line.args, {
        cwd: launch.cwd,
        env: launch.env,
        stdio: ['pipe', log, log],
        detached: true,
      });
      this.#exited = this.#watch(child);
      const identity = child.pid === undefined ? undefined : identify(child.pid);
      this.#identity = identity;
      if (identity === undefined) return;
      this.#context.records.write({
        name: this.spec.name,
        ...identity,
        command: [launch.command, ...launch.args],
        startedAt: new Date().toISOString(),
        restarts: this.#restarts,
        stopSignal: this.spec.stopSignal ?? 'SIGTERM',
      });
      this.#context.onEvent({ type: 'started', name: this.spec.name, pid: identity.pid });
    } finally {
      closeSync(log);
    }
  }

  /** Resolves with the reason when this process has ended; releases its guard. */
  #watch(child: ChildProcess): Promise<string> {
    // The pipe breaks when the child's shell never ran; the exit says so already.
    child.stdin?.on('error', () => undefined);
    return new Promise((resolveExit) => {
      const finish = (reason: string): void => {
        child.stdin?.end(RELEASE_LINE);
        this.#ready = false;
        this.#identity = undefined;
        this.#context.records.remove(this.spec.name);
        resolveExit(reason);
      };
      child.once('error', (error) => finish(error.message));
      child.once('exit', (code, signal) => finish(signal === null ? `exit code ${code}` : signal));
    });
  }

  async #untilReady(): Promise<'ready' | 'timeout' | 'exited'> {
    if (this.spec.probe === undefined) return 'ready';
    let exited = false;
    void this.#exited.then(() => (exited = true));
    const deadline = performance.now() + (this.spec.readyTimeoutMs ?? 30_000);
    while (performance.now() < deadline && !this.#stopping) {
      const answered = await this.spec.probe();
      // Checked after the probe: another server on the same port must not count as a child that has ended.
      if (exited) return 'exited';
      if (answered) return 'ready';
      await Promise.race([sleep(PROBE_INTERVAL_MS), this.#exited]);
    }
    return 'timeout';
  }

  /** After the first readiness: waits for the end of the child and starts it again. */
  async #keepRunning(): Promise<void> {
    let startedAt = performance.now();
    for (;;) {
      const reason = await this.#exited;
      if (this.#stopping) return;
      this.#failures = failuresInARow(this.#failures, performance.now() - startedAt);
      this.#restarts += 1;
      const delayMs = restartDelayMs(this.#failures, DEFAULT_BACKOFF);
      this.#context.onEvent({
        type: 'exited',
        name: this.spec.name,
        reason,
        restarts: this.#restarts,
        nextStartInMs: delayMs,
      });
      await pause(delayMs, this.#stopped.signal);
      if (this.#stopping) return;
      startedAt = performance.now();
      try {
        await this.#spawn();
        this.#ready = (await this.#untilReady()) === 'ready';
        // A child that runs and never answers counts as ended.
        if (!this.#ready) await this.#endCurrent();
      } catch (error) {
        // It may run although it could not be written down: left alone, each further try would leave one more.
        await this.#endCurrent();
        this.#exited = Promise.resolve(error instanceof Error ? error.message : String(error));
      }
    }
  }

  async #endCurrent(): Promise<void> {
    const identity = this.#identity;
    if (identity === undefined) return;
    await endProcess(identity, this.spec.stopSignal ?? 'SIGTERM', this.spec.stopGraceMs ?? 3_000);
    await Promise.race([this.#exited, sleep(1_000)]);
  }

  #startFailure(outcome: 'timeout' | 'exited'): DeckhandError {
    const { name, readyTimeoutMs = 30_000 } = this.spec;
    const tail = lastLogLines(this.#context.logDir, name, 6).join('\n');
    const what = outcome === 'timeout' ? `did not answer within ${readyTimeoutMs / 1000} s` : 'ended while it started';
    return new DeckhandError('service_unavailable', `${name} ${what}\n${tail}`, {
      userMessage: `${name} ${what}.${tail === '' ? '' : ` Last log lines:\n${tail}`}`,
      hint: this.spec.hint ?? `Its log is ${logPath(this.#context.logDir, name)}.`,
    });
  }
}
