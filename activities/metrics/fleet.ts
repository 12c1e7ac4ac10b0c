/** Machines: how many are in each phase, blocked offers, and the creates that launch limits still allow. */
import { readLaunchAttempts } from '../fleet/selection/offer-history.ts';
import { readOfferMemory } from '../fleet/selection/offer-blocks.ts';
import { providerNames } from '../../clouds/fleet.ts';
import { launchesLeft, PROBE_INTERVAL_MS } from '../../domain/fleet/provider/launch-limit.ts';
import { QUIET_MS } from '../../domain/fleet/selection/offer-memory.ts';
import { parseOfferKey, type OfferKey } from '../../domain/fleet/selection/offer.ts';
import type { OfferMemory } from '../../domain/fleet/selection/ladder.ts';
import type { Sample } from '../../domain/metrics/catalogue.ts';
import { sample, timestamp, type Look } from './source.ts';

interface InstanceCount {
  readonly pool: string;
  readonly provider: string;
  readonly offerKey: string | null;
  readonly phase: string;
  readonly count: number;
}

/** See the file's header. One statement after the other: `db` may be a transaction. */
export const readFleet = async (look: Look): Promise<Sample[]> => [
  ...(await instances(look)),
  ...(await blocks(look)),
  ...(await launchLimits(look)),
];

/** Counts of instances that have not ended, by their labels. */
async function instances({ db }: Look): Promise<Sample[]> {
  const rows = await db.$queryRaw<InstanceCount[]>`
    SELECT pool, provider, "offerKey", phase, count(*)::int AS count FROM "FleetInstance"
    WHERE "endedAt" IS NULL GROUP BY pool, provider, "offerKey", phase`;
  return rows.map(({ pool, provider, offerKey, phase, count }) => {
    const { location, instanceType, market } =
      offerKey === null
        ? { location: 'none', instanceType: 'none', market: 'none' }
        : parseOfferKey(offerKey as OfferKey);
    return sample('gpu_instances', { pool, provider, location, type: instanceType, market, state: phase }, count);
  });
}

async function blocks({ db, now }: Look): Promise<Sample[]> {
  const rows = await db.offerBlock.findMany({ where: { blockedUntil: { gt: now } }, orderBy: { scopeKey: 'asc' } });
  return rows.flatMap(({ scopeKey, errorClass, blockedUntil }) => {
    const labels = { offer: scopeKey, class: errorClass };
    return [
      sample('gpu_offer_blocked', labels, 1),
      sample('gpu_offer_blocked_until_timestamp_seconds', labels, timestamp(blockedUntil)),
    ];
  });
}

/** For each pool that rents: the offers that any pool has tried within the time that counts, with what the pool's own limit leaves. */
async function launchLimits({ db, fleet: readSettings, now }: Look): Promise<Sample[]> {
  const fleet = readSettings();
  const providers = providerNames(fleet);
  const nowMs = now.getTime();
  const tried = await db.createIntent.findMany({
    where: {
      createdAt: { gt: new Date(nowMs - QUIET_MS) },
      OR: providers.map((name) => ({ offerKey: { startsWith: `${name}/` } })),
    },
    distinct: ['offerKey'],
    select: { offerKey: true },
    orderBy: { offerKey: 'asc' },
  });
  const memories = await Promise.all(providers.map((name) => readOfferMemory(db, name)));
  const memory = new Map(memories.flat().map((m): [string, OfferMemory] => [m.scopeKey, m]));
  const samples: Sample[] = [];
  for (const { offerKey } of tried) {
    const attempts = await readLaunchAttempts(db, offerKey as OfferKey, nowMs);
    const own = memory.get(offerKey);
    const isShort = own?.errorClass === 'capacity' || own?.errorClass === 'capacity_async';
    for (const pool of fleet.pools) {
      const { left } = launchesLeft(attempts, isShort ? own.lastFailureAtMs : null, nowMs, {
        perHour: pool.launchBudgetPerHour,
        probeIntervalMs: PROBE_INTERVAL_MS,
      });
      samples.push(sample('gpu_launch_budget', { pool: pool.name, offer: offerKey }, left));
    }
  }
  return samples;
}
