/** Contract to start, signal and query an instance: names, ids, input. No workflow code. */
import type {
  InstanceRequest,
  InstanceSettings,
  InstanceState,
  ReadinessFacts,
  Transition,
} from '../domain/fleet/instance-life/types.ts';
import type { ReadinessFailure } from '../domain/fleet/instance-life/memory.ts';
import type { Market } from '../domain/fleet/selection/offer.ts';
import type { HealthSubject } from '../domain/fleet/instance-life/health-subject.ts';
import type { EvictionNotice } from '../domain/fleet/provider/eviction-notice.ts';
import type { PoolConfig } from '../domain/fleet/pool/pool-config.ts';
import type { ReachedEndpoint } from '../domain/fleet/pool/endpoint-config.ts';
import type { ServerKind } from '../domain/models/server-kind.ts';

/** Workflow type of one instance's life. */
export const INSTANCE_WORKFLOW = 'instanceLife';

/** Workflow id of an instance. */
export const makeInstanceWorkflowId = (name: string): string => `instance/${name}`;

/** Signal: something is asked of it. Argument {@link InstanceAsk}. Sent by the pool workflow only. */
export const REQUEST_SIGNAL = 'requested';
export interface InstanceAsk {
  readonly request: InstanceRequest;
  readonly reason: string;
  /** Of a wake: how the machine is to be rented, in a pool with a mix. */
  readonly market?: Market;
}

/** Signal: something is asked of it for its health. Argument {@link HealthAsk}. Sent by the pool workflow only. */
export const HEALTH_REQUEST_SIGNAL = 'healthAsked';

/** Signal from the gateway: the result of a readiness check. `attachment` is the command id of `serve`. */
export const READINESS_SIGNAL = 'proof';
export type ReadinessReport = { readonly attachment: number } & (
  | { readonly kind: 'proved'; readonly facts: ReadinessFacts }
  | { readonly kind: 'failed'; readonly failure: ReadinessFailure; readonly message: string }
);

/** Signal from the gateway: the provider takes the machine back. `attachment` is the command id of `serve`. Argument {@link NoticeReport}. */
export const NOTICE_SIGNAL = 'evictionNotice';
export interface NoticeReport extends EvictionNotice {
  readonly attachment: number;
}

/** Query that answers the {@link InstanceState}. */
export const STATE_QUERY = 'state';

/** Input of {@link INSTANCE_WORKFLOW}. */
export interface InstanceWorkflowInput {
  readonly name: string;
  readonly provider: string;
  readonly pool: PoolConfig;
  readonly settings: InstanceSettings;
  /** Static hosts: the server that runs already; then nothing is ever created or destroyed. */
  readonly staticUrl: string | null;
  /** Why it is wanted; absent = for work or a minimum of its pool. */
  readonly reason?: string;
  /** Where the Temporal UI is, for links between workflows; absent = not known. */
  readonly uiUrl?: string;
  readonly maxHistoryLength?: number;
  /** State of a continued run; absent at the first. */
  readonly resume?: InstanceResume;
}

/** State carried through continue-as-new: plain JSON. */
export interface InstanceResume {
  readonly state: InstanceState;
  /** Transitions stored so far: the position of the next one. */
  readonly position: number;
  /** The last transitions, oldest first, for the Temporal UI. */
  readonly recent: readonly Transition[];
  /** The last order to its health loop; absent = none. */
  readonly health?: HealthNotice;
}

/** The content of an order to the health loop. */
export interface HealthNotice {
  readonly standing: HealthSubject;
  /** Number of the order. */
  readonly position: number;
}

/** How an instance's life ended. */
export interface InstanceEnd {
  readonly phase: 'gone' | 'failed';
  readonly reason: string;
}

/** Input of the `serveInstance` activity. */
export interface ServeInput {
  readonly instance: string;
  readonly pool: string;
  readonly classes: readonly string[];
  /** True: it takes calls of its pool's own queues; absent = of the queues of all pools. */
  readonly ownQueues?: boolean;
  /** Profile whose models it has to hold; absent = the installation's. */
  readonly models?: string;
  /** Command id of the attachment; reports of its readiness check echo it. */
  readonly attachment: number;
  readonly endpoint: ServeEndpoint;
  /** Protocol of its model server; absent = that of Ollama. */
  readonly serverKind?: ServerKind;
  /** A server that runs already: its URL, by which instances of several profiles share it; absent = nobody else's. */
  readonly serverUrl?: string;
  readonly proveTimeoutMs: number;
  readonly drainTimeoutMs: number;
  /**
   * True (default): missing models are pulled onto it and it must generate on its GPU. False: a server that runs already; it must hold the
   * pinned models, and nothing is pulled onto it. What language models can do is found out on either.
   */
  readonly rented?: boolean;
  /** True: readiness is not checked and no call is taken; the machine is looked at and repaired over its host queue. */
  readonly watchOnly?: boolean;
  /** True: it is a spot machine, so it is asked for the notice of an eviction. */
  readonly mayBeTakenBack?: boolean;
  /** Calls at the same time; as many as this installation's machines take where left out. */
  readonly slots?: number;
}

/** How a gateway reaches a model server. */
export type ServeEndpoint =
  | { readonly kind: 'url'; readonly url: string }
  | ReachedEndpoint
  | {
      readonly kind: 'ssh';
      readonly host: string;
      readonly port: number;
      readonly user: string;
      /** Port of the model server on the machine's loopback; 11434 by default. */
      readonly modelPort?: number;
    };
