/**
 * The result of one event while it is being made: the state as changed so far, commands, history rows, and which part of the life to enter
 * next. Parts enter one another by name (`go`), so that none imports another; the table of entries is in `reducer.ts`.
 */
import type { LifeMemory, LifeStep, LifeTime, StepKind } from './memory.ts';
import type {
  Command,
  CommandBody,
  InstanceQuarantine,
  InstanceState,
  LifeEvent,
  Machine,
  ProviderTraits,
  Reduction,
  Sighting,
} from './types.ts';
import type { InstancePhase } from '../phases.ts';
import { parseOfferKey } from '../selection/offer.ts';

/** Names of the parts of the life that can be entered. */
export type Entry =
  | 'rank'
  | 'next_rung'
  | 'boot'
  | 'check'
  | 'ready'
  | 'cordon'
  | 'suspend'
  | 'asleep'
  | 'wake'
  | 'remove'
  /** As `remove`, of a machine that the provider itself ended. */
  | 'remove_ended'
  | 'end'
  | 'purge';

/** Handlers of one step, by kind of event. An event without one is ignored. */
export type Handlers = {
  readonly [K in LifeEvent['kind']]?: (draft: Draft, event: Extract<LifeEvent, { readonly kind: K }>) => void;
};

/** Steps without data of their own, which their kind alone names. */
type PlainKind<S = LifeStep> = S extends { readonly kind: infer K extends StepKind }
  ? keyof S extends 'kind'
    ? K
    : never
  : never;

/** How many parts one event may lead through; more is an error in the table and ends the step where it is. */
const MAX_ENTRIES = 16;

export class Draft {
  readonly atMs: number;
  state: InstanceState;
  readonly commands: Command[] = [];
  readonly transitions: Reduction['transitions'][number][] = [];
  #next: { readonly entry: Entry; readonly reason: string } | null = null;

  constructor(state: InstanceState, atMs: number) {
    this.state = state;
    this.atMs = atMs;
  }

  /** Goes on in another part of the life when the present handler has returned. */
  go(entry: Entry, reason: string): void {
    this.#next = { entry, reason };
  }

  /** Runs the entries asked for, one after the other. */
  follow(entries: Readonly<Record<Entry, (draft: Draft, reason: string) => void>>): void {
    for (let count = 0; this.#next !== null && count < MAX_ENTRIES; count++) {
      const { entry, reason } = this.#next;
      this.#next = null;
      entries[entry](this, reason);
    }
  }

  set(patch: Partial<InstanceState>): void {
    this.state = { ...this.state, ...patch };
  }

  /** How a provider behaves; without a name, that of the present machine or create. */
  traits(provider?: string): ProviderTraits {
    const { settings, machine, intent } = this.state;
    const offer = (machine?.intent ?? intent)?.offer;
    const name = provider ?? (offer === undefined ? undefined : parseOfferKey(offer).provider);
    const known = name === undefined ? undefined : settings.traits?.[name];
    return known ?? settings;
  }

  /** Why it takes no work because of its health; null = it is not quarantined. */
  get quarantine(): InstanceQuarantine | null {
    return this.state.illness ?? null;
  }

  setQuarantine(quarantine: InstanceQuarantine | null): void {
    this.set({ illness: quarantine });
  }

  /** The present step, if it is of this kind. */
  during<K extends StepKind>(kind: K): Extract<LifeStep, { readonly kind: K }> | null {
    const { step } = this.state;
    return step.kind === kind ? (step as Extract<LifeStep, { readonly kind: K }>) : null;
  }

  setStep(step: LifeStep | PlainKind): void {
    this.set({ step: typeof step === 'string' ? { kind: step } : step });
  }

  /** When the end or stop of the machine was ordered in the present step, ms; null = it was not, or none is due. */
  get orderedAtMs(): number | null {
    const { step } = this.state;
    return 'orderedAtMs' in step ? step.orderedAtMs : null;
  }

  /** The end or stop of the machine that the present step is about has been ordered, or is evident. */
  markOrdered(): void {
    const { step } = this.state;
    if ('orderedAtMs' in step) this.set({ step: { ...step, orderedAtMs: this.atMs } });
  }

  /** Changes phase and step. Only a change of phase is a row of the history. */
  enter(phase: InstancePhase, step: LifeStep | PlainKind, reason: string): void {
    const from = this.state.phase;
    this.setStep(step);
    if (phase === from) return this.set({ reason });
    this.set({ phase, reason, phaseSinceMs: this.atMs });
    this.#addRow(from, phase, reason);
  }

