/**
 * What a pool does at one look: `planPool` is a pure function of setup, state and observation. The pool workflow observes, calls it and acts.
 *
 * `decide()` is given the instances that are left after operators' holds, quarantines and budgets, in this order. Static pools and retired
 * pools decide nothing.
 */
import { actionReason } from './decide/actions.ts';
import { decide } from './decide/decide.ts';
import { hasWork } from './demand.ts';
import { askForHealth, excuse, quarantinePlan, withoutQuarantined } from './health.ts';
import { applyAsk, currentHolds, drainedAndIdle, heldTooLong, takenOutAndServing, underHolds } from './holds.ts';
import { budgetAsks, underBudget, type PoolBudget } from './budget.ts';
import type { DecideInput, Decision, InstanceView, Observation, PoolAction } from './pool.ts';
import {
  creationPauseUntilMs,
  endedGap,
  openBirths,
  ofPresent,
  withBirths,
  withLiveIntents,
  withMarkets,
  type IdleGapSeen,
  type PoolAsk,
  type PoolSetup,
  type PoolState,
  type RecentFailures,
} from './pool-state.ts';
import type { QuarantinePlan } from './quarantine.ts';
import { planHosts, staticReasons } from './static-hosts.ts';
import { stepWarming, type WarmingStep } from '../prewarm/warming.ts';
import { HOURS_PER_MONTH } from '../provider/billing.ts';
import { isRented } from '../phases.ts';
import type { InstanceRequest } from '../instance-life/types.ts';
import type { Market } from '../selection/offer.ts';

/** What one look at the database saw. */
export interface PoolSight {
  readonly observation: Observation;
  /** Announcements that were asked about, and those whose analysis still runs. */
  readonly askedIntents: readonly string[];
  readonly liveIntents: readonly string[];
  /** Births that have a row by now. */
  readonly known: readonly string[];
  /** Instances of this pool that failed for good within the last hour. */
  readonly failures: RecentFailures | null;
  /** Absent where there are no budgets. */
  readonly money?: PoolBudget;
  /** Paid seconds of a boot until it was ready, mean of the latest; null without one. */
  readonly bootSec: number | null;
}

export interface PlanInput {
  readonly setup: PoolSetup;
  readonly state: PoolState;
  readonly atMs: number;
  /** Null = the database could not be read. */
  readonly seen: PoolSight | null;
  /** Drawn by the caller, so that planning stays pure. */
  readonly random01: number;
}

/** One thing to do. The workflow draws the name of a created instance. */
export type PoolStep =
  /** `reason`: where it is not the usual one; `market`: in a pool with a mix. */
  | { readonly kind: 'create'; readonly reason?: string; readonly market?: Market }
  | { readonly kind: 'start'; readonly name: string; readonly url: string }
  | PoolAsk;

/** The result of a look. */
export interface PoolPlan {
  readonly state: PoolState;
  /** What operators and the health of instances ask for: sent first, in this order. */
  readonly asks: readonly PoolAsk[];
  /** What follows, in this order. */
  readonly steps: readonly PoolStep[];
  readonly outcome: Pick<Decision, 'target' | 'wish' | 'actions' | 'reasons' | 'nextLookAtMs'>;
  /** As seen, with those that were started and have no row yet; null = not seen. */
  readonly instances: readonly InstanceView[] | null;
  /** A time without work that ended with this look. */
  readonly endedGap: IdleGapSeen | null;
  /** A retired pool has nothing left. */
  readonly isOver: boolean;
}

export function planPool(input: PlanInput): PoolPlan {
  const { setup, seen } = input;
  if (seen === null) return holdPlan(input);
  const look = applyOperatorAsks(input, seen);
  const plan =
    setup.retired === true ? retire(look) : setup.provider === 'static' ? keepHosts(look) : decideAndAct(look);
  const state = { ...plan.state, nextLookAtMs: plan.outcome.nextLookAtMs };
  return { ...plan, state, instances: look.observation.instances };
}

/** An observation, with operators' asks applied to the state. */
interface Look {
  readonly input: PlanInput;
  readonly seen: PoolSight;
  readonly observation: Observation;
  readonly state: PoolState;
  readonly asks: readonly PoolAsk[];
}
type Planned = Omit<PoolPlan, 'instances'>;

/** Unknown is not zero: the last decision is kept and nothing is done. */
function holdPlan(input: PlanInput): PoolPlan {
  const { setup, state } = input;
  const nothing = { atMs: input.atMs, demand: null, recentCalls: 0, busySlotSeconds: 0, instances: [] };
  const outcome = decide(decideInput(input, state, setup.config, nothing, null));
  return {
    state: { ...state, memory: outcome.memory, nextLookAtMs: outcome.nextLookAtMs },
    asks: [],
    steps: [],
    outcome,
    instances: null,
    endedGap: null,
    isOver: false,
  };
}

