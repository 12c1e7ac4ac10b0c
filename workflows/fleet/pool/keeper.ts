/** Keeps one pool: its state, its observations, and the effects of the plans that `planPool` makes. */
import { ActivityFailure, log, proxyActivities, uuid4, workflowInfo } from '@temporalio/workflow';
import { assertNever } from '../../../domain/errors.ts';
import { planPool, type PoolPlan, type PoolSight, type PoolStep } from '../../../domain/fleet/pool/plan.ts';
import { hasWork } from '../../../domain/fleet/pool/demand.ts';
import type { InstanceView } from '../../../domain/fleet/pool/pool.ts';
import {
  firstState,
  withIntent,
  type IdleGapSeen,
  type OperatorAsk,
  type PoolSetup,
  type PoolState,
} from '../../../domain/fleet/pool/pool-state.ts';
import { rentedInstanceName } from '../../../domain/fleet/provider/names.ts';
import type { PoolActivities } from '../../../activities/fleet/pool/activities.ts';
import { FLEET_QUEUE } from '../../../contracts/queues.ts';
import type { PoolReport, WorkComing } from '../../../contracts/pool.ts';
import { isAtRest } from '../../../domain/fleet/endpoint-life/endpoint-life.ts';
import { sickSince } from '../../../domain/fleet/pool/quarantine.ts';
import { detailsOf } from './details.ts';
import { keepEndpoint } from './endpoint.ts';
import { instanceInput } from './instance-input.ts';
import { askInstance, askInstanceForHealth, startInstance } from './instances.ts';

/** A killed worker is noticed within this time, because decks wait for this observation. */
const startToCloseTimeout = '10s';

/** An observation: after a few attempts the pool holds its decision rather than waits. */
const looking = proxyActivities<Pick<PoolActivities, 'observePool'>>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout,
  retry: { initialInterval: '200ms', backoffCoefficient: 3, maximumInterval: '5s', maximumAttempts: 4 },
});

/** Rows that others read (an instance's row refers to its pool's): written before anything follows, so retried without end. */
const storing = proxyActivities<Pick<PoolActivities, 'registerPool' | 'storePoolDecision'>>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout,
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '15s' },
});

/** The forecast of arrivals. No deck waits for it: without one, nothing is warmed ahead. */
const foreseeing = proxyActivities<Pick<PoolActivities, 'foreseeArrivals'>>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout: '30s',
  retry: { maximumAttempts: 1 },
});

/** Forecasts are made once in each hour. */
const FORECAST_MS = 3_600_000;

export class PoolKeeper {
  setup: PoolSetup;
  state: PoolState;
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

  constructor(setup: PoolSetup, resume: PoolState | undefined) {
    this.setup = setup;
    this.state = resume ?? firstState();
  }

  get nextLookAtMs(): number {
    return this.state.nextLookAtMs;
  }

