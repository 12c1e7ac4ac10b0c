/** `PUT /instances`: one action on one or several instances. */
import { Hono } from 'hono';
import { z } from 'zod';
import { CloudRefusal } from '../../core/refusal.ts';
import type { Disposal, SimInstance } from '../../core/state.ts';
import type { Env, Simulation } from '../account.ts';
import { oneOrMany, optional, parseBody } from '../body.ts';
import { ApiError, apiErrorOf } from '../errors.ts';
import { machineOf } from '../lookup.ts';

/** Every action, with the verb in the message of a refusal. */
const VERBS = {
  boot: 'start',
  start: 'start',
  shutdown: 'shutdown',
  delete: 'discontinue',
  discontinue: 'discontinue',
  hibernate: 'hibernate',
  configure_spot: 'configure',
  force_shutdown: 'shutdown',
  delete_stuck: 'discontinue',
  deploy: 'deploy',
  transfer: 'transfer',
} as const satisfies Record<string, string>;

const actionSchema = z.object({
  action: z.enum(Object.keys(VERBS) as (keyof typeof VERBS)[]),
  id: oneOrMany,
  volume_ids: optional(z.array(z.string())),
  delete_permanently: optional(z.boolean()),
});
type ActionRequest = z.output<typeof actionSchema>;

/** What a delete does with the disks: `volume_ids` may be absent, empty or a list. */
function disposalsOf({ dialect }: Simulation, instance: SimInstance, request: ActionRequest): Record<string, Disposal> {
  const { volume_ids: named } = request;
  if (named === undefined)
    return instance.osVolumeId !== null && dialect.deleteWithoutVolumeIds === 'trash_os'
      ? { [instance.osVolumeId]: 'trash' }
      : {};
  // Without volume_ids the provider ignores delete_permanently.
  const disposal: Disposal = request.delete_permanently === true ? 'purge' : 'trash';
  return Object.fromEntries(named.filter((id) => instance.volumeIds.includes(id)).map((id) => [id, disposal]));
}

/** @throws ApiError, CloudRefusal */
function act(sim: Simulation, id: string, request: ActionRequest): 'done' | 'already' {
  const { cloud, dialect } = sim;
  const instance = machineOf(sim, id);
  switch (request.action) {
    case 'boot':
    case 'start':
      return cloud.start(id);
    case 'shutdown':
      return cloud.stop(id);
    case 'force_shutdown':
      return cloud.stop(id, true);
    case 'delete':
    case 'discontinue':
    case 'delete_stuck':
      if ((instance.phase === 'gone' || instance.phase === 'deleting') && dialect.doubleDelete === '204')
        return 'already';
      cloud.delete(id, disposalsOf(sim, instance, request));
      return 'done';
    case 'hibernate':
      if (instance.phase === 'running' || instance.phase === 'stopping')
        throw new ApiError('forbidden_action', "Can't hibernate a running instance");
      // Hibernation ends the machine and keeps its disks.
      cloud.delete(id, {});
      return 'done';
    case 'configure_spot':
    case 'deploy':
    case 'transfer':
      throw new ApiError('forbidden_action', `Action ${request.action} is not available`);
  }
}

interface Outcome {
  readonly instanceId: string;
  readonly action: string;
  readonly status: 'success' | 'error';
  readonly error?: string;
  readonly statusCode?: number;
}

export const actionRoutes = new Hono<Env>().on(['PUT', 'POST'], ['/instances', '/instances/action'], (c) => {
  const { sim, body } = c.env;
  const request = parseBody(actionSchema, body);
  if (request.id.length === 0) throw new ApiError('invalid_request', 'id should not be empty');
  const outcomes: Outcome[] = [];
  let already = 0;
  let failure: ApiError | null = null;
  for (const instanceId of request.id) {
    try {
      if (act(sim, instanceId, request) === 'already') already += 1;
      outcomes.push({ instanceId, action: request.action, status: 'success' });
    } catch (error) {
      if (!(error instanceof CloudRefusal) && !(error instanceof ApiError)) throw error;
      failure = error instanceof ApiError ? error : apiErrorOf(error, VERBS[request.action]);
      outcomes.push({
        instanceId,
        action: request.action,
        status: 'error',
        error: failure.message,
        statusCode: failure.status,
      });
    }
  }
  if (request.id.length === 1) {
    if (failure !== null) throw failure;
    if (already === 1) return c.body(null, 204);
  }
  return c.json(outcomes, failure === null ? 202 : 207);
});
