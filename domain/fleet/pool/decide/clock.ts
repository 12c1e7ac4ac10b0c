/**
 * What is remembered of a time that has not come yet was remembered before the clock was set back: it counts as of now. Otherwise a pool
 * would hold a pause, a delay or an idle time for as much longer as the clock went back.
 */
import type { DecideInput, InstanceView } from '../pool.ts';

/** The input without times ahead of its own. */
export function withoutFuture(input: DecideInput): DecideInput {
  const { observation, memory, config } = input;
  const nowMs = observation.atMs;
  const past = <Time extends number | null>(atMs: Time): Time =>
    atMs === null || atMs <= nowMs ? atMs : (nowMs as Time);
  const { panicUntilMs, idleGap } = memory;
  const gap = idleGap === null ? null : { ...idleGap, sinceMs: past(idleGap.sinceMs) };
  // Rows of others keep their time at the next look, too: what the pool itself remembers goes on from there.
  const idleSince = (atMs: number | null): number | null =>
    atMs === null || atMs <= nowMs ? atMs : (gap?.sinceMs ?? nowMs);
  const phaseSince = ({ phase, phaseSinceMs }: InstanceView): number =>
    phase === 'failed' && phaseSinceMs > nowMs ? nowMs - config.timing.ladderPauseMaxMs : past(phaseSinceMs);
  return {
    ...input,
    observation: {
      ...observation,
      instances: observation.instances.map((instance) => ({
        ...instance,
        phaseSinceMs: phaseSince(instance),
        idleSinceMs: idleSince(instance.idleSinceMs),
        billedSinceMs: past(instance.billedSinceMs),
      })),
    },
    memory: {
      ...memory,
      raisedSinceMs: past(memory.raisedSinceMs),
      loweredSinceMs: past(memory.loweredSinceMs),
      panicUntilMs: panicUntilMs === null ? null : Math.min(panicUntilMs, nowMs + config.timing.panicHoldMs),
      lastChangeAtMs: past(memory.lastChangeAtMs),
      intentsSinceMs: past(memory.intentsSinceMs),
      idleGap: gap,
    },
  };
}
