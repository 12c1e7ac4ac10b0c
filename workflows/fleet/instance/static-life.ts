/**
 * The life of a static host, an Ollama server that runs already: nothing is ever created or destroyed, it is only attached and let go.
 *
 * A reducer like the one of rented instances, over the same events and commands: `booting → ready ⇄ cordoned`, `gone` when asked for.
 */
import type {
  Command,
  CommandBody,
  InstanceState,
  LifeEvent,
  Machine,
  Step,
  Transition,
} from '../../../domain/fleet/instance-life/types.ts';
import type { InstancePhase } from '../../../domain/fleet/phases.ts';
import { isFinal } from '../../../domain/fleet/phases.ts';
import { offerKey } from '../../../domain/fleet/selection/offer.ts';

/** Between an attachment that ended by itself and the next. */
const ATTACH_AGAIN_MS = 5_000;

/** A draft of the next step. */
interface Draft {
  state: InstanceState;
  readonly commands: Command[];
  readonly transitions: Transition[];
}

/** The machine that a static host stands for. */
const staticMachine = (name: string, url: string): Machine => ({
  providerId: name,
  intent: {
    id: `${name}/0`,
    hostname: name,
    offer: offerKey({ provider: 'static', location: 'local', instanceType: name, market: 'ondemand' }),
    priceUsdPerHour: 0,
    volumeId: null,
  },
  priceUsdPerHour: 0,
  ip: null,
  osVolumeId: null,
  volumeIds: [],
  simulatedModelUrl: url,
});

/** One step in the life of the static host at `url`. */
export function stepStatic(url: string, before: InstanceState, event: LifeEvent): Step {
  const draft: Draft = { state: before, commands: [], transitions: [] };
  if (!isFinal(before.phase)) apply(draft, event, url);
  return draft;
}

function apply(draft: Draft, event: LifeEvent, url: string): void {
  const { atMs } = event;
  if ('commandId' in event) {
    const open = draft.state.open.find((command) => command.id === event.commandId);
    if (open === undefined) return;
    // Reports of the proof leave the attachment open.
    if (event.kind !== 'proved' && event.kind !== 'proof_failed') close(draft, open.id);
  }
  switch (event.kind) {
    case 'born':
      draft.state = { ...draft.state, machine: staticMachine(draft.state.name, url) };
      enter(draft, atMs, 'booting', `attaching the server that runs at ${url}`);
      return attach(draft);
    case 'requested':
      return request(draft, event);
    case 'health_asked':
      return healthRequest(draft, event);
    case 'proved':
      if (draft.state.phase === 'booting')
        enter(draft, atMs, 'ready', 'it proved itself', Math.round(event.facts.loadMs));
      return;
    case 'proof_failed':
      if (draft.state.phase === 'ready') enter(draft, atMs, 'booting', event.message);
      else draft.state = { ...draft.state, reason: event.message };
      return;
    case 'serve_ended':
      if (isIll(draft)) return send(draft, { kind: 'wait', untilMs: atMs + ATTACH_AGAIN_MS, reason: event.reason });
      if (draft.state.wanted !== 'serve' || draft.state.phase === 'cordoned') return settle(draft, atMs);
      if (draft.state.phase === 'ready') enter(draft, atMs, 'booting', event.reason);
      return send(draft, { kind: 'wait', untilMs: atMs + ATTACH_AGAIN_MS, reason: event.reason });
    case 'drained':
    case 'waited':
      return settle(draft, atMs);
    default:
      // Nothing else is ever asked of a static host.
      return;
  }
}

function request(draft: Draft, { atMs, request: asked, reason }: Extract<LifeEvent, { kind: 'requested' }>): void {
  // Whoever says what it is to do overrides what its health made of it.
  if (isIll(draft)) {
    draft.state = { ...draft.state, illness: null };
    drain(draft, 0);
  }
  switch (asked) {
    case 'serve':
    case 'uncordon':
    case 'wake':
      draft.state = { ...draft.state, wanted: 'serve' };
      return settle(draft, atMs);
    // A static host is not ours to stop: asleep, it is merely sent nothing.
    case 'cordon':
    case 'suspend':
    case 'destroy':
      draft.state = { ...draft.state, wanted: asked === 'destroy' ? 'destroy' : 'cordon' };
      if (draft.state.phase !== 'cordoned') enter(draft, atMs, 'cordoned', reason);
      drain(draft, draft.state.settings.drainTimeoutMs);
      return settle(draft, atMs);
    default:
      return asked satisfies never;
  }
}

