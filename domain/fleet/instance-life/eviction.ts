/**
 * What a life makes of the notice that the provider takes its machine back. The pool sees that it serves no more and buys another one; the
 * offer is remembered as one that was taken back, as it is after an eviction without notice.
 */
import { machineFailed } from './boot.ts';
import { EVICTED, NOTICED, scheduleRunningLook } from './running.ts';
import type { Draft } from './draft.ts';
import type { LifeEventOf } from './types.ts';

type Notice = LifeEventOf<'eviction_noticed'>;

/** A machine that serves takes no new calls. Those in flight may take as long as the notice; the gateway cuts what is left before its end. */
export function drainBeforeEviction(draft: Draft, { endsAtMs }: Notice): void {
  remember(draft);
  draft.set({ isTakenBack: true });
  draft.enter('cordoned', { kind: 'draining', sinceMs: draft.atMs }, noticeWords(endsAtMs));
  if (!draft.isOpen('drain')) draft.send({ kind: 'drain', timeoutMs: Math.max(0, endsAtMs - draft.atMs) });
  scheduleRunningLook(draft);
}

/** A machine that drains for another reason ends afterwards, whatever was to become of it. */
export function alsoEvicted(draft: Draft, { endsAtMs }: Notice): void {
  if (draft.state.isTakenBack === true) return;
  remember(draft);
  draft.set({ isTakenBack: true });
  draft.record(noticeWords(endsAtMs));
}

/** A machine that is not ready yet will not be in time: the next offer is tried. */
export const giveUpForEviction = (draft: Draft): void => machineFailed(draft, 'capacity_async', EVICTED, false);

/** A machine that takes no calls anyway ends at once. */
export function endForEviction(draft: Draft): void {
  remember(draft);
  draft.go('end', EVICTED);
}

const noticeWords = (endsAtMs: number): string => `${NOTICED}: notice until ${new Date(endsAtMs).toISOString()}`;

function remember(draft: Draft): void {
  const { machine } = draft.state;
  if (machine === null) return;
  const error = { errorClass: 'capacity_async', message: EVICTED } as const;
  draft.send({ kind: 'remember', offer: machine.intent.offer, error });
}
