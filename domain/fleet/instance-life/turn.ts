/**
 * One step while it is being made: the state as changed so far, the commands and history rows that come of it, and where to go next.
 *
 * Phases enter one another by name (`go`), so that none imports another; the table of entries is in `step.ts`.
 */
import type { Command, CommandBody, Errand, InstanceState, LifeEvent, Machine, Sighting, Step } from './types.ts';
import type { InstancePhase } from '../phases.ts';

/** Ways into a part of the life. */
export type Entry =
  | 'rank'
  | 'next_rung'
  | 'boot'
  | 'prove'
  | 'ready'
  | 'cordon'
  | 'suspend'
  | 'asleep'
  | 'wake'
  | 'remove'
  | 'end'
  | 'purge';

/** Handlers of one errand, by kind of event. An event without one is ignored. */
export type Handlers = {
  readonly [K in LifeEvent['kind']]?: (turn: Turn, event: Extract<LifeEvent, { readonly kind: K }>) => void;
};

/** How many parts one event may lead through; more is an error in the table and ends the step where it is. */
const MAX_ENTRIES = 16;

/** See the file's header. */
export class Turn {
  readonly atMs: number;
  state: InstanceState;
  readonly commands: Command[] = [];
  readonly transitions: Step['transitions'][number][] = [];
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
  follow(entries: Readonly<Record<Entry, (turn: Turn, reason: string) => void>>): void {
    for (let count = 0; this.#next !== null && count < MAX_ENTRIES; count++) {
      const { entry, reason } = this.#next;
      this.#next = null;
      entries[entry](this, reason);
    }
  }

  set(patch: Partial<InstanceState>): void {
    this.state = { ...this.state, ...patch };
  }

  /** Changes phase and errand. Only a change of phase is a row of the history. */
  enter(phase: InstancePhase, errand: Errand, reason: string): void {
    const from = this.state.phase;
    if (phase === from) return this.set({ errand, reason });
    this.set({ phase, errand, reason, phaseSinceMs: this.atMs });
    this.#record(from, phase, reason);
  }

  /** As {@link enter}, and always a row of the history. */
  enterTold(phase: InstancePhase, errand: Errand, reason: string): void {
    const same = phase === this.state.phase;
    this.enter(phase, errand, reason);
    if (same) this.tell(reason);
  }

  /** A row of the history within the phase. */
  tell(reason: string): void {
    this.set({ reason });
    this.#record(this.state.phase, this.state.phase, reason);
  }

  /** The first row of the history. */
  recordBirth(reason: string): void {
    this.#record(null, this.state.phase, reason);
  }

  send(body: CommandBody): void {
    const command: Command = { id: this.state.nextCommandId, ...body };
    this.commands.push(command);
    this.set({ nextCommandId: command.id + 1 });
    if (command.kind !== 'alert') this.set({ open: [...this.state.open, command] });
  }

  /** Tells an operator, once per key in this life. */
  alertOnce(key: string, text: string): void {
    if (this.note(`told:${key}`) !== null) return;
    this.setNote(`told:${key}`, this.atMs);
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

  note(name: string): number | null {
    return this.state.notes[name] ?? null;
  }

  setNote(name: string, value: number | null): void {
    const { [name]: _, ...others } = this.state.notes;
    this.set({ notes: value === null ? others : { ...others, [name]: value } });
  }

  clearNotes(...names: readonly string[]): void {
    for (const name of names) this.setNote(name, null);
  }

  /** What a look says of our machine. Its price is frozen at the first sight. */
  updateMachine(sighting: Sighting): void {
    const { machine } = this.state;
    if (machine === null || machine.providerId !== sighting.providerId) return;
    const { ip, osVolumeId, volumeIds, simulatedModelUrl } = sighting;
    const priceUsdPerHour = this.note('priced') === null ? sighting.priceUsdPerHour : machine.priceUsdPerHour;
    this.setNote('priced', 1);
    const seen: Machine = {
      ...machine,
      priceUsdPerHour,
      ip,
      simulatedModelUrl,
      osVolumeId: osVolumeId ?? machine.osVolumeId,
    };
    this.set({ machine: volumeIds.length === 0 ? seen : { ...seen, volumeIds } });
  }

  done(): Step {
    return { state: this.state, commands: this.commands, transitions: this.transitions };
  }

  #record(from: InstancePhase | null, to: InstancePhase, reason: string): void {
    const { machine, intent, volume } = this.state;
    const loadMs = to === 'ready' && from !== 'ready' ? this.note('loadMs') : null;
    if (loadMs !== null) this.setNote('loadMs', null);
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
