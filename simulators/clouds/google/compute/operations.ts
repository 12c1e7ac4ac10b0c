/**
 * Operations: every change is answered with one. It ends after a while, or when its instance gets there, and with an error where the change
 * came to nothing.
 */
import { drawUuid } from '../../core/random.ts';
import type { Awaited, Call, OperationRecord, Simulation } from '../account.ts';
import { numericId, ZONES } from '../catalogue.ts';
import { notFound, type OperationError } from '../errors.ts';
import { linkTo, resourceName, writtenTime } from './links.ts';
import { listAnswer, type Row } from './lists.ts';

/** Ended operations are kept for this many; older ones are forgotten. */
const MOST_KEPT = 2_000;

export interface NewOperation {
  readonly type: string;
  /** Empty = global. */
  readonly zone: string;
  /** Path of what it changes, below the project. */
  readonly target: string;
  readonly targetId?: string;
  readonly instanceId?: string;
  readonly awaits?: Awaited;
  readonly error?: OperationError;
}

/** Begins an operation. One that waits for nothing ends after the time of the dialect. */
export function beginOperation(call: Call, wanted: NewOperation): OperationRecord {
  const { sim, nowMs } = call;
  const { random } = sim.cloud.state;
  const { awaits = null, error = null } = wanted;
  const operation: OperationRecord = {
    name: `operation-${nowMs}-${drawUuid(random).slice(0, 13)}`,
    id: numericId(random),
    type: wanted.type,
    zone: wanted.zone,
    target: wanted.target,
    targetId: wanted.targetId ?? wanted.instanceId ?? numericId(random),
    insertAtMs: nowMs,
    instanceId: wanted.instanceId ?? null,
    awaits,
    endAtMs: awaits === null ? nowMs + Math.round(sim.dialect.operationSec * 1000) : null,
    error,
  };
  const { operations } = sim.account;
  const names = Object.keys(operations);
  if (names.length >= MOST_KEPT) delete operations[names[0] ?? ''];
  operations[operation.name] = operation;
  return operation;
}

/** Ends the operations of an instance that wait for this phase, and those whose phase can no longer come. */
export function endOperations(sim: Simulation, instanceId: string, phase: Exclude<Awaited, null>, atMs: number): void {
  for (const operation of Object.values(sim.account.operations)) {
    if (operation.instanceId !== instanceId || operation.endAtMs !== null) continue;
    if (operation.awaits === phase) operation.endAtMs = atMs;
    else if (phase === 'gone') failOperation(operation, removed(sim, operation), atMs);
  }
}

/** Ends an operation with an error. */
export function failOperation(operation: OperationRecord, error: OperationError, atMs: number): void {
  operation.error = error;
  operation.endAtMs = atMs;
}

/** Its instance was removed meanwhile. */
const removed = (sim: Simulation, { target }: OperationRecord): OperationError => ({
  code: 'CONFLICT',
  message: `The resource '${resourceName(sim, target)}' was deleted while the operation was running`,
  httpStatus: 409,
});

/** The insert of an instance that goes on; undefined when there is none. */
export const openInsert = (sim: Simulation, instanceId: string): OperationRecord | undefined =>
  Object.values(sim.account.operations).find(
    (one) => one.instanceId === instanceId && one.type === 'insert' && one.endAtMs === null,
  );

const pathOf = ({ zone, name }: OperationRecord): string =>
  zone === '' ? `/global/operations/${name}` : `/zones/${zone}/operations/${name}`;

function errorTree(error: OperationError): Row {
  const { code, message, httpStatus, errorInfo } = error;
  const details =
    errorInfo === undefined
      ? {}
      : { errorDetails: [{ errorInfo: { domain: 'compute.googleapis.com', ...errorInfo } }] };
  return {
    error: { errors: [{ code, message, ...details }] },
    httpErrorStatusCode: httpStatus,
    httpErrorMessage: httpStatus === 409 ? 'CONFLICT' : httpStatus === 403 ? 'FORBIDDEN' : 'SERVICE UNAVAILABLE',
  };
}

/** An operation as it stands. */
export function operationTree(sim: Simulation, operation: OperationRecord, nowMs: number): Row {
  const { name, id, type, zone, target, targetId, insertAtMs, endAtMs, error } = operation;
  const isDone = endAtMs !== null && endAtMs <= nowMs;
  return {
    kind: 'compute#operation',
    id,
    name,
    ...(zone === '' ? {} : { zone: linkTo(sim, `/zones/${zone}`) }),
    operationType: type,
    targetLink: linkTo(sim, target),
    targetId,
    status: isDone ? 'DONE' : 'RUNNING',
    user: 'simulated@example.com',
    progress: isDone ? 100 : 0,
    insertTime: writtenTime(insertAtMs),
    startTime: writtenTime(insertAtMs),
    ...(isDone ? { endTime: writtenTime(endAtMs) } : {}),
    ...(isDone && error !== null ? errorTree(error) : {}),
    selfLink: linkTo(sim, pathOf(operation)),
  };
}

/** The answer to the change that began it. */
export const answerWith = ({ sim, nowMs }: Call, operation: OperationRecord): Row =>
  operationTree(sim, operation, nowMs);

/** `GET` of an operation, and `POST …/wait`, which here does not wait. */
export function getOperation(call: Call): unknown {
  const { sim, params, nowMs } = call;
  const zone = params['zone'] ?? '';
  const operation = sim.account.operations[params['name'] ?? ''];
  if (operation === undefined || operation.zone !== zone)
    throw notFound(`projects/${sim.project}${zone === '' ? '/global' : `/zones/${zone}`}/operations/${params['name']}`);
  return operationTree(sim, operation, nowMs);
}

/** `GET` of all operations of a zone. */
export function listOperations(call: Call): unknown {
  const { sim, params, nowMs } = call;
  const zone = params['zone'] ?? '';
  if (!ZONES.includes(zone)) throw notFound(`projects/${sim.project}/zones/${zone}`);
  const rows = Object.values(sim.account.operations)
    .filter((operation) => operation.zone === zone)
    .map((operation) => operationTree(sim, operation, nowMs));
  return listAnswer(call, 'compute#operationList', `/zones/${zone}/operations`, rows);
}
