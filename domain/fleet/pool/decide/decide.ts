/**
 * How many instances a pool should have and what to do about it: one pure function of what is seen and remembered.
 *
 * It reads no clock and draws no random number, so every decision can be replayed from its input. Unknown metrics change nothing. Only the pool workflow acts on it.
 */
import { counted, durationWords } from '../../../text/words.ts';
import { hasWork, keptBusy, wishFor } from '../demand.ts';
import type { DecideInput, Decision, Demand, PoolAction, PoolMemory, InstanceView } from '../pool.ts';
import { neededByUtilisation } from '../utilisation.ts';
import { addCapacity, giveUpDisks, shedCapacity, type ActionPlan } from './actions.ts';
import { followGap, planSleep, type SleepPlan } from './idle.ts';
import { lacksFloor } from '../spot-mix.ts';
import { groupByRole, type InstancesByRole } from './roles.ts';
import { moveTarget, withinLimits, wouldFlip } from './target.ts';

/** Decides. Total: every input that parses has an answer. */
export function decide(asked: DecideInput): Decision {
  const input = withoutFuture(asked);
  const { config, observation } = input;
  const roles = groupByRole(observation.instances, observation.atMs, config.timing.destroyAlarmMs);
  return observation.demand === null ? hold(input) : decideOn(input, observation.demand, roles);
}

/** Unknown is not zero: the last decision stands, nothing is done, and time without metrics does not count as time with less work. */
function hold({ config, observation, memory }: DecideInput): Decision {
  const target = withinLimits(memory.target, config);
  return {
    target,
    wish: target,
    actions: [],
    reasons: ['The open work is unknown, so nothing is changed.'],
    nextLookAtMs: observation.atMs + config.timing.tickMs,
    sleepsAtMs: null,
    memory: { ...memory, target, loweredSinceMs: null, loweredMax: 0 },
  };
}

function decideOn(input: DecideInput, demand: Demand, roles: InstancesByRole): Decision {
  const { config, observation, memory, slots, random01 } = input;
  const { timing } = config;
  const nowMs = observation.atMs;
  const working = hasWork(demand) || roles.inFlight > 0;
  const sizing = { slots: Math.max(1, slots), drainGoalMs: timing.drainGoalMs, inFlight: roles.inFlight };
  const needed = neededByUtilisation(config, observation, sizing.slots);
  // Without work nothing is added, however busy the pool was until a moment ago.
  const wish = Math.max(wishFor(demand, sizing), working ? needed : 0);
  const intents = settleIntents(memory, demand, roles, nowMs, timing.idleTickMs);
  const gaps = followGap(memory, observation, roles, working, random01);
  const emergency = emergencyOf(demand, timing.oldestAgePanicMs);
  // Waiting work in spite of instances that serve: one more than it asks for.
  const late = isLate(demand, timing.oldestAgePanicMs) && roles.ready.length > 0;
  // Spot alone may all be taken back at once: critical work has one on demand beside it.
  const floorWish = lacksFloor(config, demand, roles.capacity) ? roles.capacity.length + 1 : 0;
  const moved = moveTarget({
    nowMs,
    config,
    memory,
    wish: withinLimits(Math.max(late ? wish + 1 : wish, floorWish), config),
    floor: Math.max(needed, keptBusy(demand, config.classes, { ...sizing, recentCalls: observation.recentCalls })),
    capacity: roles.capacity.length,
    emergency,
  });
  const remembered: PoolMemory = { ...moved.memory, ...intents, ...gaps };
  const quiet = !working && intents.wakeIntents.length === 0;
  const rested =
    quiet && remembered.idleGap !== null
      ? rest(input, roles, remembered, planSleep(input, roles, remembered.idleGap, remembered.idleGapsSec))
      : { memory: remembered, asleep: new Set<string>(), plan: NOTHING, sleepsAtMs: null };
  const { target } = rested.memory;
  // Without work nothing is bought to replace what is gone; only the pool's minimum is kept up.
  const wanted = working ? target : Math.min(target, config.min);
  const size = roles.capacity.length - rested.plan.actions.length;
  // The pool did not want them before either: an operator had them woken, and the sleep policy alone suspends them.
  const sleepOnly = quiet && memory.target <= config.min && size > target && size <= config.max;
  const plan =
    size < wanted
      ? addCapacity(input, roles, wanted - size)
      : shedCapacity(input, roles, size - target, Math.max(target, config.min), rested.asleep, sleepOnly);
  const named = new Set(
    [...rested.plan.actions, ...plan.actions].flatMap((a) => (a.kind === 'create' ? [] : [a.instance])),
  );
  const disks = giveUpDisks(input, roles, named);
  const dueMs = [...moved.dueMs, ...rested.plan.dueMs, ...plan.dueMs];
  return {
    target,
    wish,
    actions: [...rested.plan.actions, ...plan.actions, ...disks.actions],
    reasons: [
      // A reason for an unchanged target is not true once the sleep policy has lowered it.
      ...(target === moved.memory.target ? moved.reasons : []),
      ...rested.plan.reasons,
      ...plan.reasons,
      ...disks.reasons,
      describeDemand(demand, roles, wish, target),
    ],
    nextLookAtMs: nextLook(input, quiet && target === 0 && roles.rented === 0, dueMs),
    sleepsAtMs: target > config.min || sleepOnly ? rested.sleepsAtMs : null,
    memory: rested.memory,
  };
}

