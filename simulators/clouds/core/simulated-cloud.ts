/**
 * A simulated cloud without the dialect of a provider: stock, boots, money, disks and faults on one clock, with seeded random numbers.
 *
 * Dialects (such as datacrunch/app.ts) and tests use `SimulatedCloud`. It has no timers: `settle` carries out everything that is due, in the
 * order of time. Its state is plain JSON (`snapshot`, `restore`). Operations throw `CloudRefusal` when the cloud refuses.
 */
import { chargeAt } from './billing.ts';
import { VirtualClock, type Clock } from './clock.ts';
import { billingOf, plan, stockKey, type Catalogue, type Context, type TransitionListener } from './context.ts';
import { chooseFault, fits, type CallTraits, type FaultRule } from './faults.ts';
import {
  changeInstanceType,
  createInstance,
  deleteInstance,
  endBySystem,
  enterPhase,
  instanceOf,
  startInstance,
  stopInstance,
  takeBack,
  type ActionOutcome,
  type CreateFault,
  type CreateRequest,
} from './instances.ts';
import { Machines } from './machines.ts';
import { applyPriceRules, applyStockRules, initialStockOf, priceOf, stockOf, UNLIMITED } from './market.ts';
import { seedRandom } from './random.ts';
import { CloudRefusal } from './refusal.ts';
import type { PriceRule, Quotas, Scenario, StockRule } from './scenario.ts';
import type { CloudState, Disposal, Meter, PlannedEvent, SimInstance, SimVolume } from './state.ts';
import { trashVolume, volumeDue } from './volumes.ts';
import type { Market } from '../../../domain/fleet/selection/offer.ts';

export interface SimulatedCloudOptions {
  readonly scenario: Scenario;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  /** Default: the scenario's. */
  readonly seed?: number | undefined;
}

function freshState(scenario: Scenario, seed: number, nowMs: number): CloudState {
  return {
    version: 1,
    startedAtMs: nowMs,
    atMs: nowMs,
    random: seedRandom(seed),
    queue: [],
    machines: {},
    spotPriceChanges: [],
    instances: {},
    volumes: {},
    stock: {},
    prices: {},
    quotas: { ...scenario.quotas },
    balanceUsd: scenario.billing.balanceUsd,
    meters: [],
    closedMeters: [],
    journal: [],
    faults: { rules: scenario.faults, seen: [], applied: [] },
    stats: { calls: {}, faults: {}, creates: {} },
  };
}

