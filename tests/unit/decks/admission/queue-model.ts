/**
 * A model of decks, class queues and slots on a virtual clock: what reviews of many decks take under an order of their calls.
 */
import {
  MAX_SCHEDULED_CALLS,
  NO_SHARE,
  sharesOf,
  WHOLE_SHARE,
  withReady,
  type CallShare,
  type Places,
} from '../../../../domain/decks/admission/shares.ts';
import type { GpuClass } from '../../../../domain/models/model-tasks.ts';

/** Calls of one step of a deck, in milliseconds each; begun when every step it is built on has ended. */
export interface StepModel {
  readonly gpuClass: GpuClass;
  readonly callsMs: readonly number[];
  readonly after: readonly number[];
}
export interface DeckModel {
  readonly startedAtMs: number;
  readonly steps: readonly StepModel[];
}

/**
 * `first`: a slot takes a call of the earliest deck that has one. `shares`: runs schedule what their shares allow, and slots take calls in the
 * order in which they were scheduled. `all`: the same without shares.
 */
export type Order = 'first' | 'shares' | 'all';

export interface Outcome {
  /** When each deck was done, ms. */
  readonly doneAtMs: readonly number[];
  /** Time that slots stood idle while a call that they serve was there, slot-milliseconds. */
  readonly idleMs: number;
  /** Most decks that had a call in a slot or done, and were not done. */
  readonly mostOpen: number;
}

interface Call {
  readonly deck: number;
  readonly step: number;
  readonly gpuClass: GpuClass;
  readonly ms: number;
}

/** The slots, each with the classes that it serves. */
const slotsIn = (places: Places): GpuClass[][] => [
  ...Array.from({ length: places['gpu-visual'] }, (): GpuClass[] => ['gpu-visual']),
  ...Array.from({ length: places['gpu-text'] }, (): GpuClass[] => ['gpu-text']),
  ...Array.from({ length: places.both }, (): GpuClass[] => ['gpu-visual', 'gpu-text']),
];

