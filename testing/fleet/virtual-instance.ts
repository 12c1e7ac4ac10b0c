/**
 * A simulator of one instance: its life on a virtual clock, without Temporal, a database or sockets. It is the reducer, interpreted against the
 * real client of a provider over its simulator, in one process. What goes wrong with each command is given as data (`CommandFault`); where the process dies, it goes on from the state as JSON.
 *
 *     const life = new VirtualInstance({ scenario: {}, rank: fixedLadder([simulatedOffer('1H100.80S.30V')]) });
 *     await life.until('ready');
 *     await life.end();
 */
import type { CloudProvider } from '../../clouds/provider.ts';
import { initialState, reduce } from '../../domain/fleet/instance-life/reducer.ts';
import {
  type Command,
  type InstanceRequest,
  type InstanceSettings,
  type InstanceState,
  type Intent,
  type LifeEvent,
  type LifeEventBody,
  type Transition,
} from '../../domain/fleet/instance-life/types.ts';
import type { Market } from '../../domain/fleet/selection/offer.ts';
import { isFinal, type InstancePhase } from '../../domain/fleet/phases.ts';
import { poolConfigSchema } from '../../domain/fleet/pool/pool-config.ts';
import { VirtualClock } from '../../simulators/clouds/core/clock.ts';
import type { ScenarioInput } from '../../simulators/clouds/core/scenario.ts';
import type { SimInstance } from '../../simulators/clouds/core/state.ts';
import { instanceInput } from '../../workflows/fleet/pool/instance-input.ts';
import { FINE, type CommandFault } from './command-faults.ts';
import { ProviderCommands } from './provider-commands.ts';
import { LadderMemory, type LadderOf } from './virtual-ladder.ts';
import {
  livingMachines,
  virtualDataCrunch,
  type OpenVirtualCloud,
  type VirtualCloud,
  type VirtualSimulator,
} from './virtual-cloud.ts';
import { INSTALLATION_ID } from './virtual-create.ts';
import { PROOF_FACTS, VirtualGateway } from './virtual-gateway.ts';

export interface VirtualInstanceOptions {
  /** The provider and what simulates it; DataCrunch by default. */
  readonly cloud?: OpenVirtualCloud;
  /** Further providers on the same clock, each with the same scenario. */
  readonly others?: readonly OpenVirtualCloud[];
  /** Object, or the name of one that comes with Deckhand. */
  readonly scenario?: string | ScenarioInput;
  readonly seed?: number;
  readonly name?: string;
  readonly settings?: Partial<InstanceSettings>;
  readonly rank: LadderOf;
  /** What goes wrong with the n-th command (from 0); `fine` where left out. */
  readonly commandFaults?: readonly CommandFault[];
  /** Called after every command and event: for what must hold at any instant. */
  readonly check?: (life: VirtualInstance) => void;
}

/** An executed command, in order. */
export interface Executed {
  readonly atMs: number;
  readonly command: Command;
}

/** Time from a command to its answer. */
const ANSWER_MS = 200;
/** Time from a crash until the process runs again. */
const RESTART_MS = 3_000;

/** Settings as a pool with every default gives them to its instances. */
export function defaultSettings(first: CloudProvider, ...others: readonly CloudProvider[]): InstanceSettings {
  const { name, capabilities } = first;
  const config = poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual'] });
  const setup = { config, provider: name, installationId: INSTALLATION_ID, capabilities, slots: 2, staticHosts: [] };
  const providers = Object.fromEntries([first, ...others].map((one) => [one.name, one.capabilities]));
  return instanceInput(others.length === 0 ? setup : { ...setup, providers }, 'visual-1', null).settings;
}

export class VirtualInstance {
  readonly clock = new VirtualClock();
  readonly sim: VirtualSimulator;
  readonly provider: CloudProvider;
  /** All providers; {@link sim} and {@link provider} are those of the first. */
  readonly clouds: readonly [VirtualCloud, ...VirtualCloud[]];
  /** The provider's id of a simulated machine. */
  readonly idOf: VirtualCloud['idOf'];
  readonly gateway: VirtualGateway;
  readonly ladder = new LadderMemory();
  readonly executed: Executed[] = [];
  readonly transitions: Transition[] = [];
  readonly alerts: string[] = [];
  /** Answer to `recheck_demand` of one that serves no more. */
  work = false;
  /** Answer to `recheck_demand` of one whose machine failed before it served. */
  workForAnother = true;
  state: InstanceState;
  readonly #providers: ProviderCommands;
  readonly #commandFaults: readonly CommandFault[];
  readonly #check: (life: VirtualInstance) => void;
  readonly #pending = new PendingEvents();
  #skewMs = 0;
  #commands = 0;

