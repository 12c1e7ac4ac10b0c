/**
 * Calls to a container deployment: `/<deployment>/<path>` with the inference key. A call waits in the deployment's queue until a replica
 * has a free place, at most for the queue's time, and is then passed on to the model server of that replica.
 */
import { z } from 'zod';
import type { SimInstance } from '../core/state.ts';
import type { Deployment, Simulation } from './account.ts';
import { ConnectionFault } from '../core/connection.ts';
import { currentReplicas, endIfDone, reconcile, writeLog } from './deployments.ts';
import { errorResponse, notSimulated } from './errors.ts';
import { Waiter } from './traffic.ts';

/** A replica that has a free place, the one with the fewest calls. */
function freeReplica(sim: Simulation, deployment: Deployment): SimInstance | null {
  const [first] = currentReplicas(sim, deployment)
    .filter((r) => r.phase === 'running' && r.modelUrl !== null)
    .map((replica) => ({ replica, served: sim.traffic.served(replica.id) }))
    .filter(({ served }) => served < deployment.scaling.requestsPerReplica)
    .toSorted((a, b) => a.served - b.served);
  return first?.replica ?? null;
}

/** A place at a replica. */
interface Place {
  readonly replica: SimInstance;
  readonly url: string;
  readonly controller: AbortController;
}

/** Waits for a place. @returns the place, or the answer of a call that gets none @throws ConnectionFault when the caller has left */
async function placeFor(sim: Simulation, name: string, signal: AbortSignal): Promise<Place | Response> {
  const { cloud, traffic } = sim;
  const waiter = new Waiter();
  const sinceMs = cloud.clock.nowMs();
  traffic.join(name, waiter);
  const onAbort = (): void => waiter.wake();
  signal.addEventListener('abort', onAbort);
  try {
    for (;;) {
      const nowMs = cloud.settle();
      const deployment = sim.account.deployments[name];
      if (signal.aborted) throw new ConnectionFault('closed');
      if (deployment === undefined) return errorResponse(404, 'not_found', 'Deployment not found');
      if (waiter.isPurged) return errorResponse(503, 'service_unavailable', 'The queue was purged');
      const [first] = traffic.waiting(name);
      const replica = first === waiter ? freeReplica(sim, deployment) : null;
      if (replica !== null) return { replica, url: replica.modelUrl ?? '', controller: traffic.begin(replica.id) };
      const endMs = sinceMs + deployment.scaling.queueTtlMs;
      if (nowMs >= endMs) return errorResponse(504, 'queue_message_expired', 'No replica took the request in time');
      reconcile(sim, deployment, nowMs);
      await waiter.pause(cloud.clock, Math.max(0, Math.min(endMs, cloud.nextDueMs() ?? endMs) - nowMs));
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    traffic.leave(name, waiter);
  }
}

/** Headers that belong to one connection, or to a body that `fetch` has decoded. */
const HOP_HEADERS = [
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
];

function passedHeaders(headers: Headers): Headers {
  const passed = new Headers(headers);
  for (const name of HOP_HEADERS) passed.delete(name);
  return passed;
}

/** The same bytes; `onEnd` is called once they are over, however they end. */
function watched(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      onEnd();
    },
    cancel: async (reason) => {
      onEnd();
      await reader.cancel(reason);
    },
  });
}

/** Passes a call on to the replica that has a place for it. */
async function passOn(sim: Simulation, name: string, { replica, url, controller }: Place, call: Request, path: string) {
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    sim.traffic.end(replica.id, controller);
    const nowMs = sim.cloud.settle();
    endIfDone(sim, replica, nowMs);
    const deployment = sim.account.deployments[name];
    if (deployment !== undefined) reconcile(sim, deployment, nowMs);
    sim.traffic.wake(name);
  };
  const log = (outcome: string): void => {
    const deployment = sim.account.deployments[name];
    const { pathname } = new URL(path, url);
    if (deployment !== undefined)
      writeLog(deployment, sim.cloud.clock.nowMs(), replica.hostname, `${call.method} ${pathname} ${outcome}`);
  };
  try {
    const hasBody = call.method !== 'GET' && call.method !== 'HEAD';
    const answer = await fetch(new URL(path, url), {
      method: call.method,
      headers: passedHeaders(call.headers),
      ...(hasBody ? { body: await call.arrayBuffer() } : {}),
      redirect: 'manual',
      signal: AbortSignal.any([call.signal, controller.signal]),
    });
    log(String(answer.status));
    const init = { status: answer.status, headers: passedHeaders(answer.headers) };
    if (answer.body !== null) return new Response(watched(answer.body, end), init);
    end();
    return new Response(null, init);
  } catch (error) {
    end();
    if (call.signal.aborted) throw new ConnectionFault('closed');
    log('cut');
    return errorResponse(502, 'server_error', `The replica did not answer: ${String(error)}`);
  }
}

const bearer = z.string().regex(/^bearer /iu);

/** Answers a call to a deployment. @throws ConnectionFault when the caller has left */
export async function answerAtEndpoint(sim: Simulation, call: Request): Promise<Response> {
  const { pathname, search } = new URL(call.url);
  const [, name = '', ...rest] = pathname.split('/');
  if (sim.account.deployments[name] === undefined) return errorResponse(404, 'not_found', 'Not found');
  const header = bearer.safeParse(call.headers.get('authorization'));
  if (!header.success || header.data.slice('bearer '.length) !== sim.inferenceKey)
    return errorResponse(401, 'unauthorized_request', 'Invalid inference key');
  if (call.headers.get('prefer')?.includes('respond-async') === true)
    return notSimulated('asynchronous inference').toResponse();
  const place = await placeFor(sim, name, call.signal);
  return place instanceof Response ? place : passOn(sim, name, place, call, `/${rest.join('/')}${search}`);
}
