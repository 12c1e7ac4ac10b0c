/**
 * The one port through which Deckhand rents machines. A folder beside this file implements it per provider.
 *
 * Every method throws `DeckhandError` with a code of `PROVIDER_ERROR_CODES` and nothing else; `providerErrorOf` turns it into data.
 * No method waits for an instance to become anything: waiting is the workflow's.
 */
import type { BilledResource, ProviderBill, ProviderCapabilities } from '../domain/fleet/provider/billing.ts';
import type { Market } from '../domain/fleet/selection/offer.ts';
import type { CatalogueType } from '../domain/fleet/selection/tiers.ts';

/** State of an instance, mapped from the provider's status. An unknown status is `starting`, not an error. */
export type CloudInstanceStatus =
  | 'starting'
  | 'running'
  /** Stopped. At some providers it is still billed. */
  | 'stopped'
  | 'deleting'
  /** Will never run: no capacity, installation failed, error. */
  | 'failed'
  | 'gone';

export interface CloudInstance {
  readonly id: string;
  /** Our name of the intent it was created for. */
  readonly hostname: string;
  readonly status: CloudInstanceStatus;
  /** The provider's word. */
  readonly rawStatus: string;
  readonly instanceType: string;
  readonly location: string;
  readonly market: Market;
  /** What it is billed at, in the currency of the account; 0 where the provider names none. */
  readonly priceUsdPerHour: number;
  readonly ip: string | null;
  readonly osVolumeId: string | null;
  readonly volumeIds: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAtMs: number;
  /** Where its model server is reachable without SSH; set by simulators only. */
  readonly simulatedModelUrl: string | null;
}

/** A type of machine. Prices are totals per instance. */
export interface CloudInstanceType extends CatalogueType {
  readonly vcpu: number;
  readonly memoryGib: number;
  /** Names of images that it boots, as `pool.image` may name them. */
  readonly supportedImages: readonly string[];
}

export interface CloudVolume {
  readonly id: string;
  readonly name: string;
  readonly sizeGib: number;
  readonly location: string;
  readonly status: 'attached' | 'detached' | 'changing' | 'trashed' | 'deleted';
  readonly rawStatus: string;
  readonly isOsVolume: boolean;
  readonly instanceId: string | null;
  /** Set for a filesystem that several machines mount at a time; absent for a disk. */
  readonly shared?: {
    /** What `mount -t nfs` takes, such as `nfs.fin-01.example.org:/ab12`; null where the provider does not say. */
    readonly source: string | null;
    /** Machines that it is attached to. */
    readonly instanceIds: readonly string[];
  };
  readonly usdPerMonth: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAtMs: number;
}

export interface CloudSshKey {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
}

export interface CloudScript {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
}

/** A part of a machine that is there without it, such as its network interface or address: of a create that stopped half way. */
export interface CloudLeftover {
  readonly id: string;
  readonly name: string;
  /** Host name of the machine that it was made for. */
  readonly hostname: string;
}

/** A request to create an instance. */
export interface CreateInstanceRequest {
  /** Deterministic per intent; at most 60 characters, DNS-safe. */
  readonly hostname: string;
  readonly description: string;
  readonly instanceType: string;
  readonly location: string;
  readonly market: Market;
  /** A first boot from an image, or a wake from a kept OS volume (no key, no script: the disk has everything). */
  readonly boot:
    | {
        readonly kind: 'image';
        readonly image: string;
        readonly osVolumeName: string;
        readonly osVolumeGib: number;
        readonly sshKey: BootText;
        readonly startupScript: BootText | null;
      }
    | { readonly kind: 'volume'; readonly osVolumeId: string };
  readonly tags: Readonly<Record<string, string>>;
}

/** A key or script of a first boot. */
export interface BootText {
  /** Under which the provider stores it; null at a provider that takes the text with the create. */
  readonly id: string | null;
  readonly text: string;
}

/** What a create needs beside its request, by names that only its provider knows, such as ids of a subnet, a firewall and an image. */
export type CreatePreparation = Readonly<Record<string, string>>;

/** Availability of one market: which types each location has now. One bulk call. */
export interface AvailabilityMap {
  readonly market: Market;
  readonly atMs: number;
  /** A location that is missing is not known of; one with an empty list has nothing. */
  readonly typesByLocation: Readonly<Record<string, readonly string[]>>;
}

