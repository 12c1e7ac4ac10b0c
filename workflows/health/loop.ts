/** Keeps the health of one instance: follows orders, measures, judges, and stores the result. */
import { ActivityFailure, defineSignal, getExternalWorkflowHandle, log, proxyActivities } from '@temporalio/workflow';
import type { HealthActivities, StoredSample } from '../../activities/health/contract.ts';
import type { InstanceActivities } from '../../activities/fleet/instance/contract.ts';
import { LONGEST_LOAD_MS } from '../../domain/health/rules.ts';
import { FLEET_QUEUE, makeHostQueue } from '../../contracts/queues.ts';
import { assertNever } from '../../domain/errors.ts';
import { judge, type HealthObservation } from '../../domain/health/judge.ts';
import { nextLook, type NextLook } from '../../domain/health/looks.ts';
import { stateAfterCheck, type HealthSettings, type HealthState, type Verdict } from '../../domain/health/state.ts';
import type { HealthLevel } from '../../domain/health/types.ts';
import { failureMessage } from '../fleet/instance/failure-info.ts';
import { INSTANCE_CHANGED_SIGNAL, makePoolWorkflowId } from '../../contracts/pool.ts';
import type { HealthChange, HealthOrder, HealthResume, HostHealthActivities } from '../../contracts/health.ts';

const instanceChangedSignal = defineSignal(INSTANCE_CHANGED_SIGNAL);

/** A measurement without a gateway, or beyond its time limit, is a missing sample: it is judged, not retried. */
const SHORTEST_MS = 5_000;
const LONGEST_START_MS = 15_000;
const LONGEST_SAMPLE_MS = 30_000;
/** A probe waits for a slot, and reads where the model is before and after the generation. */
const PROBE_GRACE_MS = 15_000;

const within = (ms: number, longestMs: number): number => Math.min(longestMs, Math.max(SHORTEST_MS, ms));

/** Activities on the host queue of the attached gateway. Never retried: the next measurement is due soon. */
function hostHealth(instance: string, times: { readonly sampleIntervalMs: number; readonly probeTimeoutMs: number }) {
  const common = {
    taskQueue: makeHostQueue(instance),
    scheduleToStartTimeout: within(times.sampleIntervalMs / 4, LONGEST_START_MS),
    heartbeatTimeout: '10s',
    retry: { maximumAttempts: 1 },
  } as const;
  const sampling = proxyActivities<Pick<HostHealthActivities, 'measureHealth'>>({
    ...common,
    startToCloseTimeout: within(times.sampleIntervalMs / 2, LONGEST_SAMPLE_MS),
  });
  const probing = proxyActivities<Pick<HostHealthActivities, 'probeHealth'>>({
    ...common,
    // A model that is not in memory is loaded first. With a shorter limit the load would never finish.
    startToCloseTimeout: LONGEST_LOAD_MS + times.probeTimeoutMs + PROBE_GRACE_MS,
  });
  return { measureHealth: sampling.measureHealth, probeHealth: probing.probeHealth };
}

/**
 * Rows and alerts: retried for a while. Changes that could not be stored are stored with the next measurement, which does not wait for the
 * database.
 */
const storing = proxyActivities<Pick<HealthActivities, 'storeHealth'> & Pick<InstanceActivities, 'alertOperator'>>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 3, maximumInterval: '5s', maximumAttempts: 5 },
});

/** Most changes kept while the database is away. Older ones are dropped, because they are carried through continue-as-new. */
const MOST_UNSTORED = 200;

export class HealthLoop {
  readonly #instance: string;
  readonly #inbox: HealthOrder[] = [];
  #order: HealthOrder | null;
  #state: HealthState | null;
  #machine: string | null;
  #isRebooted: boolean;
  #unstored: readonly HealthChange[];
  /** Time of the gateway's last report, as the last write returned it. */
  #gatewaySeenAtMs: number | null;
  /** The probe in the last stored sample. */
  #probeStoredAtMs: number | null;

