/** How far the ledger is behind. */
import { sampleIf, type MetricGroup } from './group.ts';

export const LEDGER_GROUP: MetricGroup = {
  name: 'ledger',
  // Nothing where nothing is billed: then the ledger has nothing to be behind of.
  read: async ({ db, now }) => {
    const [row] = await db.$queryRaw<{ since: Date | null }[]>`
      SELECT min(coalesce("settledUntil", "billedFrom")) AS since FROM "Rental" WHERE "closedAt" IS NULL AND "billedFrom" IS NOT NULL`;
    const since = row?.since ?? null;
    const lagSeconds = since === null ? null : Math.max(0, (now.getTime() - since.getTime()) / 1000);
    return sampleIf('deckhand_ledger_lag_seconds', {}, lagSeconds);
  },
};
