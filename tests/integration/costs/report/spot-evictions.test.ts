/** What a report says of spot: its price, the same time on demand, and what evictions cost, from real rows. */
import { expect } from 'vitest';
import { makeCostReport } from '../../../../activities/costs/report/make.ts';
import { INSTALLATION_SCOPE, type CostReport } from '../../../../domain/costs/report/document.ts';
import { parsePeriod } from '../../../../domain/costs/report/period.ts';
import { EVICTED } from '../../../../domain/fleet/instance-life/running.ts';
import type { PrismaClient } from '../../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../../testing/database.ts';
import { aHistory, aLedgerEntry, anInstance, aRental, callAttemptRow, TENANT } from '../../../../testing/make.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
const at = (minutes: number): Date => new Date(NOON + minutes * MINUTE);
const OFFER = 'datacrunch/FIN-01/1L40S.20V/spot';

/** A machine at $0.60 an hour instead of $1.20: it boots for ten minutes and works for twenty. */
async function aSpotMachine(db: PrismaClient, name: string, end: string): Promise<void> {
  const providerId = `machine-${name}`;
  const id = `datacrunch/instance/${providerId}`;
  await anInstance(db, { name, phase: 'gone' });
  await aRental(db, { id, resourceId: providerId, instanceName: name, market: 'spot', priceUsdPerHour: 0.6 });
  const entry = { rentalId: id, market: 'spot', instanceName: name } as const;
  await aLedgerEntry(db, {
    ...entry,
    id: `${id}/0`,
    position: 0,
    kind: 'boot',
    fromAt: at(0),
    untilAt: at(10),
    amountUsd: 0.1,
    spotSavingUsd: 0.1,
  });
  for (const [position, callId] of [`${name}-done`, `${name}-open`].entries())
    await aLedgerEntry(db, {
      ...entry,
      id: `${id}/${position + 1}`,
      position: position + 1,
      kind: 'busy',
      fromAt: at(10 + position * 10),
      untilAt: at(20 + position * 10),
      amountUsd: 0.1,
      spotSavingUsd: 0.1,
      tenantId: TENANT,
      callId,
    });
  await aHistory(db, name, [
    { at: at(10), toPhase: 'ready', reason: 'passed its readiness check', offerKey: OFFER, providerId },
    { at: at(30), toPhase: 'destroying', reason: end, offerKey: OFFER, providerId },
    { at: at(32), toPhase: 'gone', reason: end, offerKey: OFFER, providerId },
  ]);
  const made = { callId: `${name}-done`, startedAt: at(10), endedAt: at(20), outcome: 'stored' };
  const cut = { callId: `${name}-open`, startedAt: at(20), endedAt: at(30), outcome: 'cut' };
  const calls = [made, cut].map((call) => callAttemptRow({ instanceName: name, ...call }));
  await db.callAttempt.createMany({ data: calls });
}

const reportOf = (db: PrismaClient, scope = INSTALLATION_SCOPE): Promise<CostReport> => {
  const nowMs = NOON + 86_400_000;
  return makeCostReport(db, parsePeriod('2026-11-20', 'UTC', nowMs), scope, nowMs);
};

it('the boot and the calls under way of a machine that was taken back are what its eviction cost', async ({ db }) => {
  await aSpotMachine(db, 'visual-1', EVICTED);
  await aSpotMachine(db, 'visual-2', 'asked to be destroyed');
  const { spot } = await reportOf(db);
  expect(spot).toEqual({
    usd: '0.6',
    savedUsd: '0.6',
    onDemandUsd: '1.2',
    evictions: { count: 1, bootUsd: '0.1', repeatedUsd: '0.1', usd: '0.2' },
    netSavedUsd: '0.4',
    netSavedShare: 0.3333,
  });
});

it('a tenant sees its own calls alone', async ({ db }) => {
  await aSpotMachine(db, 'visual-1', EVICTED);
  const { spot } = await reportOf(db, TENANT);
  expect(spot.evictions).toEqual({ count: 1, bootUsd: '0', repeatedUsd: '0.1', usd: '0.1' });
  expect((await reportOf(db, 'other')).spot.evictions).toMatchObject({ count: 0, usd: '0' });
});