  get report(): PoolReport {
    const { holds, births, memory, nextLookAtMs, quarantines } = this.state;
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

  /** A request of an operator for an instance; it is carried out at the next observation. */
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

  /** Writes the pool's row; a new pool gets its stored past. */
  async register(): Promise<void> {
    if (this.#registered) return;
    this.#registered = true;
    const { idleGapsSec, instancesMade } = await storing.registerPool({ setup: this.setup });
    const { memory } = this.state;
    this.state = {
      ...this.state,
      // No name is used twice, also when an earlier run was terminated and its state is lost.
      instancesMade: Math.max(this.state.instancesMade, instancesMade),
      memory: memory.idleGapsSec.length === 0 ? { ...memory, idleGapsSec } : memory,
    };
  }

  /** One round: observe, plan, act, store. */
  async look(): Promise<void> {
    await this.register();
    await this.#foresee();
    const seen = await this.#observe();
    const plan = await this.#planAndAct(seen);
    const { reasons, nextLookAtMs } =
      seen === null ? plan.outcome : await this.#keepEndpoint(plan.outcome, seen.observation.instances.length);
    this.#last = { ...plan.outcome, reasons, atMs: Date.now(), demand: seen?.observation.demand ?? null };
    this.state = { ...this.state, nextLookAtMs };
    // A database that could not be read is not written to either; the next round comes soon.
    if (seen === null) return;
    await storing.storePoolDecision({
      pool: this.setup.config.name,
      target: plan.outcome.target,
      wish: plan.outcome.wish,
      reasons,
      demand: seen.observation.demand,
      nextLookAtMs: this.isOver ? null : nextLookAtMs,
      idleGaps: this.#gaps.splice(0),
    });
  }

  /** The deployment of an endpoint pool follows what its instances have claimed, and outlives the last of them. */
  async #keepEndpoint(
    { reasons, nextLookAtMs }: PoolPlan['outcome'],
    instances: number,
  ): Promise<Pick<PoolPlan['outcome'], 'reasons' | 'nextLookAtMs'>> {
    const { config, retired = false } = this.setup;
    const isDeployed = config.endpoint?.deployment !== undefined;
    // A pool that has machines now still has to end the deployment that it had before.
    const deployed = isDeployed ? config : this.state.deployed;
    if (deployed === undefined) return { reasons, nextLookAtMs };
    const endpoint = await keepEndpoint(
      { ...this.setup, config: deployed, retired: retired || !isDeployed },
      this.state.endpoint ?? null,
      isDeployed ? instances : 0,
      sickSince(this.state.quarantines),
    );
    const { endpoint: _endpoint, deployed: _deployed, ...others } = this.state;
    const isLeft = isDeployed || endpoint.phase !== 'absent';
    this.state = isLeft ? { ...others, endpoint, deployed } : others;
    if (endpoint.phase !== 'absent') this.isOver = false;
    const soonMs = Date.now() + config.timing.tickMs;
    return {
      reasons: [...reasons, `Its deployment is ${endpoint.phase}: ${endpoint.reason}`],
      nextLookAtMs: isAtRest(endpoint, 0) ? nextLookAtMs : Math.min(nextLookAtMs, soonMs),
    };
  }

  /** Asks once an hour when decks are expected, while there is no work. */
  async #foresee(): Promise<void> {
    const { setup } = this;
    if (setup.config.prewarm !== 'learned' || setup.retired === true || setup.provider === 'static') return;
    const nowMs = Date.now();
    const { prewarm = { askedAtMs: 0, outlook: null, warmed: null } } = this.state;
    const isKnown = Math.floor(prewarm.askedAtMs / FORECAST_MS) === Math.floor(nowMs / FORECAST_MS);
    if (isKnown || this.#last.demand === null || hasWork(this.#last.demand)) return;
    let { outlook } = prewarm;
    try {
      outlook = await foreseeing.foreseeArrivals({ setup });
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      log.warn('no forecast could be made', {
        pool: setup.config.name,
        error: error.cause?.message ?? error.message,
      });
    }
    this.state = { ...this.state, prewarm: { ...prewarm, askedAtMs: nowMs, outlook } };
  }

  /** The observation; null when the database does not answer. */
  async #observe(): Promise<PoolSight | null> {
    const { config } = this.setup;
    const askedIntents = this.state.memory.wakeIntents;
    try {
      const seen = await looking.observePool({
        pool: config.name,
        classes: config.classes,
        ...(config.ownQueues === true ? { ownQueues: true } : {}),
        wakeIntents: askedIntents,
        births: this.state.births.map((b) => b.name),
      });
      return { ...seen, askedIntents };
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      log.warn('the pool could not look', { pool: config.name, error: error.cause?.message ?? error.message });
      return null;
    }
  }

  /** Plans, then sends and starts what the plan says. Requests that arrive meanwhile stay in the state for the next round. */
  async #planAndAct(seen: PoolSight | null): Promise<PoolPlan> {
    const { setup, state } = this;
    // Times are on the workflow's clock, because the next round is one of its timers.
    const plan = planPool({ setup, state, atMs: Date.now(), seen, random01: Math.random() });
    this.state = plan.state;
    this.isOver = plan.isOver;
    if (plan.instances !== null) this.#instances = plan.instances;
    if (plan.endedGap !== null) this.#gaps.push(plan.endedGap);
    for (const step of [...plan.asks, ...plan.steps]) await this.#do(step);
    return plan;
  }

  /** Starts or asks; repeating either changes nothing. */
  async #do(step: PoolStep): Promise<void> {
    switch (step.kind) {
      case 'create':
        return this.#create(step);
      case 'start':
        return startInstance(instanceInput(this.setup, step.name, step.url));
      case 'ask': {
        const { kind: _, instance, ...ask } = step;
        return askInstance(instance, ask);
      }
      case 'ask_for_health': {
        const { kind: _, instance, ...ask } = step;
        return askInstanceForHealth(instance, ask);
      }
      default:
        return assertNever(step);
    }
  }

  async #create({ reason, market }: Extract<PoolStep, { kind: 'create' }>): Promise<void> {
    const number = this.state.instancesMade + 1;
    const name = rentedInstanceName(this.setup.config.name, number, uuid4());
    const births = [...this.state.births, { name, atMs: Date.now() }];
    const markets = market === undefined ? {} : { markets: { ...this.state.markets, [name]: market } };
    this.state = { ...this.state, instancesMade: number, births, ...markets };
    const input = instanceInput(this.setup, name, null, market);
    await startInstance(reason === undefined ? input : { ...input, reason });
  }
}
