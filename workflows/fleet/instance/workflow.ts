/**
 * The workflow of one instance. It interprets the reducer: an event goes in, the change is stored, then the commands are executed, each
 * at the same time as the others and each answered by one event.
 *
 * The history is written first, so a transition is stored before it has effects. Cancelling the workflow is a request to
 * destroy the machine; the workflow runs until the machine is gone.
 */
import {
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  getExternalWorkflowHandle,
  log,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { assertNever } from '../../../domain/errors.ts';
import { initialState, reduce } from '../../../domain/fleet/instance-life/reducer.ts';
import { reduceStatic } from '../../../domain/fleet/instance-life/static.ts';
import { healthAct, healthSubject, type HealthAct } from '../../../domain/fleet/instance-life/health-subject.ts';
import type {
  InstanceState,
  LifeEvent,
  Reduction,
  Transition,
  HealthAsk,
} from '../../../domain/fleet/instance-life/types.ts';
import { workflowUrl } from '../../../domain/temporal/run-details.ts';
import { INSTANCE_CHANGED_SIGNAL, makePoolWorkflowId } from '../../../contracts/pool.ts';
import { health, history } from './activity-proxies.ts';
import { CommandRunner } from './commands.ts';
import {
  HEALTH_REQUEST_SIGNAL,
  NOTICE_SIGNAL,
  READINESS_SIGNAL,
  REQUEST_SIGNAL,
  STATE_QUERY,
  type HealthNotice,
  type InstanceAsk,
  type InstanceEnd,
  type InstanceWorkflowInput,
  type NoticeReport,
  type ReadinessReport,
} from '../../../contracts/instance.ts';
import { failureMessage } from './failure-info.ts';
import { detailsOf, RECENT_TRANSITIONS, rowOf } from './row.ts';
import { historyIsLong } from '../../history-length.ts';

const requestSignal = defineSignal<[InstanceAsk]>(REQUEST_SIGNAL);
const healthRequestSignal = defineSignal<[HealthAsk]>(HEALTH_REQUEST_SIGNAL);
const readinessSignal = defineSignal<[ReadinessReport]>(READINESS_SIGNAL);
const noticeSignal = defineSignal<[NoticeReport]>(NOTICE_SIGNAL);
const stateQuery = defineQuery<InstanceState>(STATE_QUERY);
const instanceChangedSignal = defineSignal(INSTANCE_CHANGED_SIGNAL);

/** Events after which the workflow continues as new. Rarely, because the attachment changes to the new run. */
const MAX_HISTORY_LENGTH = 3000;

export async function instanceLife(input: InstanceWorkflowInput): Promise<InstanceEnd> {
  const inbox: LifeEvent[] = [];
  const emit = (event: LifeEvent): void => void inbox.push(event);
  const life = new Life(input, emit);
  setHandler(stateQuery, () => life.state);
  setHandler(requestSignal, (ask) => emit({ kind: 'requested', atMs: Date.now(), ...ask }));
  setHandler(healthRequestSignal, (ask) => emit({ kind: 'health_asked', atMs: Date.now(), ...ask }));
  setHandler(readinessSignal, (report) => emit(readinessEvent(report)));
  setHandler(noticeSignal, ({ attachment: commandId, endsAtMs }) =>
    emit({ kind: 'eviction_noticed', atMs: Date.now(), commandId, endsAtMs }),
  );
  void CancellationScope.current().cancelRequested.catch(() =>
    emit({ kind: 'requested', atMs: Date.now(), request: 'destroy', reason: 'its workflow was cancelled' }),
  );
  return CancellationScope.nonCancellable(async () => {
    await life.begin();
    for (;;) {
      const end = life.end;
      if (end !== null) {
        await life.finish();
        return end;
      }
      if (inbox.length === 0 && historyIsLong(input.maxHistoryLength ?? MAX_HISTORY_LENGTH) && life.canBeLeft)
        return life.continueAsNew();
      await condition(() => inbox.length > 0);
      const event = inbox.shift();
      if (event !== undefined) await life.take(event);
    }
  });
}

function readinessEvent(report: ReadinessReport): LifeEvent {
  const about = { atMs: Date.now(), commandId: report.attachment };
  switch (report.kind) {
    case 'proved':
      return { kind: 'proved', ...about, facts: report.facts };
    case 'failed':
      return { kind: 'proof_failed', ...about, failure: report.failure, message: report.message };
    default:
      return assertNever(report);
  }
}

/** State of an instance, and what other workflows have been told. */
class Life {
  state: InstanceState;
  readonly #input: InstanceWorkflowInput;
  readonly #commands: CommandRunner;
  readonly #emit: (event: LifeEvent) => void;
  #position: number;
  #recent: readonly Transition[];
  /** The row as last stored, as JSON; undefined before this run stored it. */
  #stored: string | undefined;
  #telling = 0;
  #health: HealthNotice | undefined;
  /** Health orders are sent one after the other. */
  #healthTelling: Promise<void> = Promise.resolve();

  constructor(input: InstanceWorkflowInput, emit: (event: LifeEvent) => void) {
    const { resume } = input;
    this.#input = input;
    this.#emit = emit;
    this.#commands = new CommandRunner(input, emit);
    this.state = resume?.state ?? initialState(input.name, input.settings, Date.now());
    this.#position = resume?.position ?? 0;
    this.#recent = resume?.recent ?? [];
    this.#health = resume?.health;
  }

  /** Starts a new instance, or continues the state of the previous run. */
  async begin(): Promise<void> {
    const { name, resume, staticUrl, reason } = this.#input;
    if (resume === undefined)
      this.#emit({ kind: 'born', atMs: Date.now(), ...(reason === undefined ? {} : { reason }) });
    else this.#commands.resume(this.state.open);
    // The name of a rented instance is used once; a server that runs already may have been attached under its name before.
    if (resume === undefined && staticUrl !== null) this.#position = await history.countTransitions({ instance: name });
    this.#tell();
    this.#tellHealth(null);
  }

  /** One event: reduce, store, execute. */
  async take(event: LifeEvent): Promise<void> {
    const before = this.state;
    const { state, commands, transitions } = this.#reduce(event);
    this.state = state;
    await this.#store(transitions);
    this.#commands.execute(commands);
    this.#commands.giveUpAllExcept(state.open);
    if (state.phase !== before.phase) this.#tellPool();
    this.#tellHealth(healthAct(before, state));
    this.#tell();
  }

  /** How it ended, once it has. */
  get end(): InstanceEnd | null {
    const { phase, reason } = this.state;
    return phase === 'gone' || phase === 'failed' ? { phase, reason } : null;
  }

  /** True when a new run can continue from here. */
  get canBeLeft(): boolean {
    return this.#telling === 0 && this.#commands.canBeLeft;
  }

  continueAsNew(): Promise<never> {
    const told = this.#health === undefined ? {} : { health: this.#health };
    const resume = { state: this.state, position: this.#position, recent: this.#recent, ...told };
    return continueAsNew<typeof instanceLife>({ ...this.#input, resume });
  }

  async finish(): Promise<void> {
    await this.#commands.finish();
    await condition(() => this.#telling === 0);
    await this.#healthTelling;
  }

  #reduce(event: LifeEvent): Reduction {
    const { staticUrl } = this.#input;
    return staticUrl === null ? reduce(this.state, event) : reduceStatic(staticUrl, this.state, event);
  }

  async #store(transitions: readonly Transition[]): Promise<void> {
    const { pool, provider } = this.#input;
    const row = rowOf(this.state, provider);
    const json = JSON.stringify(row);
    if (transitions.length === 0 && json === this.#stored) return;
    const last = transitions.at(-1);
    const summary = last === undefined ? row.phase : `${last.from ?? 'new'} → ${last.to}: ${last.reason}`.slice(0, 200);
    await history.storeTransitions.executeWithOptions({ summary }, [
      { row, pool, atMs: Date.now(), position: this.#position, transitions },
    ]);
    this.#stored = json;
    this.#position += transitions.length;
    this.#recent = [...this.#recent, ...transitions].slice(-RECENT_TRANSITIONS);
  }

  /** Updates the details in the Temporal UI. */
  #tell(): void {
    const { pool, uiUrl } = this.#input;
    const url = workflowUrl({ uiUrl, namespace: workflowInfo().namespace }, makePoolWorkflowId(pool.name));
    setCurrentDetails(detailsOf(this.state, this.#recent, { name: pool.name, url }));
  }

  /** Tells the health loop the state of the instance, from when it first serves until it ends. */
  #tellHealth(act: HealthAct | null): void {
    const standing = healthSubject(this.state);
    const isOver = this.end !== null;
    const before = this.#health;
    if (before === undefined && (isOver || standing.mode !== 'serving')) return;
    const isSame = JSON.stringify(before?.standing) === JSON.stringify(standing);
    if (isSame && act === null && !isOver) return;
    // A later instance of the same name continues the positions of this one.
    const position = Math.max((before?.position ?? 0) + 1, Date.now());
    this.#health = { standing, position };
    const { name, pool, staticUrl, uiUrl } = this.#input;
    const told = { position, standing: isOver ? null : standing, act };
    const about = {
      instance: name,
      pool: pool.name,
      rented: staticUrl === null && pool.endpoint === undefined,
      ...(uiUrl === undefined ? {} : { uiUrl }),
    };
    this.#telling++;
    this.#healthTelling = this.#healthTelling
      .then(() => health.tellHealth({ ...about, ...told }))
      .catch((error: unknown) => log.error('its health loop was not told', { error: failureMessage(error) }))
      .finally(() => this.#telling--);
  }

  /** Signals the pool to observe now. A pool that does not run is ignored. */
  #tellPool(): void {
    const workflowId = makePoolWorkflowId(this.#input.pool.name);
    this.#telling++;
    getExternalWorkflowHandle(workflowId)
      .signal(instanceChangedSignal)
      .catch((error: unknown) => log.debug('the pool was not told', { workflowId, error: failureMessage(error) }))
      .finally(() => this.#telling--);
  }
}
