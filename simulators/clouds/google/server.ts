/**
 * A simulated Google as an HTTP server (core/serving.ts). Used by main.ts and by tests.
 */
import { serveSimulator, type ServingOptions, type SimulatorServer } from '../core/serving.ts';
import { createSimulatedGoogle, type SimulatedGoogle, type SimulatedGoogleOptions } from './app.ts';

export interface GoogleServerOptions extends SimulatedGoogleOptions, ServingOptions {}

/** `origin` is the address of every service. */
export interface GoogleServer extends SimulatorServer {
  readonly google: SimulatedGoogle;
}

/** Starts a server and resolves when it listens. @throws Error when the scenario or state is not valid, or the port is taken */
export async function startGoogleServer(options: GoogleServerOptions = {}): Promise<GoogleServer> {
  const google = createSimulatedGoogle(options);
  return { google, ...(await serveSimulator(google, options)) };
}
