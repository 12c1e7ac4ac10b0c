/** The state of a simulated cloud as plain JSON, as `snapshot()` returns it and a state file holds it. */
import type { Market } from '../../../domain/fleet/selection/offer.ts';
import type { ServedModel } from '../../machine/served-model.ts';
import type { MachineState } from '../../machine/state.ts';
import type { FaultRule } from './faults.ts';
import type { RandomState } from './random.ts';
import type { Quotas } from './scenario.ts';

/** Phase of an instance. Each provider has its own words for these. */
export type Phase =
  | 'accepted'
  | 'preparing'
  | 'running'
  | 'stopping'
  | 'stopped'
  | 'starting'
  | 'deleting'
  | 'gone'
  | 'failed';

export type FailureKind = 'no_capacity' | 'installation_failed' | 'error';

/** Fault of the model server of an instance. */
export type ModelFault = 'cpu_only' | 'wedged' | 'dead';

/** What happens to a volume when its instance ends. */
export type Disposal = 'keep' | 'trash' | 'purge';

export interface Tag {
  readonly id: string;
  readonly key: string;
  readonly value: string;
}

/** A volume that is created with an instance. */
export interface NewVolume {
  readonly name: string;
  readonly sizeGib: number;
  readonly type: string;
  /** What happens to it on a spot eviction. */
  readonly onEviction: Disposal;
  readonly tags: readonly Tag[];
}

export interface SimInstance {
  readonly id: string;
  readonly hostname: string;
  readonly description: string;
  instanceType: string;
  readonly location: string;
  readonly market: Market;
  gpuCount: number;
  vcpu: number;
  /** Image slug or id; the volume's id on a boot from a volume. */
  readonly image: string;
  readonly bootedFromVolume: boolean;
  /** It boots from a disk of its own, which is no volume. */
  readonly hasOwnDisk: boolean;
  /** A replica of a container deployment, with durations and billing of its own. */
  readonly isReplica: boolean;
  /** Empty on a boot from a volume, and the script is null: nothing is injected then. */
  readonly sshKeyIds: readonly string[];
  readonly startupScriptId: string | null;
  usdPerHour: number;
  /** It exists from this time on; in the future for a create that lands later. */
  readonly createdAtMs: number;
  /** Lists show it from this time on. */
  readonly listedAtMs: number;
  /** Reads by id find it from this time on. */
  readonly readableAtMs: number;
  /** While it is prepared, a delete is refused before this time; null = all the time. */
  readonly deletableAtMs: number | null;
  readonly modelFault: ModelFault | null;
  phase: Phase;
  failure: FailureKind | null;
  /** Status words shown instead of the phase's, each until its time, in order. */
  readonly words: readonly { readonly untilMs: number; readonly word: string }[];
  readonly history: { readonly atMs: number; readonly phase: Phase }[];
  ip: string | null;
  osVolumeId: string | null;
  volumeIds: string[];
  /** Created when preparing starts; the first is the OS volume unless one exists. */
  newVolumes: readonly NewVolume[];
  tags: Tag[];
  /** What happens to each volume at its end; volumes not named are kept. */
  disposals: Record<string, Disposal>;
  endedBy: 'delete' | 'eviction' | 'no_funds' | null;
  holdsStock: boolean;
  /** End of the notice of its eviction; null or absent = no notice was given. */
  evictsAtMs?: number | null;
  /** Planned events of an older plan are void. */
  plan: number;
  /** URL of its model server. */
  modelUrl: string | null;
  /** The model that its vLLM serves; absent = it runs Ollama. */
  readonly vllm?: ServedModel | undefined;
}

/** `trashed` can be restored, `purged` cannot. */
export type VolumeStatus = 'ordered' | 'cloning' | 'detached' | 'attached' | 'detaching' | 'trashed' | 'purged';

export interface SimVolume {
  readonly id: string;
  name: string;
  sizeGib: number;
  readonly type: string;
  readonly location: string;
  readonly isOs: boolean;
  readonly createdAtMs: number;
  readonly sshKeyIds: readonly string[];
  onEviction: Disposal;
  status: VolumeStatus;
  instanceId: string | null;
  usdPerMonth: number;
  tags: Tag[];
  trashedAtMs: number | null;
  /** Names of the models on this disk. */
  models: readonly string[];
  /** The model that vLLM served at its first boot. */
  readonly vllm?: ServedModel | undefined;
  plan: number;
}

/** One billed resource. All meters together are the ledger of charges. */
export interface Meter {
  readonly resource: 'instance' | 'replica' | 'volume';
  readonly resourceId: string;
  /** Offer key or volume type, for people. */
  readonly what: string;
  readonly usdPerHour: number;
  readonly fromMs: number;
  untilMs: number | null;
  chargedUsd: number;
}

export interface JournalEvent {
  readonly id: string;
  readonly atMs: number;
  readonly objectType: 'compute' | 'volume';
  readonly objectId: string;
  readonly action: string;
  readonly location: string;
  /** Null = the cloud itself. */
  readonly actor: 'api' | null;
  readonly properties: Readonly<Record<string, string>>;
}

/** A planned event. */
export type PlannedEvent =
  | {
      readonly kind: 'instance';
      readonly id: string;
      readonly plan: number;
      readonly to: Phase;
      readonly failure?: FailureKind;
    }
  | { readonly kind: 'volume'; readonly id: string; readonly plan: number; readonly to: VolumeStatus }
  | { readonly kind: 'evict'; readonly id: string; readonly plan: number }
  | { readonly kind: 'timeline'; readonly index: number }
  /** Something that the dialect planned, under a name of its own. */
  | { readonly kind: 'dialect'; readonly name: string };

export interface OfferCount {
  /** Creates requested. */
  asked: number;
  accepted: number;
  /** Refused for lack of capacity. */
  noCapacity: number;
}

export interface CloudState {
  readonly version: 1;
  readonly startedAtMs: number;
  /** Time of the last `settle`; a virtual clock continues from here after a restore. */
  atMs: number;
  readonly random: RandomState;
  readonly queue: { readonly atMs: number; readonly event: PlannedEvent }[];
  readonly instances: Record<string, SimInstance>;
  readonly volumes: Record<string, SimVolume>;
  /** Machines of instances that ran, by instance. */
  readonly machines: Record<string, MachineState>;
  /** Units by `type/location/market` where they differ from the scenario's. */
  readonly stock: Record<string, number>;
  readonly prices: Record<string, { ondemand: number; spot: number | null }>;
  /** Changes of spot prices in the order of time. */
  readonly spotPriceChanges: {
    readonly atMs: number;
    readonly instanceType: string;
    readonly usdPerHour: number | null;
  }[];
  quotas: Quotas;
  balanceUsd: number;
  readonly meters: Meter[];
  readonly closedMeters: Meter[];
  readonly journal: JournalEvent[];
  readonly faults: { rules: readonly FaultRule[]; seen: number[]; applied: number[] };
  readonly stats: {
    /** Calls by `METHOD /path`, ids written `:id`. */
    readonly calls: Record<string, number>;
    readonly faults: Record<string, number>;
    readonly creates: Record<string, OfferCount>;
  };
}
