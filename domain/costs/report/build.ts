/**
 * Makes a cost report from its sums. Pure: the same sums give the same report.
 */
import { Decimal } from 'decimal.js';
import { LEDGER_CURRENCY, LEDGER_KINDS, type LedgerKind } from '../ledger/facts.ts';
import { alwaysOnOf } from './always-on.ts';
import { amountText, hoursOf, shareOf, sumOf } from './amount.ts';
import { anomaliesOf, type DayCell } from './anomalies.ts';
import { INSTALLATION_SCOPE, type CostReport } from './document.ts';
import { forecastOf } from './forecast.ts';
import { localDayOf, type LocalDay } from './local-day.ts';
import { periodBefore, type ReportPeriod } from './period.ts';
import { reconcile } from './reconciliation.ts';
import { slotsOf, type BalanceSpan, type KindSum, type LedgerSums, type RentalSpan, type Slots } from './sums.ts';

/** A period of fewer days is shown with days before it, and with how many. */
const SHORT_DAYS = 7;
const SHOWN_BEFORE = 14;

/** Everything that a report is made from. */
export interface ReportInput {
  readonly period: ReportPeriod;
  /** {@link INSTALLATION_SCOPE} or a tenant. */
  readonly scope: string;
  readonly sums: LedgerSums;
  /** Rentals that touch the period or the time between looks at a balance; not asked for by a tenant's report. */
  readonly rentals: readonly RentalSpan[];
  /** Providers with rentals in the period. */
  readonly balances: readonly BalanceSpan[];
  /** Of pools that warmed instances ahead; not asked for by a tenant's report. */
  readonly prewarm?: CostReport['prewarm'];
  readonly nowMs: number;
}

export function buildCostReport({
  period,
  scope,
  sums,
  rentals,
  balances,
  prewarm = [],
  nowMs,
}: ReportInput): CostReport {
  const { kind, name, fromMs, untilMs, timezone } = period;
  const { slots, firstOfPeriod } = slotsOf(period);
  const total = sumOf(sums.kinds.map((k) => k.usd));
  const before = periodBefore(period);
  const slotUsd = usdBySlot(sums, slots.length);
  const previous = sumOf(
    slots.flatMap((slot, i) => (slot.fromMs >= before.fromMs && slot.fromMs < fromMs ? [slotUsd[i] ?? 0] : [])),
  );
  const cellsByDay = dayCells(sums, slots);
  const ofInstallation = scope === INSTALLATION_SCOPE;
  // While the period is under way nothing is known of its rest.
  const knownUntilMs = Math.min(untilMs, Math.max(nowMs, fromMs + 1));
  const lines = slots.map((slot, i) => ({
    day: slot.day,
    from: iso(slot.fromMs),
    until: iso(slot.untilMs),
    usd: amountText(slotUsd[i] ?? 0),
    kinds: kindsOfSlot(sums, i),
  }));
  const days = lines.slice(firstOfPeriod);
  return {
    version: 1,
    kind,
    period: name,
    scope,
    from: iso(fromMs),
    until: iso(untilMs),
    timezone,
    currency: LEDGER_CURRENCY,
    madeAt: iso(nowMs),
    complete: untilMs <= nowMs && sums.unsettledRentals === 0,
    unsettledRentals: sums.unsettledRentals,
    totalUsd: amountText(total),
    previous: {
      period: before.name,
      totalUsd: amountText(previous),
      changeUsd: amountText(total.minus(previous)),
      changeShare: shareOf(total.minus(previous), previous),
    },
    kinds: kindLines(sums.kinds),
    shares: {
      busy: shareOf(usdOfKind(sums.kinds, 'busy'), total),
      idle: shareOf(usdOfKind(sums.kinds, 'idle'), total),
      boot: shareOf(usdOfKind(sums.kinds, 'boot'), total),
      load: shareOf(usdOfKind(sums.kinds, 'load'), total),
    },
    machines: sums.machines
      .map(({ provider, pool, instanceType, market, usd, seconds }) => ({
        provider,
        pool,
        instanceType,
        market,
        usd: amountText(usd),
        hours: hoursOf(new Decimal(seconds)),
      }))
      .toSorted(dearestFirst((m) => [m.provider, m.pool, m.instanceType, m.market].join('/'))),
    tasks: taskLines(sums),
    documents: documentLines(sums),
    tenants: sums.tenants
      .map(({ tenantId, usd, documents }) => ({ tenantId, usd: amountText(usd), documents }))
      .toSorted(dearestFirst((t) => t.tenantId)),
    unattributed: {
      usd: amountText(sumOf(sums.kinds.filter((k) => !k.attributed).map((k) => k.usd))),
      kinds: kindLines(sums.kinds.filter((k) => !k.attributed)),
    },
    days,
    daysBefore: days.length < SHORT_DAYS ? lines.slice(Math.max(0, firstOfPeriod - SHOWN_BEFORE), firstOfPeriod) : [],
    spot: spotLine(sums),
    alwaysOn: ofInstallation
      ? alwaysOnOf({
          rentals,
          spentByPool: spentByPool(sums),
          fromMs: Math.min(Math.max(fromMs, firstRentedMs(sums, rentals) ?? fromMs), knownUntilMs),
          untilMs: knownUntilMs,
        })
      : null,
    forecast: ofInstallation
      ? forecastOf({
          usdByDay: new Map([...cellsByDay].map(([day, cells]) => [day, sumOf(cells.map((c) => c.usd))])),
          knownUntilMs,
          timezone,
          firstDay: sums.firstEntryMs === null ? null : localDayOf(sums.firstEntryMs, timezone),
        })
      : null,
    prewarm: ofInstallation ? prewarm : [],
    anomalies: ofInstallation
      ? anomaliesOf(
          days.map(({ day }) => day),
          (day) => cellsByDay.get(day) ?? [],
        )
      : [],
    reconciliation: ofInstallation
      ? balances.map((span) =>
          reconcile(
            span,
            rentals.filter((r) => r.provider === span.provider),
          ),
        )
      : [],
  };
}