function applyOperatorAsks({ setup, state: before, ...rest }: PlanInput, seen: PoolSight): Look {
  const { atMs } = rest;
  const { timing } = setup.config;
  const births = openBirths(before.births, seen.known, atMs, timing.stuckAfterMs);
  const observation = withMarkets(withBirths({ ...seen.observation, atMs }, births), before.markets);
  const { instances, demand } = observation;
  let { holds, excused = {} } = before;
  const asks = before.asks.map((ask): PoolAsk => {
    const applied = applyAsk(holds, ask, atMs, timing.downDelayMs);
    holds = applied.holds;
    excused = excuse(excused, ask, instances);
    const { instance, by } = ask;
    return { kind: 'ask', instance, request: applied.request, reason: `${ask.request} asked by ${by}` };
  });
  const present = new Set(instances.map((i) => i.name));
  const state = {
    ...before,
    memory: withLiveIntents(before.memory, seen.askedIntents, seen.liveIntents),
    births,
    asks: [],
    holds: currentHolds(holds, present, demand, atMs),
    excused: ofPresent(excused, present),
    ...(before.markets === undefined ? {} : { markets: ofPresent(before.markets, present) }),
  };
  return { input: { setup, state: before, ...rest }, seen, observation, state, asks };
}

/** A pool that is not configured any more ends what it has. */
function retire({ input, observation: { instances, atMs }, state, asks }: Look): Planned {
  const leaving = instances.filter((i) => i.phase !== 'destroying').map((i) => i.name);
  return {
    state,
    asks,
    steps: leaving.map((name) => ask(name, 'destroy', 'its pool is not configured any more')),
    outcome: {
      target: 0,
      wish: 0,
      actions: leaving.map((instance) => ({ kind: 'destroy', instance })),
      reasons: [`The pool is not configured any more; ${instances.length} of its instances are left`],
      nextLookAtMs: atMs + input.setup.config.timing.tickMs,
    },
    endedGap: null,
    isOver: instances.length === 0,
  };
}

/** Static pools: an instance per server, whatever the demand. */
function keepHosts({ input, observation, state, asks }: Look): Planned {
  const { config, staticHosts } = input.setup;
  const { atMs, instances, demand } = observation;
  // A static pool is always full.
  const healthPlan = quarantinePlan({ config, isStatic: true }, observation, state, () => true);
  // Nothing depends on it but what people are shown.
  const isBusy = demand !== null && hasWork(demand);
  const present = instances.map((i) => i.name);
  const plan = planHosts(config.name, staticHosts, state.hosts, present, state.instancesMade);
  return {
    state: {
      ...state,
      quarantines: healthPlan.quarantines,
      hosts: plan.hosts,
      births: [...state.births, ...plan.start.map(({ name }) => ({ name, atMs }))],
      instancesMade: state.instancesMade + plan.start.length,
    },
    asks: [...asks, ...askForHealth(healthPlan.asks)],
    steps: [
      ...plan.start.map(({ name, url }) => ({ kind: 'start' as const, name, url })),
      ...plan.release.map((name) => ask(name, 'destroy', 'its server is not configured any more')),
    ],
    outcome: {
      target: staticHosts.length,
      wish: staticHosts.length,
      actions: [],
      reasons: [...staticReasons(staticHosts, instances), ...healthPlan.reasons, ...holdReasons(state.holds)],
      nextLookAtMs: atMs + (isBusy ? config.timing.tickMs : config.timing.idleTickMs),
    },
    endedGap: null,
    isOver: false,
  };
}

function decideAndAct({ input, seen, observation, state, asks }: Look): Planned {
  const { config } = input.setup;
  const { atMs, instances } = observation;
  const { holds } = state;
  const countsAgainstMax = (i: InstanceView): boolean => isRented(i, atMs, config.timing.destroyAlarmMs);
  const healthPlan = quarantinePlan({ config, isStatic: false }, observation, state, countsAgainstMax);
  const warming = warmingOf(config, state, observation);
  const wanted = { ...config, min: Math.max(config.min, Math.min(warming?.min ?? 0, config.max)) };
  const free = underHolds(wanted, instances, holds, countsAgainstMax);
  const healthy = withoutQuarantined(free, healthPlan.quarantines, atMs, countsAgainstMax);
  const disposable = underBudget(healthy, seen.money, countsAgainstMax);
  const decision = decide(
    decideInput(input, state, disposable.config, { ...observation, instances: disposable.instances }, seen.bootSec),
  );
  const pausedUntilMs = creationPauseUntilMs(seen.failures, config.timing, atMs);
  const actions = decision.actions.filter((a) => a.kind !== 'create' || pausedUntilMs === null);
  const isHeldBack = actions.length < decision.actions.length;
  const takenOut = takenOutAndServing(instances, holds, atMs);
  return {
    state: withWoken(
      {
        ...state,
        quarantines: healthPlan.quarantines,
        memory: decision.memory,
        ...(warming === null ? {} : { prewarm: warming.memory }),
      },
      actions,
    ),
    asks: [...asks, ...askForHealth(healthPlan.asks)],
    steps: [
      ...actions.map((action) =>
        stepOf(action, actionReason(action, decision, state.memory.target), warming?.reason ?? null),
      ),
      ...takenOut.map((name) => ask(name, 'cordon', `taken out by ${holds[name]?.by ?? 'an operator'}`)),
      ...drainedAndIdle(instances, holds).map((name) =>
        ask(name, 'suspend', `drained for ${holds[name]?.by ?? 'an operator'}`),
      ),
      ...budgetAsks(config, instances, seen.money).map((one) => ask(one.instance, one.request, one.reason)),
      ...heldTooLong(config, instances, holds, atMs).map((name) =>
        ask(name, 'destroy', `its disk was kept for more than ${config.maxKeptVolumeAgeHours} h`),
      ),
    ],
    outcome: {
      ...decision,
      actions,
      ...explain(decision, healthPlan, state, seen, isHeldBack ? pausedUntilMs : null, warming),
    },
    endedGap: endedGap(state.memory, decision.memory),
    isOver: false,
  };
}