/**
 * For its health it is only kept out of work and watched: it is not ours to restart, so an operator is told instead, once per episode.
 */
function healthRequest(draft: Draft, { atMs, ...asked }: Extract<LifeEvent, { kind: 'health_asked' }>): void {
  const { request: kind, failure, reason, episodeMs } = asked;
  const { phase, wanted, name, machine, notes } = draft.state;
  if (kind === 'release') {
    if (!isIll(draft)) return;
    draft.state = { ...draft.state, illness: null };
    drain(draft, 0);
    return settle(draft, atMs);
  }
  if (kind === 'repair' && notes['healthEpisode'] !== episodeMs) {
    draft.state = { ...draft.state, notes: { ...notes, healthEpisode: episodeMs } };
    const text = `${name} at ${machine?.simulatedModelUrl ?? ''} needs repair: ${failure}: ${reason}. It runs already and is not ours to restart.`;
    tell(draft, text);
  }
  if (phase !== 'ready' || wanted !== 'serve') return;
  draft.state = { ...draft.state, illness: { failure, reason, remedy: 'watch', sinceMs: atMs } };
  enter(draft, atMs, 'cordoned', `${failure}: ${reason}`);
  drain(draft, draft.state.settings.drainTimeoutMs);
}

const isIll = ({ state: { illness } }: Draft): boolean => illness !== null && illness !== undefined;

/** Goes on towards what is wanted, once nothing is under way. */
function settle(draft: Draft, atMs: number): void {
  if (isOpen(draft, 'serve') || isOpen(draft, 'drain')) return;
  const { wanted, phase } = draft.state;
  if (wanted === 'destroy') return enter(draft, atMs, 'gone', 'let go');
  if (wanted === 'cordon') return;
  if (phase === 'cordoned' && !isIll(draft)) enter(draft, atMs, 'booting', 'attaching again');
  for (const wait of draft.state.open.filter((command) => command.kind === 'wait')) close(draft, wait.id);
  attach(draft);
}

const isOpen = (draft: Draft, kind: Command['kind']): boolean => draft.state.open.some((c) => c.kind === kind);

function attach(draft: Draft): void {
  const { machine } = draft.state;
  if (machine !== null) send(draft, { kind: 'serve', machine, ...(isIll(draft) ? { watchOnly: true } : {}) });
}

/** Ends the attachment, when there is one. */
function drain(draft: Draft, timeoutMs: number): void {
  if (isOpen(draft, 'serve') && !isOpen(draft, 'drain')) send(draft, { kind: 'drain', timeoutMs });
}

/** Tells an operator; nothing answers. */
function tell(draft: Draft, text: string): void {
  const { nextCommandId } = draft.state;
  draft.commands.push({ id: nextCommandId, kind: 'alert', text });
  draft.state = { ...draft.state, nextCommandId: nextCommandId + 1 };
}

function send(draft: Draft, body: CommandBody): void {
  const command: Command = { id: draft.state.nextCommandId, ...body };
  draft.commands.push(command);
  draft.state = { ...draft.state, nextCommandId: command.id + 1, open: [...draft.state.open, command] };
}

function close(draft: Draft, id: number): void {
  draft.state = { ...draft.state, open: draft.state.open.filter((command) => command.id !== id) };
}

function enter(draft: Draft, atMs: number, phase: InstancePhase, reason: string, loadMs: number | null = null): void {
  const from = draft.state.phase;
  const nothingRented = { priceUsdPerHour: null, offer: null, providerId: null, volumeIds: [] };
  draft.transitions.push({ atMs, from, to: phase, reason, ...nothingRented, loadMs });
  draft.state = { ...draft.state, phase, phaseSinceMs: atMs, reason };
}
