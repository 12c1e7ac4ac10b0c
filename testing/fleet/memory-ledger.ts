/**
 * A ledger in memory, over a provider and one instance's life: it finds, asks and settles as the one in the database does, with the same
 * pure parts, hundreds of lives a second.
 */
import { discoverRentals, LOOK_BACK_MS, type FoundRental } from '../../activities/costs/ledger/discover.ts';
import { partOf } from '../../clouds/parts.ts';
import type { CloudProvider } from '../../clouds/provider.ts';
import type { ProviderBill } from '../../domain/fleet/provider/billing.ts';
import type { Transition } from '../../domain/fleet/instance-life/types.ts';
import { parseOfferKey } from '../../domain/fleet/selection/offer.ts';
import { accountRental } from '../../domain/costs/ledger/account.ts';
import { nanosOf } from '../../domain/costs/ledger/amounts.ts';
import type { CallSpan, LedgerLine, OwnerRow, RentalFacts } from '../../domain/costs/ledger/facts.ts';
import { endOfOpenAttempt } from '../../domain/costs/ledger/open-attempts.ts';
import { correctionOf, settleableUntil } from '../../domain/costs/ledger/settleable.ts';

/** What is behind this is taken for complete. */
const GRACE_MS = 120_000;

/** An attempt of a call as its row says; null = no end was written. */
export type Attempt = Omit<CallSpan, 'untilMs'> & { readonly id: string; untilMs: number | null };

/** A rental and what is settled of it. */
export interface MemoryRental {
  readonly found: FoundRental;
  bill: ProviderBill;
  settledUntilMs: number | null;
  closed: boolean;
  readonly lines: LedgerLine[];
}

export class MemoryLedger {
  readonly rentals = new Map<string, MemoryRental>();
  readonly #provider: CloudProvider;
  readonly #installationId: string;
  /** Histories by instance. */
  readonly #rowsOf: (instance: string) => readonly Transition[];
  readonly #attemptsOf: (instance: string) => readonly Attempt[];
  #lookedAtMs = 0;

  constructor(options: {
    readonly provider: CloudProvider;
    readonly installationId: string;
    readonly rowsOf: (instance: string) => readonly Transition[];
    readonly attemptsOf: (instance: string) => readonly Attempt[];
  }) {
    this.#provider = options.provider;
    this.#installationId = options.installationId;
    this.#rowsOf = options.rowsOf;
    this.#attemptsOf = options.attemptsOf;
  }

  /** Finds what is new, asks for bills and settles as far as it goes. */
  async settle(nowMs: number): Promise<void> {
    const found = await discoverRentals(this.#provider, {
      installationId: this.#installationId,
      sinceMs: this.#lookedAtMs - LOOK_BACK_MS,
      instanceIds: [],
      volumeIds: [],
      isKnown: (resource, id) => this.rentals.has(`${resource}/${id}`),
    });
    this.#lookedAtMs = nowMs;
    for (const one of found) {
      const bill = { state: 'not_begun' } as const;
      const rental = { found: one, bill, settledUntilMs: null, closed: false, lines: [] };
      this.rentals.set(`${one.resource}/${one.resourceId}`, rental);
    }
    for (const rental of this.rentals.values()) {
      if (rental.closed) continue;
      rental.bill =
        (await partOf(this.#provider, 'bills').billOf(rental.found.resource, rental.found.resourceId)) ?? rental.bill;
      this.settleOne(rental, nowMs);
    }
  }

  settleOne(rental: MemoryRental, nowMs: number): void {
    const facts = this.factsOf(rental, nowMs);
    const due = settleableUntil(facts, nowMs - GRACE_MS);
    const isOver = rental.bill.state === 'void' || due?.isFinal === true;
    if (due !== null) {
      rental.lines.push(...accountRental(facts, due.untilMs));
      rental.settledUntilMs = Math.max(due.untilMs, rental.settledUntilMs ?? due.untilMs);
    }
    if (!isOver) return;
    const correction = correctionOf(facts, nanosIn(rental.lines));
    if (correction !== null) rental.lines.push(correction);
    rental.closed = true;
  }

  /** Everything that is known of a rental now. */
  factsOf({ found, bill, settledUntilMs }: MemoryRental, nowMs: number): RentalFacts {
    const nanos = nanosOf(found.priceUsdPerHour);
    const onDemand = found.onDemandUsdPerHour === null ? nanos : nanosOf(found.onDemandUsdPerHour);
    const rows = this.#rowsOf(found.instanceName);
    return {
      terms: {
        resource: found.resource,
        resourceId: found.resourceId,
        location: found.location,
        nanoUsdPerHour: nanos,
        savedNanoUsdPerHour: found.market === 'spot' ? onDemand - nanos : 0n,
        quantumSec: found.quantumSec,
        refundsUnused: found.refundsUnused,
      },
      bill: bill.state === 'billed' ? bill : null,
      settledUntilMs,
      rows: rows.map(ownerRow),
      calls: callsOf(this.#attemptsOf(found.instanceName), rows, nowMs),
    };
  }
}

const ownerRow = (row: Transition): OwnerRow => ({
  atMs: row.atMs,
  phase: row.to,
  providerId: row.providerId,
  volumeIds: row.volumeIds,
  location: row.offer === null ? null : parseOfferKey(row.offer).location,
  instanceType: row.offer === null ? null : parseOfferKey(row.offer).instanceType,
  usdPerHour: row.priceUsdPerHour,
  loadMs: row.loadMs,
});

/** Attempts with their ends; those that were left open end at what can be seen. */
function callsOf(attempts: readonly Attempt[], rows: readonly Transition[], nowMs: number): readonly CallSpan[] {
  return attempts.map((attempt) => {
    if (attempt.untilMs !== null) return attempt;
    const later = attempts.filter((one) => one.callId === attempt.callId && one.fromMs > attempt.fromMs);
    const traces = {
      startedAtMs: attempt.fromMs,
      nextAttemptAtMs: later.length === 0 ? null : Math.min(...later.map((one) => one.fromMs)),
      serving: null,
      rows: rows.map((row) => ({ atMs: row.atMs, phase: row.to })),
    };
    return { ...attempt, untilMs: endOfOpenAttempt(traces, nowMs) };
  });
}

/** Sum of lines, billionths of a dollar. */
export const nanosIn = (lines: readonly LedgerLine[]): bigint => lines.reduce((sum, line) => sum + line.nanoUsd, 0n);