export class SimulatedCloud {
  readonly clock: Clock;
  readonly scenario: Scenario;
  readonly catalogue: Catalogue;
  /** Counts planned events that have happened, so that a caller can tell whether `settle` changed anything. */
  happened = 0;
  /** The machines behind the instances. */
  readonly machines = new Machines(() => this.#context);
  #context: Context;

  constructor({ scenario, catalogue, clock, seed }: SimulatedCloudOptions) {
    this.clock = clock;
    this.scenario = scenario;
    this.catalogue = catalogue;
    this.#context = {
      state: freshState(scenario, seed ?? scenario.seed, clock.nowMs()),
      scenario,
      catalogue,
      billing: scenario.billing,
      initialStock: initialStockOf(scenario, catalogue),
      listeners: new Set([(instance, atMs) => this.machines.entered(instance, atMs)]),
      dialect: { due: () => undefined },
    };
    applyPriceRules(this.#context, scenario.prices, this.state.startedAtMs);
    for (const [index, change] of scenario.timeline.entries())
      plan(this.#context, this.state.startedAtMs + change.atSec * 1000, { kind: 'timeline', index });
  }

  /** The live state, for reading. Call `settle` first to include everything that is due. */
  get state(): CloudState {
    return this.#context.state;
  }

  /** For the volume operations of volumes.ts. */
  get context(): Context {
    return this.#context;
  }

  /** A copy of the state, as plain JSON. */
  snapshot(): CloudState {
    this.settle();
    return structuredClone(this.state);
  }

  /** Continues from a copy; events that became due meanwhile happen at the next `settle`. A virtual clock moves to the copy's time. */
  restore(snapshot: CloudState): void {
    this.#context = { ...this.#context, state: structuredClone(snapshot) };
    if (this.clock instanceof VirtualClock) this.clock.advanceTo(snapshot.atMs);
  }

  /** Adds a listener for changes of phase. Returns a function that removes it. */
  onTransition(listener: TransitionListener): () => void {
    this.#context.listeners.add(listener);
    return () => void this.#context.listeners.delete(listener);
  }

  /** Time of the next planned event; null = none. */
  nextDueMs(): number | null {
    return this.state.queue[0]?.atMs ?? null;
  }

  /** Carries out everything that is due. Returns the present time. */
  settle(): number {
    const nowMs = this.clock.nowMs();
    const { queue } = this.state;
    for (;;) {
      const next = queue[0];
      const isDue = next !== undefined && next.atMs <= nowMs;
      const targetMs = isDue ? next.atMs : nowMs;
      // An account that runs empty on the way ends everything, which changes what is due.
      if (!this.#charge(targetMs)) continue;
      if (!isDue) break;
      queue.shift();
      this.#happen(next.event, next.atMs);
    }
    this.state.atMs = Math.max(this.state.atMs, nowMs);
    return nowMs;
  }

  #happen(event: PlannedEvent, atMs: number): void {
    this.happened += 1;
    switch (event.kind) {
      case 'instance': {
        const instance = this.state.instances[event.id];
        if (instance?.plan === event.plan) enterPhase(this.#context, instance, event.to, atMs, event.failure ?? null);
        return;
      }
      case 'evict': {
        const instance = this.state.instances[event.id];
        if (instance?.plan === event.plan) takeBack(this.#context, instance, atMs);
        return;
      }
      case 'volume': {
        const volume = this.state.volumes[event.id];
        if (volume?.plan === event.plan) volumeDue(this.#context, volume, event.to, atMs);
        return;
      }
      case 'timeline':
        this.#change(event.index, atMs);
        return;
      case 'dialect':
        this.#context.dialect.due(event.name, atMs);
    }
  }

  #change(index: number, atMs: number): void {
    const change = this.scenario.timeline[index];
    if (change === undefined) return;
    if (change.stock !== undefined) applyStockRules(this.#context, change.stock);
    if (change.prices !== undefined) applyPriceRules(this.#context, change.prices, atMs);
    if (change.balanceUsd !== undefined) this.state.balanceUsd = change.balanceUsd;
    const { evict } = change;
    if (evict === undefined) return;
    for (const instance of this.#spotRunning())
      if (fits(evict, instance.instanceType)) takeBack(this.#context, instance, atMs);
  }

  #spotRunning(): SimInstance[] {
    return Object.values(this.state.instances).filter((i) => i.market === 'spot' && i.phase === 'running');
  }

  /** Charges the balance up to `atMs`. False if the account ran empty before that and everything was ended. */
  #charge(atMs: number): boolean {
    const { state } = this;
    const owedBy = (ms: number): number =>
      state.meters.reduce((sum, m) => sum + chargeAt(m, ms, billingOf(this.#context, m)) - m.chargedUsd, 0);
    const settleAt = (ms: number): void => {
      for (const meter of state.meters) {
        const charge = chargeAt(meter, ms, billingOf(this.#context, meter));
        state.balanceUsd -= charge - meter.chargedUsd;
        meter.chargedUsd = charge;
      }
      state.atMs = Math.max(state.atMs, ms);
    };
    if (state.meters.length === 0) return true;
    if (owedBy(atMs) <= state.balanceUsd) {
      settleAt(atMs);
      return true;
    }
    // The debt only grows, so a binary search finds the last instant that is paid for.
    let paidMs = Math.min(state.atMs, atMs);
    let unpaidMs = atMs;
    while (unpaidMs - paidMs > 1) {
      const middleMs = Math.floor((paidMs + unpaidMs) / 2);
      if (owedBy(middleMs) <= state.balanceUsd) paidMs = middleMs;
      else unpaidMs = middleMs;
    }
    if (owedBy(paidMs) <= state.balanceUsd) settleAt(paidMs);
    this.#sweep(unpaidMs);
    return false;
  }

  /** The account is empty: ends instances and trashes volumes. */
  #sweep(atMs: number): void {
    this.happened += 1;
    for (const instance of Object.values(this.state.instances))
      if (instance.phase !== 'gone') endBySystem(this.#context, instance, 'no_funds', atMs);
    for (const volume of Object.values(this.state.volumes))
      if (volume.status !== 'trashed' && volume.status !== 'purged') trashVolume(this.#context, volume, atMs);
  }

  /** The rule of the fault script that applies to a call, if any; counts it. */
  faultFor(call: CallTraits): FaultRule | null {
    const { state } = this;
    const fault = chooseFault(state.faults, call, this.clock.nowMs() - state.startedAtMs, state.random);
    if (fault !== null) state.stats.faults[fault.effect] = (state.stats.faults[fault.effect] ?? 0) + 1;
    return fault;
  }

  /** Replaces the fault script and resets its counts. */
  setFaults(rules: readonly FaultRule[]): void {
    Object.assign(this.state.faults, { rules, seen: [], applied: [] });
  }

  create(request: CreateRequest, fault: CreateFault = {}): SimInstance {
    return createInstance(this.#context, request, fault, this.settle());
  }

  /** Also finds ended instances. @throws CloudRefusal `unknown_instance` */
  instance(id: string): SimInstance {
    return instanceOf(this.#context, id, this.settle());
  }

  /** Every instance that lists show, including ended ones, as of `staleByMs` ago. */
  listed(staleByMs = 0): SimInstance[] {
    const asOfMs = this.settle() - staleByMs;
    return Object.values(this.state.instances)
      .filter((i) => i.listedAtMs <= asOfMs)
      .map((i) =>
        staleByMs === 0 ? i : { ...i, phase: i.history.findLast((h) => h.atMs <= asOfMs)?.phase ?? i.phase },
      );
  }

  /** Every instance that exists or existed, regardless of what the API shows: for tests. */
  allInstances(): SimInstance[] {
    const nowMs = this.settle();
    return Object.values(this.state.instances).filter((i) => i.createdAtMs <= nowMs);
  }

  stop(id: string, force = false): ActionOutcome {
    return stopInstance(this.#context, this.instance(id), force, this.clock.nowMs());
  }

  start(id: string): ActionOutcome {
    return startInstance(this.#context, this.instance(id), this.clock.nowMs());
  }

  /** Lets a start that goes on end for lack of capacity. */
  failStart(instance: SimInstance, afterMs: number): void {
    instance.plan += 1;
    const { id, plan: ordered } = instance;
    plan(this.#context, this.clock.nowMs() + afterMs, { kind: 'instance', id, plan: ordered, to: 'stopped' });
  }

  delete(id: string, disposals: Readonly<Record<string, Disposal>> = {}): void {
    deleteInstance(this.#context, this.instance(id), disposals, this.clock.nowMs());
  }

  /** Makes a stopped instance one of another type. @throws CloudRefusal `wrong_state`, `unknown_type` */
  changeType(id: string, instanceType: string): void {
    changeInstanceType(this.#context, this.instance(id), instanceType);
  }

  /** Evicts a spot instance, with notice where the provider gives one. @throws CloudRefusal if it is not a spot instance or has ended */
  evict(id: string): void {
    const instance = this.instance(id);
    if (instance.phase === 'gone') throw new CloudRefusal('already_gone', id);
    if (instance.market !== 'spot') throw new CloudRefusal('wrong_state', id, 'only spot instances are taken back');
    takeBack(this.#context, instance, this.clock.nowMs());
  }

  /** Sets the URL of the model server of an instance. */
  setModelUrl(id: string, url: string | null): void {
    const instance = this.state.instances[id];
    if (instance !== undefined) instance.modelUrl = url;
  }

  /** Sets the models on a disk. */
  setModels(volumeId: string, models: readonly string[]): void {
    const volume = this.state.volumes[volumeId];
    if (volume !== undefined) volume.models = models;
  }

  /** All volumes, including purged ones. */
  volumes(): SimVolume[] {
    this.settle();
    return Object.values(this.state.volumes);
  }

  setStock(rules: readonly StockRule[]): void {
    applyStockRules(this.#context, rules);
  }

  setPrices(rules: readonly PriceRule[]): void {
    applyPriceRules(this.#context, rules, this.settle());
  }

  setBalance(usd: number): void {
    this.settle();
    this.state.balanceUsd = usd;
  }

  setQuotas(quotas: Partial<Quotas>): void {
    this.state.quotas = { ...this.state.quotas, ...quotas };
  }

  price(instanceType: string, market: Market, location?: string): number | null {
    return priceOf(this.#context, instanceType, market, location);
  }

  isAvailable(instanceType: string, location: string, market: Market): boolean {
    return this.units(instanceType, location, market) > 0;
  }

  /** Units in stock; Infinity = unlimited. */
  units(instanceType: string, location: string, market: Market): number {
    const units = stockOf(this.#context, stockKey(instanceType, location, market));
    return units === UNLIMITED ? Infinity : units;
  }

  /** Charges so far, with running and ended meters. */
  ledger(): { readonly chargedUsd: number; readonly balanceUsd: number; readonly meters: readonly Meter[] } {
    this.settle();
    const meters = [...this.state.closedMeters, ...this.state.meters];
    return {
      chargedUsd: meters.reduce((sum, m) => sum + m.chargedUsd, 0),
      balanceUsd: this.state.balanceUsd,
      meters,
    };
  }
}
