/**
 * The supervisor: the children of one data directory.
 *
 * Children are started in the order the caller asks for and stopped in layers, the last started first. There is one supervisor per
 * data directory (a kernel lock); it begins by ending what a killed predecessor left behind.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DeckhandError } from '../../domain/errors.ts';
import { turnOverLogs } from './child-logs.ts';
import { tryFileLock } from '../../platform/processes/file-lock.ts';
import type { FileLock } from '../../platform/processes/file-lock.ts';
import { ManagedChild } from './managed-child.ts';
import type { ChildEvent, ChildSpec, ChildStatus, Launch } from './managed-child.ts';
import { ChildRecords } from '../../platform/processes/records.ts';
import { runToEnd } from './run-to-end.ts';
import type { RunToEndOptions } from './run-to-end.ts';

/** Where a supervisor keeps its files, inside the data directory. */
export interface SupervisorPaths {
  readonly runDir: string;
  readonly logDir: string;
}

/** The files of the supervisor of a data directory. */
export function supervisorPaths(home: string): SupervisorPaths {
  return { runDir: join(home, 'run'), logDir: join(home, 'logs') };
}

/** Takes the one place of supervisor of a data directory; undefined if there is one already. */
export function claimHome(home: string): FileLock | undefined {
  return tryFileLock(join(supervisorPaths(home).runDir, 'supervisor.lock'));
}

const LEFTOVER_GRACE_MS = 5_000;
const LOG_LOOK_INTERVAL_MS = 30_000;

/** Starts, keeps and stops children. */
export class Supervisor {
  readonly #paths: SupervisorPaths;
  readonly #records: ChildRecords;
  readonly #onEvent: (event: ChildEvent) => void;
  /** Layers in the order they were started; children of one layer do not need each other. */
  readonly #layers = new Map<number, ManagedChild[]>();
  /** Commands that run to their end. */
  readonly #tasks = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #logLooks: NodeJS.Timeout;

  constructor(home: string, onEvent: (event: ChildEvent) => void) {
    this.#paths = supervisorPaths(home);
    this.#records = new ChildRecords(join(this.#paths.runDir, 'children'));
    this.#onEvent = onEvent;
    this.#logLooks = setInterval(() => this.#turnOverLogs(), LOG_LOOK_INTERVAL_MS).unref();
  }

  /** Ends recorded children of a supervisor that was killed; touches no other process. */
  async endLeftovers(): Promise<void> {
    await this.#records.endAll(LEFTOVER_GRACE_MS);
  }

  /**
   * Starts a child, waits until it is ready, and keeps it running.
   *
   * @param layer children of a higher layer are stopped before those of a lower one
   */
  async start(layer: number, spec: ChildSpec): Promise<void> {
    if (this.#stop.signal.aborted)
      throw new DeckhandError('cancelled', `${spec.name} is not started: everything is being stopped`);
    const child = new ManagedChild(spec, {
      records: this.#records,
      logDir: this.#paths.logDir,
      onEvent: this.#onEvent,
    });
    const peers = this.#layers.get(layer) ?? [];
    this.#layers.set(layer, [...peers, child]);
    await child.start();
  }

  /**
   * Runs a command once and waits for its end; `stopAll()` ends it too.
   *
   * @throws DeckhandError as `runToEnd()`
   */
  async run(launch: Launch, options: Pick<RunToEndOptions, 'name' | 'what' | 'hint'>): Promise<void> {
    const task = runToEnd(launch, { ...options, logDir: this.#paths.logDir, signal: this.#stop.signal });
    this.#tasks.add(task);
    try {
      await task;
    } finally {
      this.#tasks.delete(task);
    }
  }

  /** Stops everything: commands first, then children, highest layer first. */
  async stopAll(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#logLooks);
    await Promise.allSettled(this.#tasks);
    const layers = [...this.#layers.keys()].sort((a, b) => b - a);
    for (const layer of layers) await Promise.all((this.#layers.get(layer) ?? []).map((child) => child.stop()));
  }

  /** A full disk is no reason to end what runs: the next look tries again. */
  #turnOverLogs(): void {
    try {
      if (existsSync(this.#paths.logDir)) turnOverLogs(this.#paths.logDir);
    } catch (error) {
      process.emitWarning(`the logs could not be turned over: ${String(error)}`);
    }
  }

  statuses(): ChildStatus[] {
    return [...this.#layers.values()].flat().map((child) => child.status());
  }
}
