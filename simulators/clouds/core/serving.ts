/** A simulated cloud as an HTTP server on the loopback address, with its state on disk, a model server per running instance, and timers. */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { serve, type HttpBindings, type ServerType } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { writeFileAtomically } from '../../../platform/processes/records.ts';
import { ConnectionFault } from './connection.ts';
import { ModelServers } from './model-servers.ts';
import type { Simulator, Snapshot } from './simulator.ts';

/** A simulated provider, as it is served. */
interface Served extends Simulator {
  /** Told when model servers started or ended. */
  modelServersChanged?(): void;
}

export interface ServingOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** The state is stored here and loaded at the start; without it nothing outlives the server. */
  readonly stateFile?: string;
  /** Start a model server for each running instance; default true. */
  readonly modelServers?: boolean;
}

export interface SimulatorServer<Sim = Simulator> {
  readonly simulator: Sim;
  readonly port: number;
  /** `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** Ends the server; its state file stays. */
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
/** Longest pause between two looks: timers are limited to about 24 days. */
const LONGEST_PAUSE_MS = 60_000;
/** Interval at which model servers are checked: is each alive, and which models were pulled. */
const LOOK_EVERY_MS = 2000;

/** Starts a server and resolves when it listens. @throws Error when the stored state is not valid, or the port is taken */
export async function serveSimulator<Sim extends Served>(
  simulator: Sim,
  options: ServingOptions = {},
): Promise<SimulatorServer<Sim>> {
  const { core } = simulator;
  const stateFile = options.stateFile === undefined ? null : new StateFile(options.stateFile);
  const stored = stateFile?.read() ?? null;
  if (stored !== null) simulator.restore(stored);
  const save = (): void => stateFile?.write(simulator.snapshot());
  const pace = new Pacemaker(simulator, save);
  const answer = async (request: Request, bindings: HttpBindings): Promise<Response> => {
    const before = core.happened;
    try {
      return await simulator.answer(request);
    } catch (error) {
      if (!(error instanceof ConnectionFault)) throw error;
      if (error.how === 'closed') bindings.outgoing.destroy();
      else await once(bindings.outgoing, 'close');
      return RESPONSE_ALREADY_SENT;
    } finally {
      // An answered call must survive a kill, so the state is written before the answer is sent.
      if (request.method !== 'GET' || core.happened > before) save();
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
      : new ModelServers(core, {
          onChange: () => {
            save();
            simulator.modelServersChanged?.();
          },
          onError: (error) => process.stderr.write(`model server: ${String(error)}\n`),
        });
  core.settle();
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
    simulator,
    port,
    origin: `http://${HOST}:${port}`,
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
  readonly #simulated: Pick<Simulator, 'core' | 'clock'>;
  readonly #onChange: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(simulated: Pick<Simulator, 'core' | 'clock'>, onChange: () => void) {
    this.#simulated = simulated;
    this.#onChange = onChange;
  }

  arm(): void {
    clearTimeout(this.#timer);
    const dueMs = this.#simulated.core.nextDueMs();
    if (this.#isStopped || dueMs === null || this.#simulated.clock.kind === 'virtual') return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(0, dueMs - this.#simulated.clock.nowMs()));
    this.#timer = setTimeout(() => this.#look(), pauseMs);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #look(): void {
    const { core } = this.#simulated;
    const before = core.happened;
    core.settle();
    if (core.happened > before) this.#onChange();
    this.arm();
  }
}

class StateFile {
  readonly path: string;

  constructor(file: string) {
    this.path = path.resolve(file);
    mkdirSync(path.dirname(this.path), { recursive: true, mode: 0o700 });
  }

  /** Null if the file does not exist. @throws Error with one readable line if it is not a state file */
  read(): Snapshot<unknown> | null {
    if (!existsSync(this.path)) return null;
    try {
      return JSON.parse(readFileSync(this.path, 'utf8')) as Snapshot<unknown>;
    } catch (error) {
      throw new Error(`${this.path} is not the state of a simulator (${String(error)}); delete it to start anew`, {
        cause: error,
      });
    }
  }

  write(state: Snapshot<unknown>): void {
    writeFileAtomically(this.path, JSON.stringify(state));
  }
}
