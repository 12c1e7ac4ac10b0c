/**
 * Calls on instances.
 */
import { providerError } from '../../errors.ts';
import { readJson } from '../../http/text.ts';
import { classifyRefusal } from '../http/classify.ts';
import { create, getOne, listAll, segment } from '../http/reading.ts';
import type { Transport } from '../http/transport.ts';
import type { Call } from '../../http/wire.ts';
import { actionResultsSchema, instanceSchema, listedInstanceSchema, type InstanceData } from '../schemas/instances.ts';
import { tagCalls } from './tags.ts';

/** A volume made together with an instance. */
export interface NewVolume {
  readonly name: string;
  /** GiB. */
  readonly size: number;
  readonly type?: string;
  /** Only for spot instances; others are refused with it. */
  readonly on_spot_discontinue?: 'keep_detached' | 'move_to_trash' | 'delete_permanently';
}

/** Body of `POST /instances`. */
export interface NewInstance {
  readonly instance_type: string;
  /** Slug or id of an image, or the id of a detached OS volume: then no `os_volume` may be given. */
  readonly image: string;
  readonly hostname: string;
  readonly description: string;
  readonly location_code: string;
  readonly ssh_key_ids?: readonly string[];
  readonly startup_script_id?: string;
  readonly os_volume?: NewVolume;
  readonly volumes?: readonly NewVolume[];
  readonly existing_volumes?: readonly string[];
  readonly is_spot: boolean;
  readonly contract?: 'PAY_AS_YOU_GO' | 'SPOT' | 'LONG_TERM';
  readonly coupon?: string;
  readonly tags?: readonly { readonly key: string; readonly value?: string }[];
}

/** Actions of the documented set. */
export type InstanceAction =
  | 'boot'
  | 'start'
  | 'shutdown'
  | 'force_shutdown'
  | 'delete'
  | 'discontinue'
  | 'hibernate'
  | 'configure_spot'
  | 'delete_stuck'
  | 'deploy'
  | 'transfer';

/** Body of `PUT /instances`, for one instance or many: all actions of a project share one rate limit. */
export interface InstanceActionRequest {
  readonly action: InstanceAction;
  readonly ids: readonly string[];
  /** With `delete`: these volumes are deleted, all others are kept detached. Left out, the provider's answer is not certain. */
  readonly volumeIds?: readonly string[];
  /** The listed volumes skip the trash. */
  readonly deletePermanently?: boolean;
}

/** What became of an action on one instance. */
export interface InstanceActionResult {
  readonly instanceId: string;
  /** `unchanged` = it was in the wanted state already, or the provider answered without a result. */
  readonly outcome: 'accepted' | 'unchanged' | 'refused';
  /** Why it was refused: an error of the class that a single call would have thrown. */
  readonly error: Error | null;
}

export function instanceCalls(http: Transport) {
  return {
    /** All instances but discontinued ones; with `status` those in that status. `tag` is `key` or `key=value`. */
    list: (
      filter: { readonly status?: string; readonly tags?: readonly string[] } = {},
    ): Promise<readonly InstanceData[]> =>
      listAll(http, '/instances', listedInstanceSchema, { query: { status: filter.status, tag: filter.tags } }),

    /** Also finds discontinued ones. @throws DeckhandError `provider_gone` for an id the provider does not know */
    get: (instanceId: string): Promise<InstanceData> =>
      getOne(http, `/instances/${segment(instanceId)}`, instanceSchema),

    /** Orders an instance, once. @returns its id @throws DeckhandError `provider_transient` = whether it was made is unknown */
    create: (body: NewInstance): Promise<string> => create(http, '/instances', body),

    /** Asks for an action. A refusal that concerns all of it is thrown, one of a single instance among many is in its result. */
    act(request: InstanceActionRequest): Promise<readonly InstanceActionResult[]> {
      const { action, ids, volumeIds, deletePermanently } = request;
      const call: Call = {
        kind: 'change',
        method: 'PUT',
        path: '/instances',
        body: {
          action,
          id: ids,
          ...(volumeIds === undefined ? {} : { volume_ids: volumeIds }),
          ...(deletePermanently === undefined ? {} : { delete_permanently: deletePermanently }),
        },
      };
      return http.send(call, (answer) => {
        if (answer.status === 204) return ids.map((instanceId) => ({ instanceId, outcome: 'unchanged', error: null }));
        return resultsOf(request, answer.text);
      });
    },

    ...tagCalls(http, '/instances'),
  };
}

/** Results of a 202 or 207: by instance where the body says so; a body without results means that all were accepted. */
function resultsOf({ action, ids }: InstanceActionRequest, text: string): readonly InstanceActionResult[] {
  const parsed = actionResultsSchema.safeParse(readJson(text));
  const rows = parsed.success ? parsed.data : [];
  return ids.map((instanceId): InstanceActionResult => {
    const row = rows.find((r) => r.instanceId === instanceId) ?? (ids.length === 1 ? rows[0] : undefined);
    if (row?.status !== 'error') return { instanceId, outcome: 'accepted', error: null };
    const message = row.error ?? 'refused without a reason';
    const errorClass = classifyRefusal('change', row.statusCode ?? 400, { code: 'invalid_request', message });
    return { instanceId, outcome: 'refused', error: providerError(errorClass, `${action} ${instanceId}: ${message}`) };
  });
}
