/**
 * Costs of a time recomputed from raw rows, written unlike the product: whole billionths in plain JavaScript, local dates by Intl. What both
 * come to is compared.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';

/** A raw row, as far as sums go. */
export interface RawEntry {
  readonly atMs: number;
  readonly nanos: bigint;
  readonly savedNanos: bigint;
  readonly kind: string;
  readonly task: string | null;
  readonly pool: string | null;
  readonly market: string | null;
  readonly tenantId: string | null;
  readonly deckId: string | null;
  readonly analysisId: string | null;
}

const nanosOf = (amount: string): bigint => {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const nanos = BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
  return amount.startsWith('-') ? -nanos : nanos;
};

/** `12.345` of billionths. */
export function usdOf(nanos: bigint): string {
  const digits = (nanos < 0n ? -nanos : nanos).toString().padStart(10, '0');
  const text = `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/u, '');
  return `${nanos < 0n ? '-' : ''}${text}`;
}

/** The whole ledger. */
export async function rawLedger(db: PrismaClient): Promise<RawEntry[]> {
  const rows = await db.ledgerEntry.findMany();
  return rows.map((row) => ({
    atMs: row.fromAt.getTime(),
    nanos: nanosOf(row.amountUsd.toFixed(9)),
    savedNanos: nanosOf(row.spotSavingUsd.toFixed(9)),
    kind: row.kind,
    task: row.task,
    pool: row.pool,
    market: row.market,
    tenantId: row.tenantId,
    deckId: row.deckId,
    analysisId: row.analysisId,
  }));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Local date of an instant, by Intl rather than by the product's library. */
export function dateIn(timeZone: string, atMs: number): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(atMs);
}

/** Sums by a key, as text; keys that are null are left out. */
export function sumsBy(rows: readonly RawEntry[], keyOf: (row: RawEntry) => string | null): Record<string, string> {
  const sums: Record<string, bigint> = {};
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== null) sums[key] = (sums[key] ?? 0n) + row.nanos;
  }
  return Object.fromEntries(Object.entries(sums).map(([key, nanos]) => [key, usdOf(nanos)]));
}

/** Everything that a report says in sums, of these rows. */
export function recomputed(rows: readonly RawEntry[], timeZone: string): Record<string, unknown> {
  const total = (of: readonly RawEntry[]): string => usdOf(of.reduce((sum, row) => sum + row.nanos, 0n));
  const documents = sumsBy(rows, (row) => row.deckId);
  const sorted = Object.values(documents).toSorted((a, b) => Number(nanosOf(a) - nanosOf(b)));
  const rank = (share: number): string | null => sorted[Math.ceil(sorted.length * share) - 1] ?? null;
  return {
    totalUsd: total(rows),
    kinds: sumsBy(rows, (row) => row.kind),
    tasks: sumsBy(rows, (row) => row.task ?? 'none'),
    tenants: sumsBy(rows, (row) => row.tenantId),
    pools: sumsBy(rows, (row) => row.pool),
    days: sumsBy(rows, (row) => dateIn(timeZone, row.atMs)),
    documents: { count: sorted.length, p50Usd: rank(0.5), p95Usd: rank(0.95) },
    dearest: sorted.at(-1) ?? null,
    unattributed: total(rows.filter((row) => row.tenantId === null)),
    deleted: total(rows.filter((row) => row.tenantId !== null && row.deckId === null)),
    spot: total(rows.filter((row) => row.market === 'spot')),
    spotSaved: usdOf(rows.reduce((sum, row) => sum + row.savedNanos, 0n)),
  };
}
