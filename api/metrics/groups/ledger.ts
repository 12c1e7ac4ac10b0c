/** How far the ledger is behind. */
import { furthestBehind } from '../../../activities/costs/ledger/furthest-behind.ts';
import { sample, type MetricGroup } from './group.ts';

export const LEDGER_GROUP: MetricGroup = {
  name: 'ledger',
  // Nothing where nothing is billed: then the ledger has nothing to be behind of.
  read: async ({ db, now }) => {
    const behind = await furthestBehind(db, now);
    if (behind === null) return [];
    const lagSeconds = Math.max(0, (now.getTime() - behind.since.getTime()) / 1000);
    return [sample('deckhand_ledger_lag_seconds', {}, lagSeconds)];
  },
};
