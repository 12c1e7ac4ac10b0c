/**
 * Keeps one pool: its state, one look after the other, and the effects of what is decided.
 */
import { ActivityFailure, log, patched, uuid4, workflowInfo } from '@temporalio/workflow';
import type { PoolObservation } from '../../../activities/fleet/pool/activities.ts';
import { assertNever } from '../../../domain/errors.ts';
import { actionReason } from '../../../domain/fleet/pool/decide/action-reason.ts';
import { decide } from '../../../domain/fleet/pool/decide/decide.ts';
import { isRented } from '../../../domain/fleet/phases.ts';
import { hasWork } from '../../../domain/fleet/pool/demand.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { QuarantinePlan } from '../../../domain/health/quarantine.ts';
import type { DecideInput, Decision, InstanceView, Observation, PoolAction } from '../../../domain/fleet/pool/pool.ts';
import { looking, storing } from './activity-proxies.ts';
import type { OperatorAsk, PoolReport, PoolResumeState, PoolSetup, WorkComing } from '../../../contracts/pool.ts';
import { detailsOf } from './details.ts';
import { askForHealth, currentExcuses, healthPlan, withExcuse, withoutIll } from './health.ts';
import {
  applyAsk,
  currentHolds,
  drainedAndIdle,
  heldTooLong,
  takenOutAndServing,
  underHolds,
  type TakesPlace,
} from './holds.ts';
import { instanceInput } from './instance-input.ts';
import { askInstance, startInstance } from './instances.ts';
import { asksForMoney, moneyReasons, underBudget } from './money.ts';
import { rentedInstanceName } from './names.ts';
import {
  creationPauseUntilMs,
  endedGap,
  firstState,
  openBirths,
  withBirths,
  withIntent,
  withLiveIntents,
  type IdleGapSeen,
} from './state.ts';
import { planHosts, staticReasons } from './static-hosts.ts';

const HOURS_PER_MONTH = 730;
/** Before it, an instance that an operator woke was put back to sleep at the next look. */
const RESTS_SURPLUS = 'what an operator woke rests by the sleep policy';

/** Before it, a machine that was held back and is being ended took no place of the pool's maximum. */
const COUNTS_ENDING = 'a machine that is being ended takes a place';

/** What a look came to, whoever decided it. */
type Outcome = Pick<Decision, 'target' | 'wish' | 'actions' | 'reasons' | 'nextLookAtMs'>;

