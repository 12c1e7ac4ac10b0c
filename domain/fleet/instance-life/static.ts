/**
 * The life of a static host, an Ollama server that runs already: it is attached and detached, never created or destroyed.
 *
 * A reducer over the same events, commands and state as that of rented instances: `booting → ready ⇄ cordoned`, `gone` when asked for.
 */
import { isFinal } from '../phases.ts';
import { offerKey } from '../selection/offer.ts';
import { detach } from './removal.ts';
import { Draft, type Handlers } from './draft.ts';
import type { InstanceState, LifeEvent, LifeEventOf, Machine, Reduction } from './types.ts';

/** Pause between an attachment that ended by itself and the next. */
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
  const draft = new Draft(before, event.atMs);
  if (!isFinal(before.phase)) take(draft, event, url);
  return draft.done();
}

function take(draft: Draft, event: LifeEvent, url: string): void {
  if ('commandId' in event) {
    if (!draft.state.open.some((command) => command.id === event.commandId)) return;
    // Reports of the readiness check leave the attachment open.
    if (event.kind !== 'proved' && event.kind !== 'proof_failed') draft.closeId(event.commandId);
  }
  if (event.kind === 'born') {
    draft.enter('booting', 'checking', `attaching the server that runs at ${url}`);
    draft.set({ machine: staticMachine(draft.state.name, url) });
    return attach(draft);
  }
  const handler = HANDLERS[event.kind] as ((draft: Draft, event: LifeEvent) => void) | undefined;
  handler?.(draft, event);
}

/** Other events answer commands that a static host is never sent. */
const HANDLERS: Handlers = {
  requested(draft, { request: asked, reason }) {
    // A request to the instance overrides what was done for its health.
    if (draft.quarantine !== null) {
      draft.setQuarantine(null);
      detach(draft, 0);
    }
    switch (asked) {
      case 'serve':
      case 'uncordon':
      case 'wake':
        draft.set({ wanted: 'serve' });
        return settle(draft);
      // A static host is not ours to stop: asleep, it is merely sent nothing.
      case 'cordon':
      case 'suspend':
      case 'destroy':
        draft.set({ wanted: asked === 'destroy' ? 'destroy' : 'cordon' });
        if (draft.state.phase !== 'cordoned') draft.enter('cordoned', 'held', reason);
        detach(draft, draft.state.settings.drainTimeoutMs);
        return settle(draft);
      default:
        return asked satisfies never;
    }
  },
  health_asked: healthRequest,
  proved(draft, { facts }) {
    if (draft.state.phase !== 'booting') return;
    draft.remember({ loadMs: Math.round(facts.loadMs) });
    draft.enter('ready', 'serving', 'passed its readiness check');
  },
  proof_failed(draft, { message }) {
    if (draft.state.phase === 'ready') draft.enter('booting', 'checking', message);
    else draft.set({ reason: message });
  },
  serve_ended(draft, { reason }) {
    const wait = { kind: 'wait', untilMs: draft.atMs + ATTACH_AGAIN_MS, reason } as const;
    if (draft.quarantine !== null) return draft.send(wait);
    if (draft.state.wanted !== 'serve' || draft.state.phase === 'cordoned') return settle(draft);
    if (draft.state.phase === 'ready') draft.enter('booting', 'checking', reason);
    draft.send(wait);
  },
  drained: settle,
  waited: settle,
};

/**
 * A static host is only quarantined and watched, or checked again where answers tell nothing of it: a look at it would find it healthy. It is
 * not ours to restart, so an operator is told instead, once per episode.
 */
function healthRequest(draft: Draft, { request, failure, reason, episodeMs }: LifeEventOf<'health_asked'>): void {
  const { phase, wanted, name, machine, memory, settings } = draft.state;
  if (request === 'release') {
    if (draft.quarantine === null) return;
    draft.setQuarantine(null);
    detach(draft, 0);
    return settle(draft);
  }
  if (request === 'repair' && memory.repairedEpisodeMs !== episodeMs) {
    draft.remember({ repairedEpisodeMs: episodeMs });
    const text = `${name} at ${machine?.simulatedModelUrl ?? ''} needs repair: ${failure}: ${reason}. It runs already and is not ours to restart.`;
    draft.send({ kind: 'alert', text });
  }
  if (phase !== 'ready' || wanted !== 'serve') return;
  if (failure === 'unusable_answers') {
    draft.enter('booting', 'checking', `${failure}: ${reason}`);
    return detach(draft, settings.drainTimeoutMs);
  }
  draft.setQuarantine({ failure, reason, remedy: 'watch', sinceMs: draft.atMs });
  draft.enter('cordoned', { kind: 'watched', attachAtMs: 0 }, `${failure}: ${reason}`);
  detach(draft, settings.drainTimeoutMs);
}

/** Does what is wanted, once no attachment or drain is under way. */
function settle(draft: Draft): void {
  if (draft.isOpen('serve', 'drain')) return;
  const { wanted, phase } = draft.state;
  if (wanted === 'destroy') return draft.enter('gone', 'over', 'let go');
  if (wanted === 'cordon') return;
  if (phase === 'cordoned' && draft.quarantine === null) draft.enter('booting', 'checking', 'attaching again');
  draft.close('wait');
  attach(draft);
}

function attach(draft: Draft): void {
  const { machine } = draft.state;
  if (machine !== null)
    draft.send({ kind: 'serve', machine, ...(draft.quarantine === null ? {} : { watchOnly: true }) });
}
