/**
 * The life of a static host, an Ollama server that runs already: nothing is ever created or destroyed, it is only attached and let go.
 *
 * A reducer over the same events, commands and state as that of rented instances: `booting → ready ⇄ cordoned`, `gone` when asked for.
 */
import { isFinal } from '../phases.ts';
import { offerKey } from '../selection/offer.ts';
import { detach } from './removal.ts';
import { Turn, type Handlers } from './turn.ts';
import type { InstanceState, LifeEvent, LifeEventOf, Machine, Reduction } from './types.ts';

/** Between an attachment that ended by itself and the next. */
const ATTACH_AGAIN_MS = 5_000;

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

/** One event in the life of the static host at `url`. */
export function reduceStatic(url: string, before: InstanceState, event: LifeEvent): Reduction {
  const turn = new Turn(before, event.atMs);
  if (!isFinal(before.phase)) take(turn, event, url);
  return turn.done();
}

function take(turn: Turn, event: LifeEvent, url: string): void {
  if ('commandId' in event) {
    if (!turn.state.open.some((command) => command.id === event.commandId)) return;
    // Reports of the readiness check leave the attachment open.
    if (event.kind !== 'proved' && event.kind !== 'proof_failed') turn.closeId(event.commandId);
  }
  if (event.kind === 'born') {
    turn.enter('booting', 'checking', `attaching the server that runs at ${url}`);
    turn.set({ machine: staticMachine(turn.state.name, url) });
    return attach(turn);
  }
  const handler = HANDLERS[event.kind] as ((turn: Turn, event: LifeEvent) => void) | undefined;
  handler?.(turn, event);
}

/** Other events answer commands that a static host is never sent. */
const HANDLERS: Handlers = {
  requested(turn, { request: asked, reason }) {
    // A request to the instance overrides what was done for its health.
    if (isIll(turn)) {
      turn.set({ illness: null });
      detach(turn, 0);
    }
    switch (asked) {
      case 'serve':
      case 'uncordon':
      case 'wake':
        turn.set({ wanted: 'serve' });
        return settle(turn);
      // A static host is not ours to stop: asleep, it is merely sent nothing.
      case 'cordon':
      case 'suspend':
      case 'destroy':
        turn.set({ wanted: asked === 'destroy' ? 'destroy' : 'cordon' });
        if (turn.state.phase !== 'cordoned') turn.enter('cordoned', 'held', reason);
        detach(turn, turn.state.settings.drainTimeoutMs);
        return settle(turn);
      default:
        return asked satisfies never;
    }
  },
  health_asked: healthRequest,
  proved(turn, { facts }) {
    if (turn.state.phase !== 'booting') return;
    turn.remember({ loadMs: Math.round(facts.loadMs) });
    turn.enter('ready', 'serving', 'passed its readiness check');
  },
  proof_failed(turn, { message }) {
    if (turn.state.phase === 'ready') turn.enter('booting', 'checking', message);
    else turn.set({ reason: message });
  },
  serve_ended(turn, { reason }) {
    const wait = { kind: 'wait', untilMs: turn.atMs + ATTACH_AGAIN_MS, reason } as const;
    if (isIll(turn)) return turn.send(wait);
    if (turn.state.wanted !== 'serve' || turn.state.phase === 'cordoned') return settle(turn);
    if (turn.state.phase === 'ready') turn.enter('booting', 'checking', reason);
    turn.send(wait);
  },
  drained: settle,
  waited: settle,
};

/** For its health it is only kept out of work and watched: it is not ours to restart, so an operator is told instead, once per episode. */
function healthRequest(turn: Turn, { request, failure, reason, episodeMs }: LifeEventOf<'health_asked'>): void {
  const { phase, wanted, name, machine, memory, settings } = turn.state;
  if (request === 'release') {
    if (!isIll(turn)) return;
    turn.set({ illness: null });
    detach(turn, 0);
    return settle(turn);
  }
  if (request === 'repair' && memory.repairedEpisodeMs !== episodeMs) {
    turn.remember({ repairedEpisodeMs: episodeMs });
    const text = `${name} at ${machine?.simulatedModelUrl ?? ''} needs repair: ${failure}: ${reason}. It runs already and is not ours to restart.`;
    turn.send({ kind: 'alert', text });
  }
  if (phase !== 'ready' || wanted !== 'serve') return;
  turn.set({ illness: { failure, reason, remedy: 'watch', sinceMs: turn.atMs } });
  turn.enter('cordoned', { kind: 'watched', attachAtMs: 0 }, `${failure}: ${reason}`);
  detach(turn, settings.drainTimeoutMs);
}

const isIll = ({ state: { illness } }: Turn): boolean => illness !== null && illness !== undefined;

/** Goes on towards what is wanted, once nothing is under way. */
function settle(turn: Turn): void {
  if (turn.isOpen('serve', 'drain')) return;
  const { wanted, phase } = turn.state;
  if (wanted === 'destroy') return turn.enter('gone', 'over', 'let go');
  if (wanted === 'cordon') return;
  if (phase === 'cordoned' && !isIll(turn)) turn.enter('booting', 'checking', 'attaching again');
  turn.close('wait');
  attach(turn);
}

function attach(turn: Turn): void {
  const { machine } = turn.state;
  if (machine !== null) turn.send({ kind: 'serve', machine, ...(isIll(turn) ? { watchOnly: true } : {}) });
}
