/** State, scenario and catalogue of a simulated cloud, as its parts share them, and operations that all of them use. */
import { offerKey, type Market } from '../../../domain/fleet/selection/offer.ts';
import { chargeAt, CONTINUOUS, type BillingRule } from './billing.ts';
import { drawUuid, type RandomState } from './random.ts';
import type { Scenario } from './scenario.ts';
import type { CloudState, JournalEvent, Meter, PlannedEvent, SimInstance, SimVolume } from './state.ts';

/** A type of machine as the core sees it. */
export interface CoreType {
  readonly instanceType: string;
  readonly gpuCount: number;
  readonly vcpu: number;
  readonly ondemandUsdPerHour: number;
  /** Null = no spot market. */
  readonly spotUsdPerHour: number | null;
  /** Name of its GPU. */
  readonly name?: string;
  /** Memory of all its GPUs together. */
  readonly vramGib?: number;
}

/** What a provider sells. */
export interface Catalogue {
  /** Name of the provider in offer keys. */
  readonly provider: string;
  readonly types: ReadonlyMap<string, CoreType>;
  readonly locations: readonly string[];
  /** False for a type that a location never has; absent = every location has every type. */
  isSold?(instanceType: string, location: string): boolean;
  /** Price in a location as a multiple of the type's; absent = the same everywhere. */
  priceFactor?(instanceType: string, location: string): number;
  /** Draws an id in the provider's form; absent = a UUID. */
  newId?(kind: 'instance' | 'volume', random: RandomState): string;
}

/** Called when an instance has changed its phase. */
export type TransitionListener = (instance: SimInstance, atMs: number) => void;

export interface Context {
  readonly state: CloudState;
  readonly scenario: Scenario;
  readonly catalogue: Catalogue;
  readonly billing: BillingRule;
  /** Units at the start by `type/location/market`; null = never runs out. */
  readonly initialStock: ReadonlyMap<string, number | null>;
  readonly listeners: Set<TransitionListener>;
  /** Called when an event is due that the dialect planned. */
  readonly dialect: { due: (name: string, atMs: number) => void };
}

/** The journal keeps this many events; older ones are removed. */
const JOURNAL_LENGTH = 5000;

export const stockKey = (instanceType: string, location: string, market: Market): string =>
  `${instanceType}/${location}/${market}`;

export const offerOf = (
  { catalogue }: Context,
  { instanceType, location, market }: Pick<SimInstance, 'instanceType' | 'location' | 'market'>,
): string => offerKey({ provider: catalogue.provider, location, instanceType, market });

/** A new id, in the provider's form. */
export const drawId = ({ catalogue, state }: Context, kind: 'instance' | 'volume'): string =>
  catalogue.newId?.(kind, state.random) ?? drawUuid(state.random);

/** Adds an event to the queue in the order of time; events of one instant keep the order in which they were planned. */
export function plan({ state: { queue } }: Context, atMs: number, event: PlannedEvent): void {
  let index = queue.length;
  while (index > 0 && (queue[index - 1]?.atMs ?? 0) > atMs) index -= 1;
  queue.splice(index, 0, { atMs, event });
}

export function writeJournal(
  { state }: Context,
  atMs: number,
  object: SimInstance | SimVolume,
  action: string,
  options: { readonly bySystem?: boolean; readonly properties?: JournalEvent['properties'] } = {},
): void {
  // The journal is of machines and volumes.
  if ('hostname' in object && object.isReplica) return;
  state.journal.push({
    id: drawUuid(state.random),
    atMs,
    objectType: 'hostname' in object ? 'compute' : 'volume',
    objectId: object.id,
    action,
    location: object.location,
    actor: options.bySystem === true ? null : 'api',
    properties: options.properties ?? {},
  });
  if (state.journal.length > JOURNAL_LENGTH) state.journal.splice(0, state.journal.length - JOURNAL_LENGTH);
}

/** The billing rule of a meter. */
export const billingOf = (context: Context, meter: Meter): BillingRule =>
  meter.resource === 'volume'
    ? CONTINUOUS
    : meter.resource === 'replica'
      ? context.scenario.containers
      : context.billing;

export function startMeter(context: Context, meter: Omit<Meter, 'untilMs' | 'chargedUsd'>): void {
  context.state.meters.push({ ...meter, untilMs: null, chargedUsd: 0 });
}

/** Ends a resource's meter and charges the balance. `free` refunds everything. */
export function endMeter(context: Context, resourceId: string, atMs: number, free = false): void {
  const { state } = context;
  for (let index = state.meters.length - 1; index >= 0; index -= 1) {
    const meter = state.meters[index];
    if (meter?.resourceId !== resourceId) continue;
    state.meters.splice(index, 1);
    meter.untilMs = Math.max(atMs, meter.fromMs);
    const owed = free ? 0 : chargeAt(meter, meter.untilMs, billingOf(context, meter));
    state.balanceUsd += meter.chargedUsd - owed;
    meter.chargedUsd = owed;
    state.closedMeters.push(meter);
  }
}