/** Reasons, most important first, and the time of the next look. @param pausedUntilMs nothing is created until then; null = no create is held back */
function explain(
  decision: Decision,
  healthPlan: QuarantinePlan,
  { holds }: PoolState,
  { failures, money }: PoolSight,
  pausedUntilMs: number | null,
  warming: WarmingStep | null,
): Pick<Decision, 'reasons' | 'nextLookAtMs'> {
  const paused =
    pausedUntilMs === null || failures === null
      ? []
      : [
          `Nothing is created until ${new Date(pausedUntilMs).toISOString()}: ${failures.instance} failed (${failures.reason})`,
        ];
  const heldUntil = Object.values(holds).flatMap((h) => h.untilMs ?? []);
  return {
    reasons: [
      ...[money?.message ?? []].flat(),
      ...paused,
      ...[warming?.reason ?? []].flat(),
      ...decision.reasons,
      ...(money?.limited ?? []),
      ...healthPlan.reasons,
      ...holdReasons(holds),
      ...[warming?.memory.outlook?.words ?? []].flat(),
    ],
    nextLookAtMs: Math.min(
      decision.nextLookAtMs,
      ...(pausedUntilMs === null ? [] : [pausedUntilMs]),
      ...heldUntil,
      ...healthPlan.dueMs,
      ...(warming?.dueMs ?? []),
    ),
  };
}

function decideInput(
  { setup: { capabilities, providers, slots }, random01 }: PlanInput,
  { memory }: PoolState,
  config: DecideInput['config'],
  observation: Observation,
  bootSec: number | null,
): DecideInput {
  const wakeCostSec = bootSec ?? capabilities.expectedBootMs / 1000;
  return {
    config,
    billing: capabilities.billing,
    ...(providers === undefined
      ? {}
      : { billings: Object.fromEntries(Object.entries(providers).map(([name, { billing }]) => [name, billing])) }),
    wakeCostSec,
    // Both count the same boot: after slow boots a wake would seem as long as a cold boot.
    coldCostSec: wakeCostSec + config.timing.expectedPullMs / 1000,
    volumeUsdPerHour: (config.osVolumeGib * capabilities.volumeUsdPerGibMonth) / HOURS_PER_MONTH,
    slots,
    observation,
    memory,
    random01,
  };
}

const ask = (
  instance: string,
  request: InstanceRequest,
  reason: string,
): Extract<PoolAsk, { readonly kind: 'ask' }> => ({
  kind: 'ask',
  instance,
  request,
  reason,
});

/** @param warmingFor why an instance is warmed; null = none is */
function stepOf(action: PoolAction, reason: string, warmingFor: string | null): PoolStep {
  if (action.kind === 'create') return warmingFor === null ? action : { ...action, reason: warmingFor };
  const isWarmed = action.kind === 'wake' || action.kind === 'uncordon';
  const asked = ask(action.instance, action.kind, isWarmed ? (warmingFor ?? reason) : reason);
  return action.kind === 'wake' && action.market !== undefined ? { ...asked, market: action.market } : asked;
}

/** State with the markets of instances that are woken. */
function withWoken(state: PoolState, actions: readonly PoolAction[]): PoolState {
  const woken = actions.flatMap((action) =>
    action.kind === 'wake' && action.market !== undefined ? [[action.instance, action.market] as const] : [],
  );
  return woken.length === 0 ? state : { ...state, markets: { ...state.markets, ...Object.fromEntries(woken) } };
}

/** Null where the pool warms nothing ahead. */
const warmingOf = ({ prewarm }: PoolSetup['config'], state: PoolState, observation: Observation): WarmingStep | null =>
  prewarm === 'learned' && state.prewarm !== undefined ? stepWarming(state.prewarm, observation) : null;

/** What operators hold, in words. */
const holdReasons = (holds: PoolState['holds']): string[] =>
  Object.entries(holds).map(([name, { kind, by }]) => `${name} is ${kind} by ${by}`);
