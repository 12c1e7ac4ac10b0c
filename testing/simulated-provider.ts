/**
 * The simulated DataCrunch behind a socket of the test process: it outlives every process of Deckhand that a test kills, and the test sees
 * everything that exists, whatever the API shows.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ScenarioInput } from '../simulators/clouds/core/scenario.ts';
import { createSimulatedDataCrunch, type SimulatedDataCrunch } from '../simulators/clouds/datacrunch/app.ts';
import { ConnectionFault } from '../simulators/clouds/core/connection.ts';
import { createDataCrunchClient, type DataCrunchClient } from '../clouds/datacrunch/client.ts';
import { endServer, listen } from './server.ts';

export interface SimulatedProvider extends SimulatedDataCrunch {
  /** With /v1. */
  readonly baseUrl: string;
  /** A client of it, as Deckhand's own. */
  client(): DataCrunchClient;
  /** Every call that arrived, as `METHOD /path`, oldest first. */
  readonly calls: readonly string[];
  stop(): Promise<void>;
}

/** Starts it on a free port. The models of all its machines are those at `modelUrl`. */
export async function startSimulatedProvider(scenario: ScenarioInput, modelUrl: string): Promise<SimulatedProvider> {
  const simulator = createSimulatedDataCrunch({ scenario });
  simulator.core.onTransition((instance) => {
    instance.modelUrl = instance.phase === 'running' ? modelUrl : null;
  });
  const calls: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '/' } = request;
    const body = await buffer(request);
    calls.push(`${method} ${url.replace(/^\/v1/u, '')}`);
    try {
      const answered = await simulator.answer(
        new Request(`http://datacrunch.simulated${url}`, {
          method,
          headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
          ...(body.length === 0 ? {} : { body }),
        }),
      );
      response.writeHead(answered.status, Object.fromEntries(answered.headers));
      response.end(Buffer.from(await answered.arrayBuffer()));
    } catch (error) {
      if (!(error instanceof ConnectionFault)) throw error;
      // Silence is silence: the client's own limit ends it.
      if (error.how === 'closed') request.socket.destroy();
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  const port = await listen(server);
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const { clientId, clientSecret } = simulator;
  return {
    ...simulator,
    baseUrl,
    client: () => createDataCrunchClient({ baseUrl, credentials: { clientId, clientSecret } }),
    calls,
    stop: () => endServer(server),
  };
}