  /** As {@link enter}, but always adds a row to the history. */
  enterRecorded(phase: InstancePhase, step: LifeStep | PlainKind, reason: string): void {
    const same = phase === this.state.phase;
    this.enter(phase, step, reason);
    if (same) this.record(reason);
  }

  /** Adds a row to the history within the phase. */
  record(reason: string): void {
    this.set({ reason });
    this.#addRow(this.state.phase, this.state.phase, reason);
  }

  /** Adds the first row of the history. */
  recordBirth(reason: string): void {
    this.#addRow(null, this.state.phase, reason);
  }

  send(body: CommandBody): void {
    const command: Command = { id: this.state.nextCommandId, ...body };
    this.commands.push(command);
    this.set({ nextCommandId: command.id + 1 });
    if (command.kind !== 'alert') this.set({ open: [...this.state.open, command] });
  }

  /** Tells an operator, once per key in this life. */
  alertOnce(key: string, text: string): void {
    const { alerted } = this.state.memory;
    if (alerted.includes(key)) return;
    this.remember({ alerted: [...alerted, key] });
    this.send({ kind: 'alert', text });
  }

  isOpen(...kinds: readonly Command['kind'][]): boolean {
    return this.state.open.some((command) => kinds.includes(command.kind));
  }

  /** Takes commands out of the open ones: answered, or given up. */
  close(...kinds: readonly Command['kind'][]): void {
    this.set({ open: this.state.open.filter((command) => !kinds.includes(command.kind)) });
  }

  closeId(id: number): void {
    this.set({ open: this.state.open.filter((command) => command.id !== id) });
  }

  remember(patch: Partial<LifeMemory>): void {
    this.set({ memory: { ...this.state.memory, ...patch } });
  }

  /** A remembered time, ms; null = none. */
  time(name: LifeTime): number | null {
    return this.state.memory.times[name] ?? null;
  }

  setTime(name: LifeTime, atMs: number): void {
    this.remember({ times: { ...this.state.memory.times, [name]: atMs } });
  }

  clearTimes(...names: readonly LifeTime[]): void {
    const { times } = this.state.memory;
    this.remember({
      times: Object.fromEntries(Object.entries(times).filter(([key]) => !names.includes(key as LifeTime))),
    });
  }

  /** Takes over what a look says of our machine. Its price is frozen at the first sight. */
  updateMachine(sighting: Sighting): void {
    const { machine } = this.state;
    if (machine === null || machine.providerId !== sighting.providerId) return;
    const { ip, osVolumeId, volumeIds, simulatedModelUrl } = sighting;
    // A provider may name no price at first, or ever: then the one that it was bought at counts.
    const isPriced = this.state.memory.isPriced || sighting.priceUsdPerHour > 0;
    const priceUsdPerHour =
      this.state.memory.isPriced || !isPriced ? machine.priceUsdPerHour : sighting.priceUsdPerHour;
    this.remember({ isPriced });
    const seen: Machine = {
      ...machine,
      priceUsdPerHour,
      ip,
      simulatedModelUrl,
      osVolumeId: osVolumeId ?? machine.osVolumeId,
    };
    this.set({ machine: volumeIds.length === 0 ? seen : { ...seen, volumeIds } });
  }

  done(): Reduction {
    return { state: this.state, commands: this.commands, transitions: this.transitions };
  }

  #addRow(from: InstancePhase | null, to: InstancePhase, reason: string): void {
    const { intent, volume } = this.state;
    // A server that runs already is not rented: its rows name no machine, offer or price.
    const machine = this.state.machine?.intent.offer.startsWith('static/') === true ? null : this.state.machine;
    const loadMs = to === 'ready' && from !== 'ready' ? this.state.memory.loadMs : null;
    if (loadMs !== null) this.remember({ loadMs: null });
    const disks = [...(machine?.volumeIds ?? []), machine?.osVolumeId, volume?.volumeId];
    this.transitions.push({
      atMs: this.atMs,
      from,
      to,
      reason,
      priceUsdPerHour: machine?.priceUsdPerHour ?? null,
      offer: machine?.intent.offer ?? intent?.offer ?? null,
      providerId: machine?.providerId ?? null,
      volumeIds: [...new Set(disks.filter((id) => id !== undefined && id !== null))],
      loadMs,
    });
  }
}
