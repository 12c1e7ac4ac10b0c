/** Sums that a cost report is made from, as a database could give them. */
import { buildCostReport, type ReportInput } from '../../../../domain/costs/report/build.ts';
import { type CostReport, INSTALLATION_SCOPE } from '../../../../domain/costs/report/document.ts';
import type { LedgerSums, RentalSpan } from '../../../../domain/costs/report/sums.ts';

/** A ledger without an entry. */
export const NO_SUMS: LedgerSums = {
  slots: [],
  kinds: [],
  machines: [],
  tasks: [],
  tenants: [],
  documents: { count: 0, totalUsd: '0', p50Usd: null, p95Usd: null, dearest: [] },
  evictions: { count: 0, bootUsd: '0', repeatedUsd: '0' },
  firstEntryMs: null,
  unsettledRentals: 0,
};

/** A small one with something in every section, in the slot of the first day of a period. */
export const someSums = (slot: number, fileTenant = 'default'): LedgerSums => ({
  ...NO_SUMS,
  slots: [
    { slot, pool: 'gpu', kind: 'busy', task: 'describe_slide', usd: '1.500000001' },
    { slot, pool: 'gpu', kind: 'idle', task: null, usd: '0.5' },
    { slot: slot + 1, pool: 'gpu', kind: 'boot', task: null, usd: '0.25' },
  ],
  kinds: [
    { kind: 'busy', attributed: true, usd: '1.500000001', seconds: '3600' },
    { kind: 'idle', attributed: false, usd: '0.5', seconds: '1800' },
    { kind: 'boot', attributed: false, usd: '0.25', seconds: '900' },
  ],
  machines: [
    {
      provider: 'simulated',
      pool: 'gpu',
      instanceType: '1H100.80S.30V',
      market: 'spot',
      usd: '2.250000001',
      seconds: '6300',
      spotSavingUsd: '1.2',
    },
  ],
  tasks: [
    { task: 'describe_slide', kind: 'busy', usd: '1.500000001', seconds: '3600' },
    { task: null, kind: 'idle', usd: '0.75', seconds: '2700' },
  ],
  tenants: [{ tenantId: fileTenant, usd: '1.500000001', deletedUsd: '0.1', documents: 2 }],
  documents: {
    count: 2,
    totalUsd: '1.400000001',
    p50Usd: '0.4',
    p95Usd: '1.000000001',
    dearest: [
      { tenantId: fileTenant, deckId: 'deck-1', analyses: 2, usd: '1.000000001' },
      { tenantId: fileTenant, deckId: 'deck-2', analyses: 1, usd: '0.4' },
    ],
  },
  evictions: { count: 2, bootUsd: '0.2', repeatedUsd: '0.1' },
  firstEntryMs: Date.UTC(2026, 0, 1),
});

/** The report of the installation for a period, in which nothing was rented unless that is said. */
export const reportOf = (facts: Pick<ReportInput, 'period' | 'nowMs'> & Partial<ReportInput>): CostReport =>
  buildCostReport({ scope: INSTALLATION_SCOPE, sums: NO_SUMS, rentals: [], balances: [], ...facts });

/** A machine that is rented at $2 an hour from 1970 on. */
export const rentalOf = (values: Partial<RentalSpan>): RentalSpan => ({
  provider: 'simulated',
  resource: 'instance',
  pool: 'gpu',
  usdPerHour: '2',
  quantumSec: 600,
  refundsUnused: true,
  fromMs: 0,
  untilMs: null,
  ...values,
});
