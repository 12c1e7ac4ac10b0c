/** Executes the reducer's commands, each at the same time as the others, and answers each with one event that echoes its id. */
import { CancellationScope, isCancellation, log, sleep } from '@temporalio/workflow';
import { assertNever } from '../../../domain/errors.ts';
import type { Command, LifeEvent } from '../../../domain/fleet/instance-life/types.ts';
import { configForMarket } from '../../../domain/fleet/pool/spot-mix.ts';
import type { ProviderErrorInfo } from '../../../domain/fleet/provider/provider-errors.ts';
import { buying, cutting, fleet, history, hostActivities } from './activity-proxies.ts';
import { Attachment } from './attachment.ts';
import type { InstanceWorkflowInput } from '../../../contracts/instance.ts';
import { failureInfo, failureMessage } from './failure-info.ts';

type CommandOf<K extends Command['kind']> = Extract<Command, { kind: K }>;

/** Commands that may be open when a run continues as new: the new run starts them again without harm. */
const LEAVABLE: ReadonlySet<Command['kind']> = new Set(['wait', 'serve']);

export class CommandRunner {
  readonly #input: InstanceWorkflowInput;
  readonly #emit: (event: LifeEvent) => void;
  readonly #running = new Map<number, { readonly kind: Command['kind']; readonly done: Promise<void> }>();
  readonly #waits = new Map<number, CancellationScope>();
  readonly #attachments = new Map<number, Attachment>();
  /** A drain is answered before the end of its attachment is reported. */
  #draining: Promise<void> | undefined;

  constructor(input: InstanceWorkflowInput, emit: (event: LifeEvent) => void) {
    this.#input = input;
    this.#emit = emit;
  }

  /** Starts commands in order. */
  execute(commands: readonly Command[]): void {
    for (const command of commands) {
      const done = this.#run(command).finally(() => this.#running.delete(command.id));
      this.#running.set(command.id, { kind: command.kind, done });
    }
  }

  /** Starts the open commands of the previous run again. A create is not repeated: its outcome is unknown. */
  resume(open: readonly Command[]): void {
    this.execute(open.filter((command) => command.kind !== 'create'));
    for (const command of open) {
      if (command.kind !== 'create') continue;
      const outcome = { kind: 'unknown', message: 'the run that sent it is over' } as const;
      this.#emit({ kind: 'create_answered', atMs: Date.now(), commandId: command.id, outcome });
    }
  }

