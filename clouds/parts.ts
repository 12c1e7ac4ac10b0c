/**
 * Parts of the provider port: which a provider has is a table of constructors, known before it is opened. What it can do follows from the
 * table, so nothing is claimed without its code.
 */
import type { ProviderCapabilities } from '../domain/fleet/provider/billing.ts';
import type { SuspendStrategy } from '../domain/fleet/pool/pool-config.ts';
import { providerError } from './errors.ts';
import type { CloudProvider, CreateInstanceRequest, MachineMaker } from './provider.ts';
import type { ProviderCore, ProviderParts } from './provider.ts';

export type PartName = keyof ProviderParts;

/** How a provider bills and behaves: what is no ability. */
export type ProviderFacts = Omit<
  ProviderCapabilities,
  'bootsVolumes' | 'changesTypeWhileStopped' | 'suspendStrategies'
>;

/** A provider before it is opened. */
export interface ProviderKind<Options> {
  readonly capabilities: ProviderCapabilities;
  readonly parts: readonly PartName[];
  /** Opens it. It sends nothing before the first call. */
  readonly open: (options: Options) => CloudProvider;
}

/** A provider without the part, in words; also the list of all parts. */
const WITHOUT: Readonly<Record<PartName, string>> = {
  stock: 'does not say what is free',
  account: 'does not say what is left on the account',
  stopping: 'stops no machine',
  typeChange: 'changes no type of a machine',
  hibernation: 'hibernates no machine',
  keptDisks: 'boots images only, not a kept disk',
  dataVolumes: 'attaches and detaches no volumes',
  trash: 'has no trash',
  leftovers: 'leaves no parts of machines',
  bills: 'keeps no record of bills',
  sshKeys: 'takes the SSH key with each create and stores none',
  scripts: 'takes the script with each create and stores none',
};

export const isPartName = (name: PropertyKey): name is PartName => Object.hasOwn(WITHOUT, name);

/** Parts that a strategy of suspending needs. */
const NEEDS: Readonly<Record<SuspendStrategy, PartName | null>> = {
  shutdown: 'stopping',
  hibernate: 'hibernation',
  discontinue_keep_volume: 'keptDisks',
  delete: null,
};

/** Capabilities of a provider with these parts. */
export function capabilitiesOf(facts: ProviderFacts, parts: readonly PartName[]): ProviderCapabilities {
  // A stopped machine is the quickest to wake, but not for the price of one that runs.
  const preferred: readonly SuspendStrategy[] = facts.billsStopped
    ? ['discontinue_keep_volume', 'hibernate', 'shutdown', 'delete']
    : ['shutdown', 'discontinue_keep_volume', 'hibernate', 'delete'];
  const has = (part: PartName | null): boolean => part === null || parts.includes(part);
  return {
    ...facts,
    bootsVolumes: has('keptDisks'),
    changesTypeWhileStopped: has('typeChange'),
    suspendStrategies: preferred.filter((strategy) => has(NEEDS[strategy])),
  };
}

/**
 * A kind of provider.
 *
 * @param open what an opened provider consists of; its parts are made from the same
 */
export function defineProvider<
  Options extends { readonly capabilities?: Partial<ProviderFacts> },
  Opened extends { readonly core: ProviderCore },
>(
  name: string,
  facts: ProviderFacts,
  open: (options: Options, capabilities: ProviderCapabilities) => Opened,
  parts: { readonly [Part in PartName]?: (opened: Opened) => ProviderParts[Part] },
): ProviderKind<Options> {
  const names = Object.keys(parts).filter(isPartName);
  const known = capabilitiesOf(facts, names);
  return {
    capabilities: known,
    parts: names,
    open(options) {
      const capabilities = { ...known, ...options.capabilities };
      const opened = open(options, capabilities);
      const made = Object.fromEntries(names.map((part) => [part, parts[part]?.(opened)]));
      return { name, capabilities, ...opened.core, ...made };
    },
  };
}

/** A part of a provider. @throws DeckhandError `provider_config` where it has none */
export function partOf<Part extends PartName>(
  provider: Pick<CloudProvider, 'name'> & Partial<ProviderParts>,
  part: Part,
): ProviderParts[Part] {
  const { [part]: found }: Partial<ProviderParts> = provider;
  if (found === undefined) throw providerError('config', `${provider.name} ${WITHOUT[part]}`);
  return found;
}

/** Makes the machine of a request. @throws DeckhandError `provider_config` for a kept disk at a provider that boots none */
export const makerOf = (provider: CloudProvider, { boot }: Pick<CreateInstanceRequest, 'boot'>): MachineMaker =>
  boot.kind === 'image' ? provider : partOf(provider, 'keptDisks');
