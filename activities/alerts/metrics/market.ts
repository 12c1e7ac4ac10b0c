/** Metrics of what can be bought: pools that get nothing, and prices that are not what they were. */
import { priceRatio } from '../../../domain/alerts/figures.ts';
import type { Reading } from '../../../domain/alerts/metrics.ts';
import { counted, durationWords } from '../../../domain/text/words.ts';
import { parseOfferKey } from '../../../domain/fleet/selection/offer.ts';
import { GPU_CLASSES } from '../../../domain/models/model-tasks.ts';
import { readDemand } from '../../fleet/pool/demand.ts';
import { LIVING, windowStart, type MetricReader } from './reader.ts';

/** Phases in which an instance has no machine and nothing is under way to one. */
const WITHOUT_MACHINE: readonly string[] = ['planned', 'suspended'];

/** How long work has waited for a pool that has no machine and gets none. A pool that has ended is not asked. */
export const readDroughts: MetricReader = async ({ db, now }) => {
  const pools = await db.fleetPool.findMany({
    where: { nextLookAt: { not: null } },
    include: { instances: { where: LIVING, orderBy: { createdAt: 'asc' } } },
  });
  return Promise.all(
    pools.map(async ({ name, classes, instances, reasons }): Promise<Reading> => {
      // Awake or on its way, or waking without having found a machine yet.
      const dry = instances.every(
        ({ phase, providerId }) => WITHOUT_MACHINE.includes(phase) || (phase === 'waking' && providerId === null),
      );
      const mine = GPU_CLASSES.filter((gpuClass) => classes.includes(gpuClass));
      const { oldestAgeMs, openCalls } = await readDemand(db, mine, now);
      const value = dry ? (oldestAgeMs ?? 0) / 1000 : 0;
      const why = instances[0]?.reason ?? reasons[0] ?? 'no reason is known';
      const waited = `${counted(openCalls, 'call waits', 'calls wait')} for pool ${name}, the oldest for ${durationWords(oldestAgeMs ?? 0)}`;
      const message = dry ? `${waited}, and it has no machine: ${why}.` : `Pool ${name} has machines.`;
      return { subject: name, value, message };
    }),
  );
};

/** What is rented now, held against what such machines cost in the rule's window. */
export const readOfferPrices: MetricReader = async (look) => {
  const [running, intents] = await Promise.all([
    look.db.fleetInstance.findMany({
      where: { ...LIVING, offerKey: { not: null }, priceUsdPerHour: { not: null }, providerId: { not: null } },
      select: { name: true, offerKey: true, priceUsdPerHour: true },
    }),
    look.db.createIntent.findMany({
      where: { providerId: { not: null }, createdAt: { gt: windowStart(look) } },
      select: { instanceName: true, offerKey: true, priceUsdPerHour: true },
    }),
  ]);
  const kindOf = (key: string): string => {
    const { provider, instanceType, market } = parseOfferKey(key);
    return `${provider}/${instanceType}/${market}`;
  };
  const byKind = Map.groupBy(running, ({ offerKey }) => kindOf(offerKey ?? ''));
  return [...byKind].map(([kind, rows]): Reading => {
    const price = Math.max(...rows.map(({ priceUsdPerHour }) => Number(priceUsdPerHour)));
    const own = new Set(rows.map(({ name }) => name));
    const earlier = intents
      .filter(({ instanceName, offerKey }) => !own.has(instanceName) && kindOf(offerKey) === kind)
      .map(({ priceUsdPerHour }) => Number(priceUsdPerHour));
    const value = priceRatio(price, earlier);
    const message = `${kind} is rented at $${price.toFixed(2)} per hour, ${value.toFixed(2)} times what it usually cost.`;
    return { subject: kind, value, message };
  });
};