  constructor(options: VirtualInstanceOptions) {
    const { clock } = this;
    const now = (): number => this.ownMs;
    const opening = { clock, scenario: options.scenario ?? {}, seed: options.seed, now };
    const cloud = (options.cloud ?? virtualDataCrunch)(opening);
    this.clouds = [cloud, ...(options.others ?? []).map((open) => open(opening))];
    const { sim, provider } = cloud;
    this.sim = sim;
    this.provider = provider;
    this.idOf = cloud.idOf;
    this.gateway = new VirtualGateway(...this.clouds);
    const rank = options.rank(this.provider);
    this.#providers = new ProviderCommands({ clouds: this.clouds, rank, ladder: this.ladder, now });
    this.#commandFaults = options.commandFaults ?? [];
    this.#check = options.check ?? (() => undefined);
    const settings = { ...defaultSettings(...this.#providers.providers), ...options.settings };
    this.state = initialState(options.name ?? 'visual-1', settings, clock.nowMs());
    this.#tell({ kind: 'born' });
  }

  get nowMs(): number {
    return this.clock.nowMs();
  }

  /** What Deckhand's own clock shows: the time, unless that clock was jumped. */
  get ownMs(): number {
    return this.nowMs + this.#skewMs;
  }

  get isOver(): boolean {
    return isFinal(this.state.phase);
  }

  /** Machines that exist at the provider, whatever its API shows. */
  get living(): readonly SimInstance[] {
    return this.clouds.flatMap(({ sim }) => livingMachines(sim.core));
  }

  /** Disks that exist and cost. */
  get disks(): readonly { readonly id: string; readonly status: string }[] {
    return this.clouds.flatMap(({ sim }) => sim.core.volumes().filter((v) => v.status !== 'purged'));
  }

  /** Creates executed, in order. */
  get creates(): readonly { readonly atMs: number; readonly intent: Intent }[] {
    return this.executed.flatMap(({ atMs, command }) =>
      command.kind === 'create' ? [{ atMs, intent: command.intent }] : [],
    );
  }

  /** Phases gone through, without repetitions. */
  get phases(): readonly string[] {
    return this.transitions.filter((t) => t.from !== t.to).map((t) => t.to);
  }

  /** Something is asked of it. @param more the market of the machine that a wake is for */
  request(request: InstanceRequest, more: { readonly market?: Market } = {}): void {
    this.#tell({ kind: 'requested', request, reason: `test asks to ${request}`, ...more });
  }

  /** What its pool asks for its health. */
  askForHealth(ask: Omit<Extract<LifeEventBody, { kind: 'health_asked' }>, 'kind'>): void {
    this.#tell({ kind: 'health_asked', ...ask });
  }

  /**
   * Deckhand's own clock jumps, forwards or (negative) backwards; the provider's goes on. Timers go by the clock: those that are due after
   * a jump fire at once, the others wait for as much longer as it went back.
   */
  jump(byMs: number): void {
    this.#skewMs += byMs;
    for (const command of this.state.open) {
      if (command.kind === 'wait') this.#later(0, () => this.#executeOpen(command));
    }
  }

  /** Something that happens by itself after a while. */
  at(delayMs: number, happen: () => void | Promise<void>): void {
    const deliver = async (): Promise<null> => {
      await happen();
      return null;
    };
    this.#later(delayMs, deliver, true);
  }

  /** A gateway's report about the present attachment, out of turn. */
  report(body: Extract<LifeEventBody, { kind: 'proof_failed' | 'serve_ended' | 'eviction_noticed' }>): void {
    this.#later(0, async () => this.#event(body));
  }

  /** Id of the open attachment. */
  get attachment(): number {
    return this.state.open.findLast((c) => c.kind === 'serve')?.id ?? 0;
  }

  /** The process dies: every answer under way is lost, and what is open is taken up again from the stored state. */
  crash(): void {
    this.#pending.loseInside();
    this.state = JSON.parse(JSON.stringify(this.state)) as InstanceState;
    for (const command of this.state.open) {
      if (command.kind === 'create') {
        const outcome = { kind: 'unknown', message: 'the process died' } as const;
        this.#later(RESTART_MS, async () => this.#event({ kind: 'create_answered', commandId: command.id, outcome }));
      } else this.#later(RESTART_MS, () => this.#executeOpen(command));
    }
  }

  /** Lets time pass until the condition holds. @throws Error when it does not within the limit, or nothing is under way any more */
  async runUntil(condition: () => boolean, limitMs = 6 * 3_600_000): Promise<void> {
    const endMs = this.nowMs + limitMs;
    while (!condition()) {
      const next = this.#pending.takeUntil(endMs);
      if (next === undefined)
        throw new Error(
          `${this.describe()}: ${this.#pending.isEmpty ? 'nothing is under way' : `not within ${limitMs} ms`}`,
        );
      await this.#deliver(next);
    }
  }

  /** Lets time pass until it is in that phase. @throws Error as {@link runUntil} */
  until(phase: InstancePhase, limitMs?: number): Promise<void> {
    return this.runUntil(() => this.state.phase === phase, limitMs);
  }

  /** Asks for something, and lets time pass until the phase that it leads to. @throws Error as {@link runUntil} */
  ask(request: InstanceRequest, phase: InstancePhase, limitMs?: number): Promise<void> {
    this.request(request);
    return this.until(phase, limitMs);
  }

  /** Destroys it, and lets time pass until its life is over. @throws Error as {@link runUntil} */
  end(limitMs?: number): Promise<void> {
    this.request('destroy');
    return this.runUntil(() => this.isOver, limitMs);
  }

  /** Lets that much time pass. */
  async runFor(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    for (let next = this.#pending.takeUntil(endMs); next !== undefined; next = this.#pending.takeUntil(endMs))
      await this.#deliver(next);
    this.clock.advanceTo(endMs);
  }

  describe(): string {
    const { phase, step, reason, open } = this.state;
    return `${phase}/${step.kind} (${reason}), open: ${open.map((c) => c.kind).join(' ') || 'nothing'}`;
  }

  async #deliver(next: Pending): Promise<void> {
    this.clock.advanceTo(next.atMs);
    const event = await next.deliver();
    if (event !== null) await this.#take(event);
    this.#check(this);
  }

  async #take(event: LifeEvent): Promise<void> {
    const { state, commands, transitions } = reduce(this.state, event);
    this.state = state;
    this.transitions.push(...transitions);
    for (const command of commands) await this.#send(command);
  }

  async #send(command: Command): Promise<void> {
    if (command.kind === 'alert') return void this.alerts.push(command.text);
    const commandFault = this.#commandFaults[this.#commands++] ?? FINE;
    if (command.kind === 'wait' || command.kind === 'serve') {
      this.#later(0, () => this.#executeOpen(command));
      if (commandFault.kind === 'crash') this.crash();
      return;
    }
    if (command.kind === 'create') return this.#sendCreate(command, commandFault);
    const again = (delayMs: number): void => this.#later(delayMs, () => this.#executeOpen(command));
    switch (commandFault.kind) {
      case 'lost_before':
        return again(RESTART_MS);
      case 'lost_after':
        await this.#execute(command);
        return again(RESTART_MS);
      case 'crash':
        await this.#execute(command);
        return this.crash();
      case 'executed_twice':
        await this.#execute(command);
        return this.#answer(await this.#execute(command), ANSWER_MS);
      case 'twice': {
        const body = await this.#execute(command);
        this.#answer(body, ANSWER_MS);
        return this.#answer(body, ANSWER_MS * 2);
      }
      case 'late':
        return this.#answer(await this.#execute(command), commandFault.seconds * 1000);
      case 'fine':
        return this.#answer(await this.#execute(command), ANSWER_MS);
    }
  }