/** See the file's header. */
export interface CloudProvider {
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
  listInstanceTypes(): Promise<readonly CloudInstanceType[]>;
  listLocations(): Promise<readonly { readonly code: string; readonly name: string; readonly countryCode: string }[]>;
  availability(market: Market): Promise<AvailabilityMap>;
  /** What is left on the account; null at a provider that does not say. */
  balance(): Promise<{ readonly amount: number; readonly currency: string } | null>;
  listImages(
    instanceType: string,
  ): Promise<readonly { readonly id: string; readonly slug: string; readonly name: string }[]>;
  /** Everything of the account, foreign instances included; without those that are gone. */
  listInstances(): Promise<readonly CloudInstance[]>;
  /** Null when the provider does not know the id. An instance that ended has status `gone`. */
  getInstance(id: string): Promise<CloudInstance | null>;
  /**
   * Finds or makes what a create at this place needs, such as network, firewall and the id of the image. It buys nothing and may be repeated.
   * An error here is a certain refusal: nothing was sent.
   */
  prepareCreate(request: CreateInstanceRequest): Promise<CreatePreparation>;
  /** Resolves with the id as soon as the provider accepted. `provider_transient` = the outcome is unknown. Never retried inside. */
  createInstance(request: CreateInstanceRequest, preparation: CreatePreparation): Promise<string>;
  /** Stops the machine and keeps it; whether its bill goes on is `capabilities.billsStopped`. */
  shutdownInstance(id: string): Promise<void>;
  startInstance(id: string): Promise<void>;
  /** Gives a stopped machine another type. Only where `capabilities.changesTypeWhileStopped`. @throws `provider_config` elsewhere */
  changeInstanceType(id: string, instanceType: string): Promise<void>;
  /** Ends the instance. `deleteVolumeIds` are purged, all others are kept detached. Ending an ended instance succeeds. */
  deleteInstance(id: string, deleteVolumeIds: readonly string[]): Promise<void>;
  /** The provider's own hibernation, where it still has one. */
  hibernateInstance(id: string): Promise<void>;
  listVolumes(): Promise<readonly CloudVolume[]>;
  listTrashedVolumes(): Promise<readonly CloudVolume[]>;
  getVolume(id: string): Promise<CloudVolume | null>;
  /**
   * Attaches a data volume to a machine of its location. Only where `capabilities.attachesVolumes`; `provider_config` elsewhere, and for what
   * does not fit together. `provider_not_yet` = the machine has to be stopped first, or is still being made. Attaching what is attached there
   * succeeds.
   */
  attachVolume(id: string, instanceId: string): Promise<void>;
  /** Detaches a volume from a machine; refused as {@link attachVolume} is. Detaching what is not attached there succeeds. */
  detachVolume(id: string, instanceId: string): Promise<void>;
  /** Deletes permanently, not into the trash. Deleting a deleted volume succeeds. */
  deleteVolume(id: string): Promise<void>;
  /** Parts of machines, also of foreign ones, that are there without their machine. Only where `capabilities.leavesParts`. */
  listLeftovers?(): Promise<readonly CloudLeftover[]>;
  /** Deletes such a part. Deleting a deleted one succeeds. @throws `provider_not_yet` while something hangs on it */
  deleteLeftover?(id: string): Promise<void>;
  /** The bill of a machine or disk from the provider's own record, also long after its end; null = no record. */
  billOf(resource: BilledResource, id: string): Promise<ProviderBill | null>;
  /**
   * Machines and disks of the account, including foreign ones, that were created since then, also if they no longer exist; null = the provider
   * keeps no record.
   */
  madeSince(sinceMs: number): Promise<readonly { readonly resource: BilledResource; readonly id: string }[] | null>;
  /** Stored keys and scripts; empty lists at a provider that takes them with each create (`capabilities.storesKeys`, `storesScripts`). */
  listSshKeys(): Promise<readonly CloudSshKey[]>;
  addSshKey(name: string, publicKey: string): Promise<string>;
  deleteSshKey(id: string): Promise<void>;
  /** All scripts, over all pages. */
  listScripts(): Promise<readonly CloudScript[]>;
  addScript(name: string, script: string): Promise<string>;
  deleteScript(id: string): Promise<void>;
}
