/**
 * What was spent in one window: what calls have to themselves, what was spent beside them, and how much each analysis and task worked, by
 * which the latter is shared.
 */
import { partsOf } from './amounts.ts';
import type { CallOwner, CallSpan, LedgerLine, LineOwner } from './facts.ts';
import type { LedgerKind } from './kinds.ts';

/** Time and money of an interval, or a part of them. */
export interface Piece {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly micros: bigint;
  readonly nanoUsd: bigint;
  readonly savedNanoUsd: bigint;
}

interface Heap {
  fromMs: number;
  untilMs: number;
  micros: bigint;
  nanoUsd: bigint;
  savedNanoUsd: bigint;
}

interface Worker {
  readonly owner: CallOwner;
  micros: bigint;
}

/** The money of a piece for each of so many that share it equally; its time likewise. */
export function nanosDivided(piece: Piece, count: number): readonly Piece[] {
  return shared(
    piece,
    Array.from({ length: count }, () => 1n),
  );
}

function shared(piece: Piece, weights: readonly bigint[]): readonly Piece[] {
  const micros = partsOf(piece.micros, weights);
  const nanos = partsOf(piece.nanoUsd, weights);
  const saved = partsOf(piece.savedNanoUsd, weights);
  const { fromMs, untilMs } = piece;
  return weights.map((_, index) => ({
    fromMs,
    untilMs,
    micros: micros[index] ?? 0n,
    nanoUsd: nanos[index] ?? 0n,
    savedNanoUsd: saved[index] ?? 0n,
  }));
}

/** See the file's header. */
export class SharePot {
  /** The stint that the window belongs to. */
  stintMs: number | null = null;
  readonly #own = new Map<string, { readonly kind: LedgerKind; readonly owner: LineOwner; readonly heap: Heap }>();
  readonly #beside = new Map<LedgerKind, Heap>();
  readonly #workers = new Map<string, Worker>();
  /** The pot whose workers share what was spent here; its own where null. */
  #later: SharePot | null = null;

  get hasWork(): boolean {
    return this.#workers.size > 0;
  }

  /** Spent beside the calls, or while there were none. */
  add(kind: LedgerKind, piece: Piece): void {
    this.#beside.set(kind, heaped(this.#beside.get(kind), piece));
  }

  /** Spent by a call alone. Attempts of one call are one line. */
  give(kind: LedgerKind, call: CallSpan, piece: Piece): void {
    const { tenantId, deckId, analysisId, task, slideNumber, callId } = call;
    const key = [kind, tenantId, analysisId, task, slideNumber, callId].join('\0');
    const known = this.#own.get(key);
    const owner = known?.owner ?? { tenantId, deckId, analysisId, task, slideNumber, callId };
    this.#own.set(key, { kind, owner, heap: heaped(known?.heap, piece) });
  }

  /** Calls that worked side by side for so long. */
  weigh(calls: readonly CallSpan[], micros: bigint): void {
    if (calls.length === 0) return;
    const parts = partsOf(
      micros,
      calls.map(() => 1n),
    );
    for (const [index, { tenantId, deckId, analysisId, task }] of calls.entries()) {
      const key = [tenantId, deckId, analysisId, task].join('\0');
      const worker = this.#workers.get(key) ?? { owner: { tenantId, deckId, analysisId, task }, micros: 0n };
      worker.micros += parts[index] ?? 0n;
      this.#workers.set(key, worker);
    }
  }

  /** What was spent here was spent for the work of a later window. */
  workOf(later: SharePot): void {
    this.#later = later;
  }

  /** The lines of the window: calls first, then what was spent beside them. `sharedKinds` are shared by those who worked. */
  lines(sharedKinds: ReadonlySet<LedgerKind>): readonly LedgerLine[] {
    const own = [...this.#own.values()].map(({ kind, owner, heap }) => lineOf(kind, heap, owner));
    const workers = [...(this.#later ?? this).#workers]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, worker]) => worker)
      .filter((worker) => worker.micros > 0n);
    const beside = [...this.#beside].flatMap(([kind, heap]) => {
      if (!sharedKinds.has(kind) || workers.length === 0) return [lineOf(kind, heap, null)];
      const parts = shared(
        heap,
        workers.map((worker) => worker.micros),
      );
      return parts.map((part, index) => lineOf(kind, part, ownerOf(workers[index])));
    });
    return [...own, ...beside].filter((line) => line.shareMicros !== 0n || line.nanoUsd !== 0n);
  }
}

const ownerOf = (worker: Worker | undefined): LineOwner | null =>
  worker === undefined ? null : { ...worker.owner, slideNumber: null, callId: null };

function heaped(heap: Heap | undefined, piece: Piece): Heap {
  if (heap === undefined) return { ...piece };
  heap.fromMs = Math.min(heap.fromMs, piece.fromMs);
  heap.untilMs = Math.max(heap.untilMs, piece.untilMs);
  heap.micros += piece.micros;
  heap.nanoUsd += piece.nanoUsd;
  heap.savedNanoUsd += piece.savedNanoUsd;
  return heap;
}

const lineOf = (
  kind: LedgerKind,
  { fromMs, untilMs, micros, nanoUsd, savedNanoUsd }: Piece,
  owner: LineOwner | null,
): LedgerLine => ({
  kind,
  fromMs,
  untilMs,
  shareMicros: micros,
  nanoUsd,
  savedNanoUsd,
  owner,
});