const NOTHING: ActionPlan = { actions: [], reasons: [], dueMs: [] };

const isLate = ({ oldestAgeMs }: Demand, panicMs: number): boolean => oldestAgeMs !== null && oldestAgeMs > panicMs;

/** Why delays do not apply; null = they do. */
function emergencyOf(demand: Demand, panicMs: number): string | null {
  const { criticalCalls } = demand;
  if (criticalCalls > 0) return `${criticalCalls} open ${criticalCalls === 1 ? 'call is' : 'calls are'} critical`;
  return isLate(demand, panicMs)
    ? `the oldest open call has waited for ${durationWords(demand.oldestAgeMs ?? 0)}`
    : null;
}

/** A pool without work follows its sleep policy, down to its minimum. */
function rest(
  { config, observation }: DecideInput,
  roles: InstancesByRole,
  memory: PoolMemory,
  plan: SleepPlan,
): { memory: PoolMemory; asleep: ReadonlySet<string>; plan: ActionPlan; sleepsAtMs: number | null } {
  const nowMs = observation.atMs;
  const size = roles.capacity.length;
  const stay = (reason: string | null, dueMs: readonly number[] = plan.dueMs) => ({
    memory,
    asleep: new Set<string>(),
    plan: { actions: [], reasons: reason === null ? [] : [reason], dueMs },
    sleepsAtMs: plan.sleepsAtMs,
  });
  if (memory.panicUntilMs !== null && nowMs < memory.panicUntilMs)
    return stay('Nothing sleeps: an emergency is not long over.', [...plan.dueMs, memory.panicUntilMs]);
  // A pool in which nothing is awake has nothing that could go to sleep.
  if (plan.veto !== null) return stay(roles.ready.length === 0 ? null : `Nothing sleeps: ${plan.veto}.`);
  const target = Math.max(config.min, Math.min(memory.target, size - plan.due.length - plan.withdrawn.length));
  const lowered: PoolMemory =
    target < memory.target
      ? {
          ...memory,
          target,
          raisedSinceMs: null,
          loweredSinceMs: null,
          loweredMax: 0,
          lastDirection: 'down',
          lastChangeAtMs: nowMs,
        }
      : memory;
  if (target === memory.target && plan.due.length + plan.withdrawn.length === 0)
    return stay(sleepWords(plan, nowMs, memory.target > config.min));
  // A part of a pool sleeps only after the down delay; the whole pool may at once, because from zero it comes back without delay.
  if (target > 0 && target < memory.target && wouldFlip(memory, 'down', nowMs, config.timing.downDelayMs))
    return stay('It stays at its size: it was raised a short while ago.');
  const withdrawn = plan.withdrawn.slice(0, Math.max(0, size - target));
  return {
    memory: lowered,
    asleep: new Set(plan.due.map((s) => s.instance.name)),
    plan: {
      // An instance that was to wake stays suspended on its disk.
      actions: withdrawn.map(({ name, phase }): PoolAction => ({
        kind: phase === 'waking' ? 'suspend' : 'destroy',
        instance: name,
      })),
      reasons: [
        ...(target < memory.target
          ? [
              `Down from ${memory.target} to ${target}: there is no work${plan.due[0] === undefined ? '' : `, ${plan.due[0].time.reason}`}.`,
            ]
          : []),
        ...withdrawn.map((i) => `${i.name} is withdrawn before it is bought: its work has gone.`),
      ],
      dueMs: plan.dueMs,
    },
    sleepsAtMs: plan.sleepsAtMs,
  };
}

