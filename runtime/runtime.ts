/**
 * The runtime as commands and tests see it: start or join it, use its addresses, release it.
 *
 * There is one runtime per data directory. A second command joins it; the last command that leaves ends it, unless it was asked to stay.
 */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeckhandError } from '../domain/errors.ts';
import { ensureHome } from '../platform/config.ts';
import type { Config } from '../platform/config.ts';
import { lastLogLines, logPath, openLog } from './supervisor/child-logs.ts';
import { signalProcess, waitUntilGone } from '../platform/processes/process-identity.ts';
import { supervisorPaths } from './supervisor/supervisor.ts';
import { ControlClient } from './control-client.ts';
import { readControlFile } from '../platform/runtime-info.ts';
import type { ControlReply } from './control-messages.ts';
import type { ControlFile, RuntimeInfo } from '../platform/runtime-info.ts';

/** A child of the runtime ended by itself and is started again. */
export type RestartNotice = Extract<ControlReply, { type: 'restart' }>;
/** What the runtime's children are doing. */
export type RuntimeStatus = Extract<ControlReply, { type: 'status' }>;

/** A running runtime that this process holds. */
export interface Runtime extends RuntimeInfo {
  /** True when it ran before this process came. */
  readonly joined: boolean;
  /** Resolves when the runtime has ended, for any reason. */
  readonly closed: Promise<void>;
  onRestart(listener: (notice: RestartNotice) => void): void;
  status(): Promise<RuntimeStatus>;
  /** Releases the hold. The runtime ends if no other command holds it and none asked it to stay; then this waits until everything has ended. */
  stop(): Promise<void>;
  /** Releases the hold and keeps the runtime until `stopRunningRuntime()`. */
  detach(): Promise<void>;
}

/** How a runtime is started. */
export interface StartRuntimeOptions {
  /** Profile with which it is started where none runs. */
  readonly models: string;
  /** A runtime with another profile, or another model server, is joined as well: it is only asked. */
  readonly joinsAny?: boolean;
  /** Called with the progress of the start, in plain lines. */
  readonly onProgress?: (message: string) => void;
  /** Gives up the start. */
  readonly signal?: AbortSignal;
  /** The supervisor's command line behind `node`; tests have their own. */
  readonly supervisorArgs?: readonly string[];
}

/** How long a supervisor may take to say that it is there. */
const SUPERVISOR_START_MS = 20_000;
const END_LIMIT_MS = 10_000;
const LOOK_INTERVAL_MS = 20;
const RETRY_INTERVAL_MS = 150;
const MAX_ATTEMPTS = 5;

interface Launched {
  readonly pid: number | undefined;
  /** Exit code once it has ended; null when it was killed. */
  exit: number | null | 'running';
}

/** Starts a supervisor process. */
function launchSupervisor(config: Config, options: StartRuntimeOptions): Launched {
  const { logDir } = supervisorPaths(config.home);
  const log = openLog(logDir, 'supervisor');
  const args = options.supervisorArgs ?? [
    join(config.repositoryDir, 'cli', 'main.ts'),
    'supervise',
    '--models',
    options.models,
  ];
  const child = spawn(process.execPath, [...args], {
    cwd: config.repositoryDir,
    env: { ...config.environment, DECKHAND_HOME: config.home },
    stdio: ['ignore', 'ignore', log],
    // A session of its own: Ctrl-C in the terminal goes to the command, which ends the runtime in order.
    detached: true,
  });
  closeSync(log);
  child.unref();
  const launched: Launched = { pid: child.pid, exit: 'running' };
  child.once('exit', (code) => (launched.exit = code));
  child.once('error', () => (launched.exit = 127));
  return launched;
}

interface Held {
  readonly client: ControlClient;
  readonly control: ControlFile;
  readonly joined: boolean;
}

/** Connects to the supervisor of this data directory, after starting one where there is none. */
async function findSupervisor(config: Config, options: StartRuntimeOptions): Promise<Held> {
  let launched: Launched | undefined;
  const deadline = performance.now() + SUPERVISOR_START_MS;
  for (;;) {
    options.signal?.throwIfAborted();
    const control = readControlFile(config.home);
    if (control !== undefined) {
      const client = await ControlClient.open(control);
      // Ours may have found another one in its place, and gone.
      if (client !== undefined) return { client, control, joined: control.pid !== launched?.pid };
    } else if (launched === undefined || launched.exit === 0) {
      // Exit code 0 = another supervisor has the lock; it is still starting or already ending.
      if (launched !== undefined) await sleep(RETRY_INTERVAL_MS);
      launched = launchSupervisor(config, options);
    }
    if (launched !== undefined && launched.exit !== 'running' && launched.exit !== 0) {
      throw supervisorFailure(config, 'ended at once');
    }
    if (performance.now() > deadline) throw supervisorFailure(config, 'did not answer');
    await sleep(LOOK_INTERVAL_MS);
  }
}

