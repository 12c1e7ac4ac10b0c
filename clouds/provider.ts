/**
 * The one port through which Deckhand rents machines: a core that every provider has, and parts that some have. A folder beside this file
 * implements it per provider.
 *
 * Every method throws `DeckhandError` with a code of `codeOfProviderError` and nothing else; `providerErrorOf` turns it into data.
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

/** A first boot from an image. */
export interface ImageBoot {
  readonly kind: 'image';
  readonly image: string;
  readonly osVolumeName: string;
  readonly osVolumeGib: number;
  readonly sshKey: BootText;
  readonly startupScript: BootText | null;
}

/** A wake from a kept OS volume: no key, no script, because the disk has everything. */
export interface DiskBoot {
  readonly kind: 'volume';
  readonly osVolumeId: string;
}

export type AnyBoot = ImageBoot | DiskBoot;

/** A request to create an instance. */
export interface CreateInstanceRequest<Boot extends AnyBoot = AnyBoot> {
  /** Deterministic per intent; at most 60 characters, DNS-safe. */
  readonly hostname: string;
  readonly description: string;
  readonly instanceType: string;
  readonly location: string;
  readonly market: Market;
  readonly boot: Boot;
  readonly tags: Readonly<Record<string, string>>;
}

/** A create of a first boot. */
export type ImageRequest = CreateInstanceRequest<ImageBoot>;

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

/** Makes machines that boot in one way. */
export interface MachineMaker<Boot extends AnyBoot = AnyBoot> {
  /**
   * Finds or makes what a create at this place needs, such as network, firewall and the id of the image. It buys nothing and may be repeated.
   * An error here is a certain refusal: nothing was sent.
   */
  prepareCreate(request: CreateInstanceRequest<Boot>): Promise<CreatePreparation>;
  /** Resolves with the id as soon as the provider accepted. `provider_transient` = the outcome is unknown. Never retried inside. */
  createInstance(request: CreateInstanceRequest<Boot>, preparation: CreatePreparation): Promise<string>;
}

/** Abilities of every provider. */
export interface ProviderCore extends MachineMaker<ImageBoot> {
  listInstanceTypes(): Promise<readonly CloudInstanceType[]>;
  listLocations(): Promise<readonly { readonly code: string; readonly name: string; readonly countryCode: string }[]>;
  /** Everything of the account, foreign instances included; without those that are gone. */
  listInstances(): Promise<readonly CloudInstance[]>;
  /** Null when the provider does not know the id. An instance that ended has status `gone`. */
  getInstance(id: string): Promise<CloudInstance | null>;
  /** Ends the instance. `deleteVolumeIds` are purged, all others are kept detached. Ending an ended instance succeeds. */
  deleteInstance(id: string, deleteVolumeIds: readonly string[]): Promise<void>;
  listVolumes(): Promise<readonly CloudVolume[]>;
  getVolume(id: string): Promise<CloudVolume | null>;
  /** Deletes permanently, not into the trash. Deleting a deleted volume succeeds. */
  deleteVolume(id: string): Promise<void>;
}

/** Texts that a provider stores under an id, so that a create names the id alone. */
export interface TextStore<Stored> {
  /** All of them, over all pages. */
  list(): Promise<readonly Stored[]>;
  /** @returns its id */
  add(name: string, text: string): Promise<string>;
  /** Deleting a deleted one succeeds. */
  delete(id: string): Promise<void>;
}

/** Abilities of some providers. A part that is absent cannot be done; {@link capabilitiesOf} (`parts.ts`) tells the domain. */
export interface ProviderParts {
  /** Says which types are free. */
  readonly stock: { availability(market: Market): Promise<AvailabilityMap> };
  readonly account: {
    /** What is left on the account. */
    balance(): Promise<{ readonly amount: number; readonly currency: string }>;
  };
  readonly stopping: {
    /** Stops the machine and keeps it; whether its bill goes on is `capabilities.billsStopped`. */
    shutdown(id: string): Promise<void>;
    /** Starts one that is stopped or hibernated. */
    start(id: string): Promise<void>;
  };
  /** Gives a stopped machine another type, on the same disk. */
  readonly typeChange: { changeType(id: string, instanceType: string): Promise<void> };
  /** The provider's own hibernation. */
  readonly hibernation: { hibernate(id: string): Promise<void> };
  /** New machines that boot a kept system volume. Without it a machine that ends takes its disk along. */
  readonly keptDisks: MachineMaker<DiskBoot>;
  readonly dataVolumes: {
    /**
     * Attaches a data volume to a machine of its location; `provider_config` for what does not fit together. `provider_not_yet` = the machine
     * has to be stopped first, or is still being made. Attaching what is attached there succeeds.
     */
    attach(volumeId: string, instanceId: string): Promise<void>;
    /** Detaches a volume from a machine; refused as `attach` is. Detaching what is not attached there succeeds. */
    detach(volumeId: string, instanceId: string): Promise<void>;
  };
  /** Where deleted volumes are kept for a while. */
  readonly trash: { listVolumes(): Promise<readonly CloudVolume[]> };
  /** A machine consists of several resources, so a create that stops half way leaves parts without a machine. */
  readonly leftovers: {
    /** Parts of machines, also of foreign ones, that are there without their machine. */
    list(): Promise<readonly CloudLeftover[]>;
    /** Deletes such a part. Deleting a deleted one succeeds. @throws `provider_not_yet` while something hangs on it */
    delete(id: string): Promise<void>;
  };
  /** The provider's own record of what was billed. */
  readonly bills: {
    /** The bill of a machine or disk, also long after its end; null = no record. */
    billOf(resource: BilledResource, id: string): Promise<ProviderBill | null>;
    /**
     * Machines and disks of the account, including foreign ones, that were created since then, also if they no longer exist; null = the
     * provider keeps no record.
     */
    madeSince(sinceMs: number): Promise<readonly { readonly resource: BilledResource; readonly id: string }[] | null>;
  };
  readonly sshKeys: TextStore<CloudSshKey>;
  readonly scripts: TextStore<CloudScript>;
}

export interface CloudProvider extends ProviderCore, Partial<ProviderParts> {
  readonly name: string;
  readonly capabilities: ProviderCapabilities;
}
