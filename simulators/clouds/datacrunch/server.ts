/**
 * A simulated DataCrunch as an HTTP server, with its state on disk, a model server per running instance, and timers.
 *
 * Used by main.ts (a process of its own), by `deckhand simulate` and by tests.
 */
import { once } from 'node:events';
import { serve, type HttpBindings, type ServerType } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { writeFileAtomically } from '../../../platform/processes/records.ts';
import { ModelServers } from '../core/model-servers.ts';
import type { DataCrunchSnapshot } from './account.ts';
import { createSimulatedDataCrunch, type SimulatedDataCrunch, type SimulatedDataCrunchOptions } from './app.ts';
import { ConnectionFault } from './connection.ts';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface DataCrunchServerOptions extends SimulatedDataCrunchOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** The state is stored here and loaded at the start; without it nothing outlives the server. */
  readonly stateFile?: string;
  /** Start a model server for each running instance; default true. */
  readonly modelServers?: boolean;
}

export interface DataCrunchServer {
  readonly datacrunch: SimulatedDataCrunch;
  readonly port: number;
  /** URL of the API, with /v1. */
  readonly baseUrl: string;
  /** Ends the server; its state file stays. */
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
/** Longest pause between two looks: timers are limited to about 24 days. */
const LONGEST_PAUSE_MS = 60_000;
/** Interval at which model servers are checked: is each alive, and which models were pulled. */
const LOOK_EVERY_MS = 2000;

/** Starts a server and resolves when it listens. @throws Error when the scenario or state is not valid, or the port is taken */
export async function startDataCrunchServer(options: DataCrunchServerOptions = {}): Promise<DataCrunchServer> {
  const datacrunch = createSimulatedDataCrunch(options);
  const stateFile = options.stateFile === undefined ? null : new StateFile<DataCrunchSnapshot>(options.stateFile);
  const stored = stateFile?.read() ?? null;
  if (stored !== null) datacrunch.restore(stored);
  const save = (): void => stateFile?.write(datacrunch.snapshot());
  const pace = new Pacemaker(datacrunch, save);
  const answer = async (request: Request, bindings: HttpBindings): Promise<Response> => {
    const before = datacrunch.core.happened;
    try {
      return await datacrunch.answer(request);
    } catch (error) {
      if (!(error instanceof ConnectionFault)) throw error;
      if (error.how === 'closed') bindings.outgoing.destroy();
      else await once(bindings.outgoing, 'close');
      return RESPONSE_ALREADY_SENT;
    } finally {
      // An answered call must survive a kill, so the state is written before the answer is sent.
      if (request.method !== 'GET' || datacrunch.core.happened > before) save();
      pace.arm();
    }
  };
  const server = serve({
    fetch: (request, bindings) => answer(request, bindings as HttpBindings),
    hostname: HOST,
    port: options.port ?? 0,
  });
  await listening(server);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : (options.port ?? 0);
  const servers =
    options.modelServers === false
      ? null
      : new ModelServers(datacrunch.core, {
          onChange: () => {
            save();
            datacrunch.modelServersChanged();
          },
          onError: (error) => process.stderr.write(`model server: ${String(error)}\n`),
        });
  datacrunch.core.settle();
  await servers?.reconcile();
  save();
  pace.arm();
  const looking = setInterval(() => {
    void servers?.reconcile();
    void servers?.remember();
    // An answer that ended after its call may have planned something.
    pace.arm();
  }, LOOK_EVERY_MS);
  return {
    datacrunch,
    port,
    baseUrl: `http://${HOST}:${port}/v1`,
    stop: async () => {
      clearInterval(looking);
      pace.stop();
      const closed = once(server, 'close');
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await closed;
      await servers?.close();
      save();
    },
  };
}

async function listening(server: ServerType): Promise<void> {
  if (!server.listening) await once(server, 'listening');
}

/** Calls `settle` when an event is due, because the core has no timers. Does nothing on a virtual clock. */
class Pacemaker {
  readonly #datacrunch: SimulatedDataCrunch;
  readonly #onChange: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(datacrunch: SimulatedDataCrunch, onChange: () => void) {
    this.#datacrunch = datacrunch;
    this.#onChange = onChange;
  }

  arm(): void {
    clearTimeout(this.#timer);
    const dueMs = this.#datacrunch.core.nextDueMs();
    if (this.#isStopped || dueMs === null || this.#datacrunch.clock.kind === 'virtual') return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(0, dueMs - this.#datacrunch.clock.nowMs()));
    this.#timer = setTimeout(() => this.#look(), pauseMs);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #look(): void {
    const { core } = this.#datacrunch;
    const before = core.happened;
    core.settle();
    if (core.happened > before) this.#onChange();
    this.arm();
  }
}

class StateFile<State> {
  readonly path: string;

  constructor(file: string) {
    this.path = path.resolve(file);
    mkdirSync(path.dirname(this.path), { recursive: true, mode: 0o700 });
  }

  /** Null if the file does not exist. @throws Error with one readable line if it is not a state file */
  read(): State | null {
    if (!existsSync(this.path)) return null;
    try {
      return JSON.parse(readFileSync(this.path, 'utf8')) as State;
    } catch (error) {
      throw new Error(`${this.path} is not the state of a simulator (${String(error)}); delete it to start anew`, {
        cause: error,
      });
    }
  }

  write(state: State): void {
    writeFileAtomically(this.path, JSON.stringify(state));
  }
}
