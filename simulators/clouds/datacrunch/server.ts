/**
 * A simulated DataCrunch as an HTTP server (core/serving.ts).
 *
 * Used by main.ts (a process of its own), by `deckhand simulate` and by tests.
 */
import { serveSimulator, type ServingOptions } from '../core/serving.ts';
import { createSimulatedDataCrunch, type SimulatedDataCrunch, type SimulatedDataCrunchOptions } from './app.ts';

export interface DataCrunchServerOptions extends SimulatedDataCrunchOptions, ServingOptions {}

export interface DataCrunchServer {
  readonly datacrunch: SimulatedDataCrunch;
  readonly port: number;
  /** URL of the API, with /v1. */
  readonly baseUrl: string;
  /** Ends the server; its state file stays. */
  stop(): Promise<void>;
}

/** Starts a server and resolves when it listens. @throws Error when the scenario or state is not valid, or the port is taken */
export async function startDataCrunchServer(options: DataCrunchServerOptions = {}): Promise<DataCrunchServer> {
  const datacrunch = createSimulatedDataCrunch(options);
  const server = await serveSimulator(datacrunch, options);
  return { datacrunch, port: server.port, baseUrl: `${server.origin}/v1`, stop: () => server.stop() };
}