const sleepWords = ({ sleepsAtMs }: SleepPlan, nowMs: number, foreseen: boolean): string | null =>
  sleepsAtMs === null || !foreseen ? null : `Without new work it sleeps in ${durationWords(sleepsAtMs - nowMs)}.`;

function describeDemand(demand: Demand, roles: InstancesByRole, wish: number, target: number): string {
  const coming = demand.comingSeconds > 0 ? ` and ${Math.round(demand.comingSeconds)} s announced` : '';
  return `${counted(demand.openCalls, 'open call')} of ${Math.round(demand.openSeconds)} s${coming}, ${roles.inFlight} in flight: ${wish} wanted, target ${target}, ${roles.ready.length} of ${roles.capacity.length} ready.`;
}

function nextLook({ config, observation }: DecideInput, asleep: boolean, dueMs: readonly number[]): number {
  const nowMs = observation.atMs;
  const interval = asleep ? config.timing.idleTickMs : config.timing.tickMs;
  return Math.min(nowMs + interval, ...dueMs.filter((due) => due > nowMs));
}

/**
 * The input without times ahead of its own: they were remembered before the clock was set back and count as of now. Otherwise a pool would
 * hold a pause, a delay or an idle time for as much longer.
 */
function withoutFuture(input: DecideInput): DecideInput {
  const { observation, memory, config } = input;
  const nowMs = observation.atMs;
  const past = <Time extends number | null>(atMs: Time): Time =>
    atMs === null || atMs <= nowMs ? atMs : (nowMs as Time);
  const { panicUntilMs, idleGap } = memory;
  const gap = idleGap === null ? null : { ...idleGap, sinceMs: past(idleGap.sinceMs) };
  // Rows of others keep their time at the next look, too: what the pool itself remembers goes on from there.
  const idleSince = (atMs: number | null): number | null =>
    atMs === null || atMs <= nowMs ? atMs : (gap?.sinceMs ?? nowMs);
  const phaseSince = ({ phase, phaseSinceMs }: InstanceView): number =>
    phase === 'failed' && phaseSinceMs > nowMs ? nowMs - config.timing.ladderPauseMaxMs : past(phaseSinceMs);
  return {
    ...input,
    observation: {
      ...observation,
      instances: observation.instances.map((instance) => ({
        ...instance,
        phaseSinceMs: phaseSince(instance),
        idleSinceMs: idleSince(instance.idleSinceMs),
        billedSinceMs: past(instance.billedSinceMs),
      })),
    },
    memory: {
      ...memory,
      raisedSinceMs: past(memory.raisedSinceMs),
      loweredSinceMs: past(memory.loweredSinceMs),
      panicUntilMs: panicUntilMs === null ? null : Math.min(panicUntilMs, nowMs + config.timing.panicHoldMs),
      lastChangeAtMs: past(memory.lastChangeAtMs),
      intentsSinceMs: past(memory.intentsSinceMs),
      idleGap: gap,
    },
  };
}

/** Announced decks are kept until an instance has polled for work, or until they bring none: cancelled, or all results known. */
function settleIntents(
  memory: PoolMemory,
  demand: Demand,
  roles: InstancesByRole,
  nowMs: number,
  recheckMs: number,
): Pick<PoolMemory, 'wakeIntents' | 'intentsSinceMs'> {
  if (memory.wakeIntents.length === 0) return { wakeIntents: [], intentsSinceMs: null };
  const sinceMs = memory.intentsSinceMs ?? nowMs;
  const served = hasWork(demand) && roles.ready.some((i) => i.hasPolled);
  const empty = !hasWork(demand) && nowMs - sinceMs >= recheckMs;
  if (served || empty) return { wakeIntents: [], intentsSinceMs: null };
  return { wakeIntents: memory.wakeIntents, intentsSinceMs: sinceMs };
}