function supervisorFailure(config: Config, what: string): DeckhandError {
  const { logDir } = supervisorPaths(config.home);
  const tail = lastLogLines(logDir, 'supervisor', 15).join('\n');
  return new DeckhandError('service_unavailable', `the supervisor ${what}\n${tail}`, {
    userMessage: `The supervisor process ${what}.${tail === '' ? '' : ` Last log lines:\n${tail}`}`,
    hint: `Its log is ${logPath(logDir, 'supervisor')}.`,
  });
}

/** Waits for the outcome of the start; undefined when this supervisor is ending. */
function outcomeOf(held: Held, options: StartRuntimeOptions): Promise<RuntimeInfo | undefined> {
  return new Promise((resolveStart, reject) => {
    const stopListening = held.client.listen((reply) => {
      if (reply.type === 'progress') options.onProgress?.(reply.message);
      else if (reply.type === 'ready') finish(() => resolveStart(reply.runtime));
      else if (reply.type === 'stopping') finish(() => resolveStart(undefined));
      else if (reply.type === 'failed') {
        const { code, message, userMessage, hint } = reply;
        finish(() =>
          reject(new DeckhandError(code, message, { userMessage, ...(hint === undefined ? {} : { hint }) })),
        );
      }
    });
    const onAbort = (): void => finish(() => reject(new DeckhandError('cancelled', 'the start was given up')));
    const finish = (settle: () => void): void => {
      stopListening();
      options.signal?.removeEventListener('abort', onAbort);
      settle();
    };
    options.signal?.addEventListener('abort', onAbort, { once: true });
    void held.client.closed.then(() => finish(() => resolveStart(undefined)));
    held.client.send('hold');
  });
}

function refuseOtherModels(config: Config, options: StartRuntimeOptions, info: RuntimeInfo): void {
  const other =
    info.models !== options.models || (config.ollamaHost !== undefined && config.ollamaHost !== info.modelHost);
  if (!other) return;
  throw new DeckhandError('conflict', `runtime has ${info.models} at ${info.modelHost}, wanted ${options.models}`, {
    userMessage: `Deckhand already runs with other models (${info.models} at ${info.modelHost}).`,
    hint: 'End it with `deckhand down` first, or use another data directory (DECKHAND_HOME).',
  });
}

async function waitForEnd(control: ControlFile): Promise<void> {
  if (await waitUntilGone(control, END_LIMIT_MS)) return;
  // Its children's guards take over.
  signalProcess(control, 'SIGKILL');
  await waitUntilGone(control, END_LIMIT_MS);
}

/** Releases the hold. If it was the last, waits until everything has ended. */
async function releaseHold(client: ControlClient, control: ControlFile): Promise<void> {
  const released = await client.ask('release', 'released');
  client.close();
  if (released === undefined || released.stopping) await waitForEnd(control);
}

/**
 * Starts the runtime of this data directory, or joins the one that runs.
 *
 * @throws DeckhandError when a part cannot be started, or when one that may not be joined runs with other models (`conflict`)
 */
export async function startRuntime(config: Config, options: StartRuntimeOptions): Promise<Runtime> {
  ensureHome(config);
  for (let attempt = 1; ; attempt += 1) {
    const held = await findSupervisor(config, options);
    const { client, control } = held;
    let info: RuntimeInfo | undefined;
    try {
      info = await outcomeOf(held, options);
      if (info !== undefined && options.joinsAny !== true) refuseOtherModels(config, options, info);
    } catch (error) {
      await releaseHold(client, control);
      throw error;
    }
    if (info === undefined) {
      client.close();
      await waitForEnd(control);
      // Met one that was ending, or one that was killed while it started; more than a few times is no accident.
      if (attempt >= MAX_ATTEMPTS) throw supervisorFailure(config, 'ended while it started');
      continue;
    }
    return {
      ...info,
      joined: held.joined,
      closed: client.closed,
      onRestart: (listener) => {
        client.listen((reply) => {
          if (reply.type === 'restart') listener(reply);
        });
      },
      status: async () => {
        const status = await client.ask('status', 'status');
        if (status === undefined) throw new DeckhandError('service_unavailable', 'the runtime has ended');
        return status;
      },
      stop: () => releaseHold(client, control),
      detach: async () => {
        await client.ask('keep', 'released');
        client.close();
      },
    };
  }
}

/** Ends the runtime of this data directory, also while commands hold it; false if there is none. */
export async function stopRunningRuntime(config: Config): Promise<boolean> {
  const control = readControlFile(config.home);
  if (control === undefined) return false;
  const client = await ControlClient.open(control);
  await client?.ask('stop', 'released');
  client?.close();
  await waitForEnd(control);
  return true;
}