const iso = (atMs: number): string => new Date(atMs).toISOString();

function spotLine({ machines, evictions }: LedgerSums): CostReport['spot'] {
  const spent = sumOf(machines.filter((m) => m.market === 'spot').map((m) => m.usd));
  const saved = sumOf(machines.map((m) => m.spotSavingUsd));
  const onDemand = spent.plus(saved);
  const lost = sumOf([evictions.bootUsd, evictions.repeatedUsd]);
  const net = saved.minus(lost);
  return {
    usd: amountText(spent),
    savedUsd: amountText(saved),
    onDemandUsd: amountText(onDemand),
    evictions: {
      count: evictions.count,
      bootUsd: amountText(evictions.bootUsd),
      repeatedUsd: amountText(evictions.repeatedUsd),
      usd: amountText(lost),
    },
    netSavedUsd: amountText(net),
    netSavedShare: shareOf(net, onDemand),
  };
}

/** Largest amounts first; equal ones by name, so that a report made again is the same. */
function dearestFirst<T extends { readonly usd: string }>(nameOf: (line: T) => string): (a: T, b: T) => number {
  return (a, b) => new Decimal(b.usd).comparedTo(a.usd) || (nameOf(a) < nameOf(b) ? -1 : 1);
}

function usdBySlot(sums: LedgerSums, count: number): Decimal[] {
  const usd = Array.from({ length: count }, () => new Decimal(0));
  for (const cell of sums.slots) usd[cell.slot] = (usd[cell.slot] ?? new Decimal(0)).plus(cell.usd);
  return usd;
}

/** What each day's cost is made of, also before the period. */
function dayCells(sums: LedgerSums, slots: Slots['slots']): Map<LocalDay, DayCell[]> {
  const byDay = new Map<LocalDay, Map<string, DayCell>>();
  for (const { slot, pool, kind, task, usd } of sums.slots) {
    const day = slots[slot]?.day ?? '';
    const cells = byDay.get(day) ?? new Map<string, DayCell>();
    byDay.set(day, cells);
    const key = JSON.stringify([pool, kind, task]);
    cells.set(key, { pool, kind, task, usd: (cells.get(key)?.usd ?? new Decimal(0)).plus(usd) });
  }
  return new Map([...byDay].map(([day, cells]) => [day, [...cells.values()]]));
}

function kindsOfSlot(sums: LedgerSums, slot: number): Partial<Record<LedgerKind, string>> {
  const cells = sums.slots.filter((cell) => cell.slot === slot);
  return Object.fromEntries(
    LEDGER_KINDS.flatMap((kind) => {
      const usd = usdOfKind(cells, kind);
      return usd.isZero() ? [] : [[kind, amountText(usd)]];
    }),
  );
}

const usdOfKind = (sums: readonly { readonly kind: LedgerKind; readonly usd: string }[], kind: LedgerKind): Decimal =>
  sumOf(sums.filter((k) => k.kind === kind).map((k) => k.usd));

/** In the order of the kinds; those that are not there are left out. */
function kindLines(sums: readonly KindSum[]): CostReport['kinds'] {
  return LEDGER_KINDS.flatMap((kind) => {
    const own = sums.filter((k) => k.kind === kind);
    if (own.length === 0) return [];
    return [{ kind, usd: amountText(sumOf(own.map((k) => k.usd))), hours: hoursOf(sumOf(own.map((k) => k.seconds))) }];
  });
}

function taskLines({ tasks }: LedgerSums): CostReport['tasks'] {
  return [...Map.groupBy(tasks, ({ task }) => task)]
    .map(([task, own]) => {
      const busy = own.filter((t) => t.kind === 'busy');
      return {
        task,
        usd: amountText(sumOf(own.map((t) => t.usd))),
        busyUsd: amountText(sumOf(busy.map((t) => t.usd))),
        busyHours: hoursOf(sumOf(busy.map((t) => t.seconds))),
      };
    })
    .toSorted(dearestFirst((t) => t.task ?? ''));
}

function documentLines({ documents, tenants }: LedgerSums): CostReport['documents'] {
  const { count, totalUsd, p50Usd, p95Usd, dearest } = documents;
  const total = new Decimal(totalUsd);
  const text = (usd: string | null): string | null => (usd === null ? null : amountText(usd));
  return {
    count,
    totalUsd: amountText(total),
    meanUsd: count === 0 ? null : amountText(total.dividedBy(count)),
    p50Usd: text(p50Usd),
    p95Usd: text(p95Usd),
    deletedUsd: amountText(sumOf(tenants.map((t) => t.deletedUsd))),
    dearest: dearest.map((d) => ({ ...d, usd: amountText(d.usd) })),
  };
}

/** When the installation first rented anything: before that there was nothing to run all the time. Null = never. */
function firstRentedMs({ firstEntryMs }: LedgerSums, rentals: readonly RentalSpan[]): number | null {
  const times = [...rentals.map((rental) => rental.fromMs), ...(firstEntryMs === null ? [] : [firstEntryMs])];
  return times.length === 0 ? null : Math.min(...times);
}

/** What each pool cost, machines and disks. */
function spentByPool({ machines }: LedgerSums): Map<string, Decimal> {
  const spent = new Map<string, Decimal>();
  for (const { pool, usd } of machines) {
    if (pool !== null) spent.set(pool, (spent.get(pool) ?? new Decimal(0)).plus(usd));
  }
  return spent;
}