/** @param roundMs time between two decisions on shares; 0 = whenever anything ends */
export function run(decks: readonly DeckModel[], places: Places, order: Order, roundMs = 0): Outcome {
  const slots = slotsIn(places).map((serves) => ({ serves, call: null as Call | null, endsAtMs: Infinity }));
  const state = decks.map(({ steps }) => ({
    left: steps.map(({ callsMs }) => callsMs.length),
    begun: steps.map(() => false),
    /** Wanted and not scheduled. */
    wanted: [] as Call[],
    scheduled: [] as Call[],
    inSlots: { 'gpu-visual': 0, 'gpu-text': 0 },
    share: order === 'shares' ? NO_SHARE : WHOLE_SHARE,
    hasBegun: false,
    doneAtMs: null as number | null,
  }));
  const queue: Call[] = [];
  const callsMs = decks.flatMap(({ steps }) => steps.flatMap((step) => step.callsMs));
  const meanMs = callsMs.reduce((sum, ms) => sum + ms, 0) / Math.max(1, callsMs.length);
  let nowMs = 0;
  let idleMs = 0;
  let mostOpen = 0;

  const isHere = (deck: number): boolean => (decks[deck]?.startedAtMs ?? 0) <= nowMs && state[deck]?.doneAtMs === null;
  const usableOf = (deck: number): CallShare => {
    const { wanted = [], scheduled = [], inSlots = NO_SHARE } = state[deck] ?? {};
    const count = (gpuClass: GpuClass): number =>
      [...wanted, ...scheduled].filter((call) => call.gpuClass === gpuClass).length + inSlots[gpuClass];
    return { 'gpu-visual': count('gpu-visual'), 'gpu-text': count('gpu-text') };
  };
  const plan = (): void => {
    for (const [index, deck] of state.entries()) {
      if (!isHere(index)) continue;
      for (const [step, { gpuClass, callsMs: all, after }] of (decks[index]?.steps ?? []).entries()) {
        if (deck.begun[step] === true || after.some((earlier) => deck.left[earlier] !== 0)) continue;
        deck.begun[step] = true;
        deck.wanted.push(...all.map((ms) => ({ deck: index, step, gpuClass, ms })));
      }
      if (deck.left.every((left) => left === 0)) deck.doneAtMs = nowMs;
    }
  };
  const decide = (): void => {
    const line = state.flatMap((_, index) =>
      isHere(index) ? [{ id: String(index), usable: usableOf(index), isStuck: false }] : [],
    );
    for (const [id, share] of sharesOf(line, 3, withReady(places, meanMs))) {
      const deck = state[Number(id)];
      if (deck !== undefined) deck.share = share;
    }
  };
  const schedule = (): void => {
    for (const deck of state) {
      const open = (gpuClass: GpuClass): number =>
        deck.scheduled.filter((call) => call.gpuClass === gpuClass).length + deck.inSlots[gpuClass];
      const isAllowed = ({ gpuClass }: Call): boolean =>
        open('gpu-visual') + open('gpu-text') < MAX_SCHEDULED_CALLS && open(gpuClass) < deck.share[gpuClass];
      for (let call = deck.wanted.find(isAllowed); call !== undefined; call = deck.wanted.find(isAllowed)) {
        deck.wanted.splice(deck.wanted.indexOf(call), 1);
        deck.scheduled.push(call);
        queue.push(call);
      }
    }
  };
  const next = (serves: readonly GpuClass[]): Call | undefined => {
    if (order !== 'first') return queue.find((call) => serves.includes(call.gpuClass));
    return state.flatMap((deck) => [...deck.scheduled, ...deck.wanted]).find((call) => serves.includes(call.gpuClass));
  };
  const begin = (): void => {
    for (const slot of slots) {
      if (slot.call !== null) continue;
      const call = next(slot.serves);
      const deck = state[call?.deck ?? -1];
      if (call === undefined || deck === undefined) continue;
      for (const list of [queue, deck.wanted, deck.scheduled])
        if (list.includes(call)) list.splice(list.indexOf(call), 1);
      deck.inSlots[call.gpuClass]++;
      deck.hasBegun = true;
      slot.call = call;
      slot.endsAtMs = nowMs + call.ms;
    }
  };
  const idleSlots = (): number =>
    slots.filter(
      ({ call, serves }) =>
        call === null &&
        state.some((deck) => [...deck.wanted, ...deck.scheduled].some((c) => serves.includes(c.gpuClass))),
    ).length;

  while (state.some(({ doneAtMs }) => doneAtMs === null)) {
    plan();
    if (order === 'shares' && (roundMs === 0 || nowMs % roundMs === 0)) decide();
    schedule();
    begin();
    // A call that begins frees its place among the scheduled calls only when it ends, so one pass is enough.
    mostOpen = Math.max(mostOpen, state.filter((deck) => deck.hasBegun && deck.doneAtMs === null).length);
    const nextMs = Math.min(
      ...slots.map(({ endsAtMs }) => endsAtMs),
      ...decks.map(({ startedAtMs }) => startedAtMs).filter((ms) => ms > nowMs),
      ...(roundMs === 0 || order !== 'shares' ? [] : [(Math.floor(nowMs / roundMs) + 1) * roundMs]),
    );
    if (!Number.isFinite(nextMs)) break;
    idleMs += idleSlots() * (nextMs - nowMs);
    nowMs = nextMs;
    for (const slot of slots) {
      if (slot.call === null || slot.endsAtMs > nowMs) continue;
      const { deck: index, step, gpuClass } = slot.call;
      const deck = state[index];
      if (deck !== undefined) {
        deck.inSlots[gpuClass]--;
        deck.left[step] = (deck.left[step] ?? 0) - 1;
      }
      slot.call = null;
      slot.endsAtMs = Infinity;
    }
  }
  return { doneAtMs: state.map(({ doneAtMs }) => doneAtMs ?? Infinity), idleMs, mostOpen };
}

/** Mean time from the start of a deck to its review. */
export const meanMs = (decks: readonly DeckModel[], { doneAtMs }: Outcome): number =>
  doneAtMs.reduce((sum, ms, deck) => sum + ms - (decks[deck]?.startedAtMs ?? 0), 0) / Math.max(1, decks.length);

/** A full review: slides, then values, then the sector, then answers and beside them readings for health sectors, then scores. */
export function reviewModel(
  { pages, questions, readings }: { readonly pages: number; readonly questions: number; readonly readings: number },
  callMs: number,
  startedAtMs = 0,
): DeckModel {
  const calls = (count: number, seconds: number): number[] =>
    Array.from({ length: count }, (_, n) => Math.round(callMs * seconds * (0.75 + ((n * 7) % 11) / 20)));
  return {
    startedAtMs,
    steps: [
      { gpuClass: 'gpu-visual', callsMs: [...calls(pages, 1.2), ...calls(pages, 0.8)], after: [] },
      { gpuClass: 'gpu-text', callsMs: calls(4, 0.5), after: [0] },
      { gpuClass: 'gpu-text', callsMs: calls(1, 0.6), after: [1] },
      { gpuClass: 'gpu-text', callsMs: calls(questions, 1.2), after: [2] },
      { gpuClass: 'gpu-text', callsMs: calls(readings, 2), after: [2] },
      { gpuClass: 'gpu-text', callsMs: calls(questions, 0.6), after: [3] },
    ],
  };
}
