/**
 * A simulated AWS as an HTTP server (core/serving.ts). Used by main.ts and by tests.
 */
import { serveSimulator, type ServingOptions, type SimulatorServer } from '../core/serving.ts';
import { createSimulatedAws, type SimulatedAws, type SimulatedAwsOptions } from './app.ts';

export interface AwsServerOptions extends SimulatedAwsOptions, ServingOptions {}

/** `origin` is the endpoint of every service and region. */
export interface AwsServer extends SimulatorServer {
  readonly aws: SimulatedAws;
}

/** Starts a server and resolves when it listens. @throws Error when the scenario or state is not valid, or the port is taken */
export async function startAwsServer(options: AwsServerOptions = {}): Promise<AwsServer> {
  const aws = createSimulatedAws(options);
  return { aws, ...(await serveSimulator(aws, options)) };
}
