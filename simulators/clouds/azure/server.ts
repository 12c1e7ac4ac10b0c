/**
 * A simulated Azure as an HTTP server (core/serving.ts). Used by main.ts and by tests.
 */
import { serveSimulator, type ServingOptions, type SimulatorServer } from '../core/serving.ts';
import { createSimulatedAzure, type SimulatedAzure, type SimulatedAzureOptions } from './app.ts';

export interface AzureServerOptions extends SimulatedAzureOptions, ServingOptions {}

/** `origin` stands in for sign-in, the management API and the price list. */
export interface AzureServer extends SimulatorServer {
  readonly azure: SimulatedAzure;
}

/** Starts a server and resolves when it listens. @throws Error when the scenario or state is not valid, or the port is taken */
export async function startAzureServer(options: AzureServerOptions = {}): Promise<AzureServer> {
  const azure = createSimulatedAzure(options);
  return { azure, ...(await serveSimulator(azure, options)) };
}
