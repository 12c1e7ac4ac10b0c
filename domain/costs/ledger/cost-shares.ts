/**
 * The costs of one window: costs of single calls, costs without a call, and the working time of each analysis and task, by which costs
 * without a call are divided.
 */
import { partsOf } from './amounts.ts';
import type { CallOwner, CallSpan, LedgerKind, LedgerLine, LineOwner } from './facts.ts';

/** Time and cost of an interval, or a share of them. */
export interface Piece extends Pick<LedgerLine, 'fromMs' | 'untilMs' | 'nanoUsd' | 'savedNanoUsd'> {
  readonly micros: bigint;
}

type Sum = { -readonly [Field in keyof Piece]: Piece[Field] };

interface Worker {
  readonly owner: CallOwner;
  micros: bigint;
}

/** Divides a piece into `count` equal parts, both time and cost. */
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

/** Collects the costs of one window and divides them into ledger lines. */
export class CostShares {
  /** Start of the usage interval that the window belongs to; null = none. */
  usageFromMs: number | null = null;
  readonly #own = new Map<string, { readonly kind: LedgerKind; readonly owner: LineOwner; readonly sum: Sum }>();
  readonly #withoutCall = new Map<LedgerKind, Sum>();
  readonly #workers = new Map<string, Worker>();
  /** The later window whose work shares the costs of this one; null = its own work does. */
  #later: CostShares | null = null;

  get hasWork(): boolean {
    return this.#workers.size > 0;
  }

  /** Adds time without a call. */
  add(kind: LedgerKind, piece: Piece): void {
    this.#withoutCall.set(kind, added(this.#withoutCall.get(kind), piece));
  }

  /** Adds time of one call. Attempts of one call form one line. */
  give(kind: LedgerKind, call: CallSpan, piece: Piece): void {
    const { tenantId, deckId, analysisId, task, slideNumber, callId } = call;
    const key = [kind, tenantId, analysisId, task, slideNumber, callId].join('\0');
    const known = this.#own.get(key);
    const owner = known?.owner ?? { tenantId, deckId, analysisId, task, slideNumber, callId };
    this.#own.set(key, { kind, owner, sum: added(known?.sum, piece) });
  }

  /** Counts the working time of concurrent calls; shared costs are divided by it. */
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

  /** Shares the costs of this window among the work of a later one. */
  workOf(later: CostShares): void {
    this.#later = later;
  }

  /** The lines of the window: calls first, then time without a call. `sharedKinds` are divided among the working analyses. */
  lines(sharedKinds: ReadonlySet<LedgerKind>): readonly LedgerLine[] {
    const own = [...this.#own.values()].map(({ kind, owner, sum }) => lineOf(kind, sum, owner));
    const workers = [...(this.#later ?? this).#workers]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, worker]) => worker)
      .filter((worker) => worker.micros > 0n);
    const withoutCall = [...this.#withoutCall].flatMap(([kind, sum]) => {
      if (!sharedKinds.has(kind) || workers.length === 0) return [lineOf(kind, sum, null)];
      const parts = shared(
        sum,
        workers.map((worker) => worker.micros),
      );
      return parts.map((part, index) => lineOf(kind, part, ownerOf(workers[index])));
    });
    return [...own, ...withoutCall].filter((line) => line.shareMicros !== 0n || line.nanoUsd !== 0n);
  }
}

const ownerOf = (worker: Worker | undefined): LineOwner | null =>
  worker === undefined ? null : { ...worker.owner, slideNumber: null, callId: null };

function added(sum: Sum | undefined, piece: Piece): Sum {
  if (sum === undefined) return { ...piece };
  sum.fromMs = Math.min(sum.fromMs, piece.fromMs);
  sum.untilMs = Math.max(sum.untilMs, piece.untilMs);
  sum.micros += piece.micros;
  sum.nanoUsd += piece.nanoUsd;
  sum.savedNanoUsd += piece.savedNanoUsd;
  return sum;
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