  /** Ends timers and attachments that are no longer among the open commands. */
  giveUpAllExcept(open: readonly Command[]): void {
    const wanted = new Set(open.map((command) => command.id));
    for (const [id, scope] of this.#waits) if (!wanted.has(id)) scope.cancel();
    for (const [id, attachment] of this.#attachments) if (!wanted.has(id)) attachment.abandon();
  }

  /** True when a new run can start everything again that is open. */
  get canBeLeft(): boolean {
    return [...this.#running.values()].every(({ kind }) => LEAVABLE.has(kind));
  }

  /** Ends everything that is open and waits for it. */
  async finish(): Promise<void> {
    this.giveUpAllExcept([]);
    await Promise.all([...this.#running.values()].filter(({ kind }) => kind !== 'serve').map(({ done }) => done));
  }

  async #run(command: Command): Promise<void> {
    const commandId = command.id;
    switch (command.kind) {
      case 'rank':
        return this.#rank(command);
      case 'create':
        return this.#create(command);
      case 'find':
        return this.#find(command);
      case 'look':
        return this.#look(command);
      case 'remember': {
        const { offer, error } = command;
        return this.#act(commandId, async () => {
          await fleet.rememberOutcome.executeWithOptions({ summary: offer }, [{ offer, error }]);
          return null;
        });
      }
      case 'serve':
        return this.#serve(command);
      case 'drain':
        this.#draining = this.#drain(command);
        return this.#draining;
      case 'recheck_demand':
        return this.#recheckDemand(commandId);
      case 'shutdown':
        return this.#act(commandId, async () => (await fleet.shutdownInstance(command)).error);
      case 'start':
        return this.#act(commandId, async () => {
          const { name, pool } = this.#input;
          return (await fleet.startInstance({ providerId: command.providerId, instance: name, pool })).error;
        });
      case 'change_type':
        return this.#act(commandId, async () => (await fleet.changeInstanceType(command)).error);
      case 'hibernate':
        return this.#act(commandId, async () => (await fleet.hibernateInstance(command)).error);
      case 'delete':
        return this.#act(commandId, async () => (await fleet.deleteInstance(command)).error);
      case 'delete_volume':
        return this.#act(commandId, async () => (await fleet.deleteVolume(command)).error);
      case 'restart_model_server':
        return this.#act(commandId, async () => {
          await hostActivities(this.#input.name).restartModelServer();
          return null;
        });
      case 'reboot':
        return this.#act(commandId, async () => {
          await hostActivities(this.#input.name).rebootMachine();
          return null;
        });
      case 'wait':
        return this.#wait(command);
      case 'alert':
        return this.#alert(command);
      default:
        return assertNever(command);
    }
  }

  async #rank({ id: commandId, wakeFrom, soughtSinceMs, at, market }: CommandOf<'rank'>): Promise<void> {
    const { name, provider } = this.#input;
    const pool = configForMarket(this.#input.pool, market);
    try {
      const ranked = await fleet.rankOffers.executeWithOptions({ summary: pool.selector }, [
        {
          pool,
          wakeFrom,
          instance: name,
          provider,
          ...(soughtSinceMs === undefined ? {} : { soughtSinceMs }),
          ...(at === undefined ? {} : { at }),
        },
      ]);
      this.#emit({ kind: 'ranked', atMs: Date.now(), commandId, ...ranked });
    } catch (error) {
      const failed = { offers: [], nextTryAtMs: null, error: failureInfo(error) };
      this.#emit({ kind: 'ranked', atMs: Date.now(), commandId, ...failed });
    }
  }

  async #create({ id: commandId, intent }: CommandOf<'create'>): Promise<void> {
    const { name, pool } = this.#input;
    const summary = `${intent.hostname} on ${intent.offer}`;
    try {
      const outcome = await buying.createInstance.executeWithOptions({ summary }, [{ instance: name, pool, intent }]);
      this.#emit({ kind: 'create_answered', atMs: Date.now(), commandId, outcome });
    } catch (error) {
      const outcome = { kind: 'unknown', message: failureMessage(error) } as const;
      this.#emit({ kind: 'create_answered', atMs: Date.now(), commandId, outcome });
    }
  }

  async #find({ id: commandId, hostnames }: CommandOf<'find'>): Promise<void> {
    try {
      const found = await fleet.findInstances.executeWithOptions({ summary: hostnames.join(', ').slice(0, 200) }, [
        { hostnames },
      ]);
      this.#emit({ kind: 'found', atMs: Date.now(), commandId, ...found });
    } catch (error) {
      this.#emit({ kind: 'found', atMs: Date.now(), commandId, sightings: [], error: failureInfo(error) });
    }
  }

  async #look({ id: commandId, providerId }: CommandOf<'look'>): Promise<void> {
    try {
      const looked = await fleet.lookAtInstance({ providerId });
      this.#emit({ kind: 'looked', atMs: Date.now(), commandId, ...looked });
    } catch (error) {
      this.#emit({ kind: 'looked', atMs: Date.now(), commandId, sighting: null, error: failureInfo(error) });
    }
  }

  async #act(commandId: number, act: () => Promise<ProviderErrorInfo | null>): Promise<void> {
    try {
      const error = await act();
      this.#emit({ kind: 'acted', atMs: Date.now(), commandId, error });
    } catch (error) {
      this.#emit({ kind: 'acted', atMs: Date.now(), commandId, error: failureInfo(error) });
    }
  }

  async #serve({ id: commandId, machine, watchOnly }: CommandOf<'serve'>): Promise<void> {
    const attachment = new Attachment(this.#input, commandId, machine, watchOnly === true);
    this.#attachments.set(commandId, attachment);
    const { reason } = await attachment.ended;
    this.#attachments.delete(commandId);
    await this.#draining;
    this.#emit({ kind: 'serve_ended', atMs: Date.now(), commandId, reason });
  }

  async #drain({ id: commandId, timeoutMs, cut }: CommandOf<'drain'>): Promise<void> {
    if (cut === true) {
      const name = this.#input.name;
      cutting(name)
        .cutCalls()
        .catch((error: unknown) => log.debug('its calls were not cut', { name, error: failureMessage(error) }));
    }
    const ends = await Promise.all([...this.#attachments.values()].map((attachment) => attachment.drain(timeoutMs)));
    const callsCut = ends.reduce((sum, end) => sum + end.callsCut, 0);
    this.#emit({ kind: 'drained', atMs: Date.now(), commandId, callsCut });
  }

  /** Unknown demand counts as work, so that nothing is suspended on a guess. */
  async #recheckDemand(commandId: number): Promise<void> {
    try {
      const { work } = await fleet.recheckDemand({ pool: this.#input.pool, instance: this.#input.name });
      this.#emit({ kind: 'demand_rechecked', atMs: Date.now(), commandId, work });
    } catch (error) {
      log.warn('the demand could not be looked at again', { error: failureMessage(error) });
      this.#emit({ kind: 'demand_rechecked', atMs: Date.now(), commandId, work: true });
    }
  }

  async #wait({ id: commandId, untilMs, reason }: CommandOf<'wait'>): Promise<void> {
    const scope = new CancellationScope();
    this.#waits.set(commandId, scope);
    try {
      const restMs = untilMs - Date.now();
      if (restMs > 0) await scope.run(() => sleep(restMs, { summary: reason.slice(0, 200) }));
      this.#emit({ kind: 'waited', atMs: Date.now(), commandId });
    } catch (error) {
      if (!isCancellation(error)) throw error;
    } finally {
      this.#waits.delete(commandId);
    }
  }

  /** It is not answered by an event, and nothing depends on it. */
  async #alert({ text }: CommandOf<'alert'>): Promise<void> {
    const { name, pool } = this.#input;
    try {
      await history.alertOperator({ instance: name, pool: pool.name, text });
    } catch (error) {
      log.error('an operator could not be told', { text, error: failureMessage(error) });
    }
  }
}