/** See the file's header. */
export class PoolKeeper {
  setup: PoolSetup;
  state: PoolResumeState;
  /** Nothing is left to keep. */
  isOver = false;
  #registered = false;
  #instances: readonly InstanceView[] = [];
  #gaps: IdleGapSeen[] = [];
  #last: Omit<PoolReport, 'holds' | 'births' | 'wakeIntents' | 'nextLookAtMs' | 'quarantines'> = {
    atMs: null,
    target: 0,
    wish: 0,
    actions: [],
    reasons: ['it has not looked yet'],
    demand: null,
  };

  constructor(setup: PoolSetup, resume: PoolResumeState | undefined) {
    this.setup = setup;
    this.state = resume ?? firstState();
  }

  get nextLookAtMs(): number {
    return this.state.nextLookAtMs;
  }

  get report(): PoolReport {
    const { holds, births, memory, nextLookAtMs, quarantines = {} } = this.state;
    return { ...this.#last, nextLookAtMs, holds, births, wakeIntents: memory.wakeIntents, quarantines };
  }

  get details(): string {
    const { namespace } = workflowInfo();
    return detailsOf(this.report, this.#instances, { uiUrl: this.setup.uiUrl, namespace });
  }

  /** Work is coming. */
  announce(work: WorkComing): void {
    this.state = { ...this.state, memory: withIntent(this.state.memory, work) };
  }

  /** An operator asks something of an instance; it is carried out at the next look. */
  ask(ask: OperatorAsk): void {
    this.state = { ...this.state, asks: [...this.state.asks, ask] };
  }

  /** The configuration changed, or Deckhand was started. */
  configure(setup: PoolSetup): void {
    this.setup = setup;
    this.#registered = false;
    // Configured again while it stored that it is over.
    this.isOver = false;
  }

  /** Writes the pool's row; a pool that is new learns what is known of its past. */
  async register(): Promise<void> {
    if (this.#registered) return;
    this.#registered = true;
    const { idleGapsSec, instancesMade } = await storing.registerPool({ setup: this.setup });
    const { memory } = this.state;
    this.state = {
      ...this.state,
      // Never a name twice, also when a run before this one was ended from outside and its state is lost.
      instancesMade: Math.max(this.state.instancesMade, instancesMade),
      memory: memory.idleGapsSec.length === 0 ? { ...memory, idleGapsSec } : memory,
    };
  }

  /** One look: observe, decide, act, store. */
  async look(): Promise<void> {
    await this.register();
    const seen = await this.#observe();
    const outcome = seen === null ? this.#hold() : await this.#actOn(seen);
    this.#last = { ...outcome, atMs: Date.now(), demand: seen?.observation.demand ?? null };
    this.state = { ...this.state, nextLookAtMs: outcome.nextLookAtMs };
    // A database that could not be read is not written to either; the next look comes soon.
    if (seen === null) return;
    await storing.storePoolDecision({
      pool: this.setup.config.name,
      target: outcome.target,
      wish: outcome.wish,
      reasons: outcome.reasons,
      demand: seen.observation.demand,
      nextLookAtMs: this.isOver ? null : outcome.nextLookAtMs,
      idleGaps: this.#gaps.splice(0),
    });
  }

  /** What there is to see; null when the database does not say. */
  async #observe(): Promise<PoolObservation | null> {
    const { config, slots } = this.setup;
    const { wakeIntents } = this.state.memory;
    const { births } = this.state;
    try {
      const seen = await looking.observePool({
        pool: config.name,
        classes: config.classes,
        slots,
        wakeIntents,
        births: births.map((b) => b.name),
      });
      // Everything is measured by the workflow's clock: the next look is a timer of it.
      const atMs = Date.now();
      const memory = withLiveIntents(this.state.memory, wakeIntents, seen.liveIntents);
      const unborn = openBirths(this.state.births, seen.known, atMs, config.timing.stuckAfterMs);
      this.state = { ...this.state, memory, births: unborn };
      const observation = withBirths({ ...seen.observation, atMs }, unborn, slots);
      this.#instances = observation.instances;
      return { ...seen, observation };
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      log.warn('the pool could not look', { pool: config.name, error: error.cause?.message ?? error.message });
      return null;
    }
  }

  /** Unknown is not zero: the last decision stands and nothing is done. */
  #hold(): Outcome {
    const decision = decide(this.#inputOf({ demand: null, recentCalls: 0 }, this.setup.config, this.#instances, null));
    this.state = { ...this.state, memory: decision.memory };
    return decision;
  }

  #inputOf(
    { demand, recentCalls }: Pick<Observation, 'demand' | 'recentCalls'>,
    config: PoolConfig,
    instances: readonly InstanceView[],
    bootSec: number | null,
  ): DecideInput {
    const { capabilities, slots } = this.setup;
    return {
      config,
      billing: capabilities.billing,
      wakeCostSec: bootSec ?? capabilities.expectedBootMs / 1000,
      coldCostSec: (capabilities.expectedBootMs + config.timing.expectedPullMs) / 1000,
      volumeUsdPerHour: (config.osVolumeGib * capabilities.volumeUsdPerGibMonth) / HOURS_PER_MONTH,
      slots,
      observation: { atMs: Date.now(), demand, recentCalls, instances },
      memory: this.state.memory,
      random01: Math.random(),
    };
  }

  async #actOn(seen: PoolObservation): Promise<Outcome> {
    const { setup } = this;
    await this.#carryOutAsks(seen);
    if (setup.retired === true) return this.#giveUpAll(seen);
    if (setup.provider === 'static') return this.#keepHosts(seen);
    return this.#decideAndAct(seen);
  }

  async #carryOutAsks({ observation }: PoolObservation): Promise<void> {
    const { asks } = this.state;
    this.state = { ...this.state, asks: [] };
    const { downDelayMs } = this.setup.config.timing;
    for (const ask of asks) {
      const { holds, request } = applyAsk(this.state.holds, ask, observation.atMs, downDelayMs);
      const excused = withExcuse(this.state.excused ?? {}, ask, observation.instances);
      this.state = { ...this.state, holds, excused };
      await askInstance(ask.instance, request, `${ask.request} asked by ${ask.by}`);
    }
    const present = new Set(observation.instances.map((i) => i.name));
    const holds = currentHolds(this.state.holds, present, observation.demand, observation.atMs);
    this.state = { ...this.state, holds, excused: currentExcuses(this.state.excused ?? {}, present) };
  }

  /** What the health of its instances asks for comes first: nobody waits for one that is ill. */
  async #careForHealth({ observation }: PoolObservation, takesPlace: TakesPlace): Promise<QuarantinePlan> {
    const { config, provider } = this.setup;
    const plan = healthPlan({ config, isStatic: provider === 'static' }, observation, this.state, takesPlace);
    this.state = { ...this.state, quarantines: plan.quarantines };
    await askForHealth(plan.asks);
    return plan;
  }

  async #decideAndAct(seen: PoolObservation): Promise<Outcome> {
    const { setup } = this;
    const { atMs, instances } = seen.observation;
    const { holds } = this.state;
    const takesPlace = this.#takesPlace(atMs);
    const care = await this.#careForHealth(seen, takesPlace);
    const healthy = withoutIll(
      underHolds(setup.config, instances, holds, takesPlace),
      care.quarantines,
      atMs,
      takesPlace,
    );
    const disposable = underBudget(healthy, seen.money, takesPlace);
    const input = {
      ...this.#inputOf(seen.observation, disposable.config, disposable.instances, seen.bootSec),
      isSurplusRested: patched(RESTS_SURPLUS),
    };
    const decision = decide(input);
    const targetBefore = this.state.memory.target;
    const gap = endedGap(this.state.memory, decision.memory);
    if (gap !== null) this.#gaps.push(gap);
    this.state = { ...this.state, memory: decision.memory };

    const pausedUntilMs = creationPauseUntilMs(seen.failures, setup.config.timing, atMs);
    const allowed = decision.actions.filter((a) => a.kind !== 'create' || pausedUntilMs === null);
    await this.#act(allowed, (action) => actionReason(action, decision, targetBefore));
    for (const name of takenOutAndServing(instances, holds, atMs)) {
      await askInstance(name, 'cordon', `taken out by ${holds[name]?.by ?? 'an operator'}`);
    }
    for (const name of drainedAndIdle(instances, holds)) {
      await askInstance(name, 'suspend', `drained for ${holds[name]?.by ?? 'an operator'}`);
    }
    for (const { instance, request, reason } of asksForMoney(setup.config, instances, seen.money)) {
      await askInstance(instance, request, reason);
    }
    for (const name of heldTooLong(setup.config, instances, holds, atMs)) {
      await askInstance(name, 'destroy', `its disk was kept for more than ${setup.config.maxKeptVolumeAgeHours} h`);
    }
    const isHeldBack = allowed.length < decision.actions.length;
    const pauseReason =
      isHeldBack && pausedUntilMs !== null && seen.failures !== null
        ? [
            `Nothing is created until ${new Date(pausedUntilMs).toISOString()}: ${seen.failures.instance} failed (${seen.failures.reason})`,
          ]
        : [];
    const heldUntil = Object.values(holds).flatMap((h) => (h.untilMs === null ? [] : [h.untilMs]));
    const waitsFor = isHeldBack && pausedUntilMs !== null ? [pausedUntilMs, ...heldUntil] : heldUntil;
    const money = moneyReasons(seen.money);
    return {
      ...decision,
      actions: allowed,
      reasons: [
        ...money.first,
        ...pauseReason,
        ...decision.reasons,
        ...money.last,
        ...care.reasons,
        ...holdReasons(holds),
      ],
      nextLookAtMs: Math.min(decision.nextLookAtMs, ...waitsFor, ...care.dueMs),
    };
  }

  #takesPlace(atMs: number): TakesPlace {
    const { destroyAlarmMs } = this.setup.config.timing;
    const countsEnding = patched(COUNTS_ENDING);
    return (i) => isRented(i, atMs, destroyAlarmMs) && (countsEnding || i.phase !== 'destroying');
  }

  /** Starts and asks; each is harmless when it happened already. */
  async #act(actions: readonly PoolAction[], reasonOf: (action: PoolAction) => string): Promise<void> {
    for (const action of actions) {
      switch (action.kind) {
        case 'create':
          await this.#create();
          break;
        case 'wake':
        case 'uncordon':
        case 'suspend':
        case 'destroy':
          await askInstance(action.instance, action.kind, reasonOf(action));
          break;
        default:
          assertNever(action);
      }
    }
  }

  async #create(): Promise<void> {
    const number = this.state.instancesMade + 1;
    const name = rentedInstanceName(this.setup.config.name, number, uuid4());
    const births = [...this.state.births, { name, atMs: Date.now() }];
    this.state = { ...this.state, instancesMade: number, births };
    await startInstance(instanceInput(this.setup, name, null));
  }

  /** Static pools: an instance per server, whatever the demand. */
  async #keepHosts(seen: PoolObservation): Promise<Outcome> {
    const { observation } = seen;
    const { config, staticHosts } = this.setup;
    // A static pool is always full.
    const care = await this.#careForHealth(seen, () => true);
    const { atMs, instances, demand } = observation;
    // Nothing depends on it but what people are shown.
    const isBusy = demand !== null && hasWork(demand);
    const present = instances.map((i) => i.name);
    const { instancesMade } = this.state;
    const plan = planHosts(config.name, staticHosts, this.state.hosts, present, instancesMade);
    const births = [...this.state.births, ...plan.start.map(({ name }) => ({ name, atMs }))];
    const made = instancesMade + plan.start.length;
    this.state = { ...this.state, hosts: plan.hosts, births, instancesMade: made };
    for (const { name, url } of plan.start) await startInstance(instanceInput(this.setup, name, url));
    for (const name of plan.release) await askInstance(name, 'destroy', 'its server is not configured any more');
    return {
      target: staticHosts.length,
      wish: staticHosts.length,
      actions: [],
      reasons: [...staticReasons(staticHosts, instances), ...care.reasons, ...holdReasons(this.state.holds)],
      nextLookAtMs: atMs + (isBusy ? config.timing.tickMs : config.timing.idleTickMs),
    };
  }

  /** A pool that is not configured any more ends what it has. */
  async #giveUpAll({ observation }: PoolObservation): Promise<Outcome> {
    const { instances, atMs } = observation;
    this.isOver = instances.length === 0;
    const leaving = instances.filter((i) => i.phase !== 'destroying').map((i) => i.name);
    for (const name of leaving) await askInstance(name, 'destroy', 'its pool is not configured any more');
    return {
      target: 0,
      wish: 0,
      actions: leaving.map((instance) => ({ kind: 'destroy', instance })),
      reasons: [`The pool is not configured any more; ${instances.length} of its instances are left`],
      nextLookAtMs: atMs + this.setup.config.timing.tickMs,
    };
  }
}

/** What operators hold, in words. */
const holdReasons = (holds: PoolResumeState['holds']): string[] =>
  Object.entries(holds).map(([name, { kind, by }]) => `${name} is ${kind} by ${by}`);
