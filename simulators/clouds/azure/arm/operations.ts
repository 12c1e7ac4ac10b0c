/** Changes that go on after their answer: the headers that name the operation, and what becomes of it. */
import { drawUuid } from '../../core/random.ts';
import type { Call, Operation } from '../account.ts';
import { ArmError } from '../errors.ts';

/** The headers of an answer that names its operation. */
type OperationHeaders = Readonly<Record<string, string>>;

function begin(call: Call, namespace: string, operation: Operation): OperationHeaders {
  const { account, cloud, secrets } = call.sim;
  const id = drawUuid(cloud.state.random);
  account.operations[id] = operation;
  const url = `${call.url.origin}/subscriptions/${secrets.subscriptionId}/providers/${namespace}/locations/any/operations/${id}?api-version=2024-07-01`;
  // Without a body the client is told where to look, too.
  const location = operation.of === 'create' ? {} : { location: `${url}&monitor=true` };
  return { 'azure-asyncoperation': url, 'retry-after': '1', ...location };
}

/** Begins a change of a machine. */
export const machineOperation = (
  call: Call,
  of: Exclude<Operation['of'], 'network'>,
  instanceId: string,
  failure: Operation['failure'] = null,
): OperationHeaders =>
  begin(call, 'Microsoft.Compute', { startedAtMs: call.nowMs, of, instanceId, doneAtMs: call.nowMs, failure });

/** Begins a change of a piece of a network. */
export const networkOperation = (call: Call, doneAtMs: number): OperationHeaders =>
  begin(call, 'Microsoft.Network', { startedAtMs: call.nowMs, of: 'network', instanceId: '', doneAtMs, failure: null });

type Outcome = 'InProgress' | 'Succeeded' | 'Failed';

function outcomeOf({ sim, nowMs }: Call, { of, instanceId, doneAtMs, failure }: Operation): Outcome {
  if (failure !== null) return 'Failed';
  const phase = sim.cloud.state.instances[instanceId]?.phase;
  switch (of) {
    case 'network':
      return doneAtMs > nowMs ? 'InProgress' : 'Succeeded';
    case 'create':
    case 'start':
      if (phase === 'failed') return 'Failed';
      return phase === 'accepted' || phase === 'preparing' || phase === 'starting' ? 'InProgress' : 'Succeeded';
    case 'deallocate':
      return phase === 'stopping' ? 'InProgress' : 'Succeeded';
    case 'delete':
      return phase === 'gone' || phase === undefined ? 'Succeeded' : 'InProgress';
  }
}

/** Answers a question about an operation. @throws ArmError for one that is not known */
export function operations(call: Call, id: string): Response {
  const operation = call.sim.account.operations[id];
  if (operation === undefined) throw new ArmError('NotFound', `The operation ${id} is not found.`, 404);
  const status = outcomeOf(call, operation);
  const machine = Object.values(call.sim.account.machines).find((one) => one.instanceId === operation.instanceId);
  const error = operation.failure ?? machine?.failure ?? null;
  if (call.url.searchParams.get('monitor') === 'true')
    return new Response(null, { status: status === 'InProgress' ? 202 : 200 });
  return Response.json({
    startTime: new Date(operation.startedAtMs).toISOString(),
    status,
    name: id,
    ...(status === 'Failed' && error !== null ? { error } : {}),
  });
}