  constructor(instance: string, resume: HealthResume | undefined) {
    this.#instance = instance;
    this.#order = resume?.order ?? null;
    this.#state = resume?.state ?? null;
    this.#machine = resume?.machine ?? null;
    this.#isRebooted = resume?.isRebooted ?? false;
    this.#unstored = resume?.unstored ?? [];
    this.#gatewaySeenAtMs = resume?.gatewaySeenAtMs ?? null;
    this.#probeStoredAtMs = resume?.state?.probedAtMs ?? null;
  }

  get state(): HealthState | null {
    return this.#state;
  }

  get order(): HealthOrder | null {
    return this.#order;
  }

  /** Takes an order; it is followed before the next measurement. */
  take(order: HealthOrder): void {
    this.#inbox.push(order);
  }

  get hasOrders(): boolean {
    return this.#inbox.length > 0;
  }

  /** The instance has ended. */
  get isOver(): boolean {
    return this.#order !== null && this.#order.standing === null;
  }

  /** The next measurement; null while the instance is not measured. */
  get next(): NextLook | null {
    const standing = this.#order?.standing ?? null;
    if (this.#order === null || this.#state === null || standing === null || standing.mode === 'away') return null;
    return nextLook(this.#state, this.#order.settings);
  }

  /** State for a continued run; null before the first order. */
  get resume(): HealthResume | null {
    if (this.#order === null) return null;
    return {
      order: this.#order,
      state: this.#state,
      machine: this.#machine,
      isRebooted: this.#isRebooted,
      unstored: this.#unstored,
      gatewaySeenAtMs: this.#gatewaySeenAtMs,
    };
  }

  /** Follows all orders and stores the health that results. */
  async follow(): Promise<void> {
    if (this.#followAll()) await this.#store(null);
  }

  /** One measurement, judged and stored. */
  async look(next: NextLook): Promise<void> {
    const before = this.#state;
    if (before === null || this.#order === null) return;
    const { settings, pool } = this.#order;
    const observation = await this.#observe(next, settings);
    const isOrdered = this.#followAll();
    // If the instance ended or passed another readiness check meanwhile, the observation says nothing about it now.
    if (this.next === null || this.#state === null || this.#state.provedAtMs !== before.provedAtMs) {
      if (isOrdered) await this.#store(null);
      return;
    }
    const judgement = judge(this.#state, observation, settings);
    this.#state = judgement.state;
    if (judgement.isChanged) this.#note(before.level, observation.atMs, 'none');
    await this.#store(this.#sampleOf(observation, judgement.state));
    if (judgement.isChanged) await this.#tellPool(pool);
    if (judgement.actions.includes('tell_operator')) await this.#tellOperator(pool, judgement.reason);
  }

  async #observe(next: NextLook, settings: HealthSettings): Promise<HealthObservation> {
    const askedAtMs = Date.now();
    const host = hostHealth(this.#instance, settings);
    try {
      if (next.kind === 'sample') {
        const measurement = await host.measureHealth();
        return { kind: 'measured', atMs: Date.now(), askedAtMs, measurement };
      }
      const { probeTimeoutMs: timeoutMs } = settings;
      const reading = await host.probeHealth(next.model === null ? { timeoutMs } : { timeoutMs, model: next.model });
      return { kind: 'probed', atMs: Date.now(), reading };
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      const gatewaySeenAtMs = this.#gatewaySeenAtMs;
      return { kind: 'missing', atMs: Date.now(), askedAtMs, message: failureMessage(error), gatewaySeenAtMs };
    }
  }

  /** Follows every order in the inbox. Returns false when there was none. */
  #followAll(): boolean {
    let isOrdered = false;
    for (let order = this.#inbox.shift(); order !== undefined; order = this.#inbox.shift()) {
      if (this.#order !== null && order.position <= this.#order.position) continue;
      this.#followOne(order);
      isOrdered = true;
    }
    return isOrdered;
  }

  #followOne(order: HealthOrder): void {
    const before = this.#order?.standing ?? null;
    this.#order = order;
    const { act, standing, settings } = order;
    const atMs = Date.now();
    if (act !== null) {
      const level = this.#state?.level ?? 'healthy';
      this.#note(level, atMs, act.action, { level, failure: act.failure, reason: act.reason });
      this.#isRebooted ||= act.action === 'reboot';
    }
    if (standing === null || standing.mode !== 'serving') return;
    // An instance that begins to serve, or serves on another machine, has just passed its readiness check.
    if (before?.mode === 'serving' && before.machine === standing.machine && this.#state !== null) return;
    const known = this.#state;
    const isSameMachine = this.#machine === standing.machine;
    this.#state = stateAfterCheck({ atMs, before: known, isSameMachine, isRebooted: this.#isRebooted }, settings);
    this.#machine = standing.machine;
    this.#isRebooted = false;
    if (known?.level !== this.#state.level) this.#note(known?.level ?? null, atMs, 'none');
  }

  /** Adds a row to the history. @param verdict the current one by default */
  #note(
    from: HealthLevel | null,
    atMs: number,
    action: HealthChange['action'],
    verdict: Verdict | null = this.#state,
  ): void {
    if (verdict === null) return;
    const { level: to, failure, reason } = verdict;
    this.#unstored = [...this.#unstored, { atMs, from, to, failure, reason, action }].slice(-MOST_UNSTORED);
  }

  #sampleOf(observation: HealthObservation, state: HealthState): StoredSample | null {
    switch (observation.kind) {
      case 'measured': {
        const isNew = state.probedAtMs !== this.#probeStoredAtMs;
        this.#probeStoredAtMs = state.probedAtMs;
        const { atMs, measurement } = observation;
        return { kind: 'measured', atMs, measurement, probeMs: isNew ? state.probeMs : null };
      }
      case 'missing':
        return { kind: 'missing', atMs: observation.atMs, message: observation.message };
      case 'probed':
        return null;
      default:
        return assertNever(observation);
    }
  }

  /**
   * Changes that cannot be stored now are stored with the next measurement; the sample is lost. Measuring does not wait for the database.
   */
  async #store(sample: StoredSample | null): Promise<void> {
    const state = this.#state;
    const order = this.#order;
    if (state === null || order === null) return;
    const changes = this.#unstored;
    const { level, failure, reason, sinceMs, sampledAtMs, probedAtMs, probeMs, baselineProbeMs } = state;
    const seen = { lastSampleAtMs: sampledAtMs, lastProbeAtMs: probedAtMs, probeMs, baselineProbeMs };
    const quarantinedSinceMs = order.standing?.quarantinedSinceMs ?? null;
    try {
      const { gatewaySeenAtMs } = await storing.storeHealth.executeWithOptions(
        { summary: `${level}: ${reason}`.slice(0, 200) },
        [
          {
            instance: this.#instance,
            pool: order.pool,
            atMs: Date.now(),
            health: { level, failure, reason, sinceMs, ...seen, quarantinedSinceMs },
            sample,
            changes,
          },
        ],
      );
      this.#gatewaySeenAtMs = gatewaySeenAtMs;
      this.#unstored = this.#unstored.filter((change) => !changes.includes(change));
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
      log.warn('the health of this instance could not be stored', { error: failureMessage(error) });
    }
  }

  /** Signals the pool to observe now. A pool that does not run is ignored. */
  async #tellPool(pool: string): Promise<void> {
    const workflowId = makePoolWorkflowId(pool);
    try {
      await getExternalWorkflowHandle(workflowId).signal(instanceChangedSignal);
    } catch (error) {
      log.debug('the pool was not told', { workflowId, error: failureMessage(error) });
    }
  }

  async #tellOperator(pool: string, reason: string): Promise<void> {
    const text = `There is no report from ${this.#instance} or its gateway: ${reason}. The instance is not changed; check whether its gateway runs.`;
    try {
      await storing.alertOperator({ instance: this.#instance, pool, text });
    } catch (error) {
      log.error('an operator could not be told', { text, error: failureMessage(error) });
    }
  }
}