  /** A create is executed at most once, whatever happens. */
  async #sendCreate(command: Extract<Command, { kind: 'create' }>, commandFault: CommandFault): Promise<void> {
    const unknown: LifeEventBody = {
      kind: 'create_answered',
      commandId: command.id,
      outcome: { kind: 'unknown', message: 'no answer' },
    };
    if (commandFault.kind === 'lost_before') return this.#answer(unknown, RESTART_MS);
    const body = await this.#execute(command);
    switch (commandFault.kind) {
      case 'crash':
        return this.crash();
      case 'lost_after':
        return this.#answer(unknown, RESTART_MS);
      case 'late':
        this.#answer(unknown, ANSWER_MS);
        return this.#answer(body, commandFault.seconds * 1000);
      case 'twice':
      case 'executed_twice':
        this.#answer(body, ANSWER_MS);
        return this.#answer(body, ANSWER_MS * 2);
      case 'fine':
        return this.#answer(body, ANSWER_MS);
    }
  }

  /** Executes a command that is still open, and answers it. */
  async #executeOpen(command: Command): Promise<null> {
    if (!this.state.open.some((c) => c.id === command.id)) return null;
    if (command.kind === 'wait') {
      const untilMs = command.untilMs;
      if (untilMs > this.ownMs) this.#later(untilMs - this.ownMs, () => this.#executeOpen(command));
      else this.#answer({ kind: 'waited', commandId: command.id }, 0);
    } else this.#answer(await this.#execute(command), ANSWER_MS);
    return null;
  }

  #answer(body: LifeEventBody | null, delayMs: number): void {
    if (body !== null) this.#later(delayMs, async () => this.#event(body));
  }

  /** Does what a command says. Null = it is answered later, by itself. */
  async #execute(command: Command): Promise<LifeEventBody | null> {
    this.executed.push({ atMs: this.nowMs, command });
    const { id: commandId } = command;
    switch (command.kind) {
      case 'serve':
        return this.#serve(command);
      case 'drain': {
        const serve = this.state.open.find((c) => c.kind === 'serve' && c.id < commandId);
        if (serve !== undefined)
          this.#answer({ kind: 'serve_ended', commandId: serve.id, reason: 'drained' }, ANSWER_MS * 2);
        return { kind: 'drained', commandId, callsCut: 0 };
      }
      case 'recheck_demand': {
        const work = this.state.step.kind === 'checking_demand' ? this.workForAnother : this.work;
        return { kind: 'demand_rechecked', commandId, work };
      }
      case 'restart_model_server':
        this.gateway.restarted(this.gateway.attached.at(-1));
        return { kind: 'acted', commandId, error: null };
      case 'reboot':
        this.gateway.rebooted(this.gateway.attached.at(-1));
        return { kind: 'acted', commandId, error: null };
      case 'wait':
      case 'alert':
        return null;
      default:
        return this.#providers.execute(command);
    }
  }

  #serve({ id: commandId, machine, watchOnly }: Extract<Command, { kind: 'serve' }>): null {
    this.gateway.attached.push(machine);
    if (watchOnly === true) return null;
    this.#later(this.gateway.proofMs, async () => {
      if (!this.state.open.some((c) => c.id === commandId)) return null;
      const proof = this.gateway.prove(machine);
      if (proof === 'silent') return null;
      if (proof === 'proved') return this.#event({ kind: 'proved', commandId, facts: PROOF_FACTS });
      return this.#event({
        kind: 'proof_failed',
        commandId,
        failure: proof.failure,
        message: `simulated ${proof.failure}`,
      });
    });
    return null;
  }

  /** Tells it of something that comes from outside the process. */
  #tell(body: LifeEventBody): void {
    this.#later(0, async () => this.#event(body), true);
  }

  #event(body: LifeEventBody): LifeEvent {
    return { ...body, atMs: this.ownMs };
  }

  #later(delayMs: number, deliver: () => Promise<LifeEvent | null>, outside = false): void {
    // Clocks count whole milliseconds.
    this.#pending.add({ atMs: Math.ceil(this.nowMs + delayMs), outside, deliver });
  }
}

/** Something that happens later on the virtual clock. */
interface Pending {
  readonly atMs: number;
  /** Of the world outside the process: a crash does not end it. */
  readonly outside: boolean;
  /** Null = there is nothing to tell the process. */
  readonly deliver: () => Promise<LifeEvent | null>;
}

/** Events to come, in order of time; at the same time in the order in which it was added. */
class PendingEvents {
  /** In order. */
  #pending: Pending[] = [];

  add(event: Pending): void {
    const at = this.#pending.findLastIndex(({ atMs }) => atMs <= event.atMs) + 1;
    this.#pending.splice(at, 0, event);
  }

  /** Takes the next one, if it happens by then. */
  takeUntil(latestMs: number): Pending | undefined {
    const [next] = this.#pending;
    return next !== undefined && next.atMs <= latestMs ? this.#pending.shift() : undefined;
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  /** The process ends, and with it what was under way inside. */
  loseInside(): void {
    this.#pending = this.#pending.filter((one) => one.outside);
  }
}
