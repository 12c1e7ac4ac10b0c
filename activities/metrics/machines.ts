/** Machines: boots, who serves them, repairs, evictions, prices, and what has no owner. */
import { priceRatio } from '../../domain/alerts/figures.ts';
import { EVICTED } from '../../domain/fleet/instance-life/running.ts';
import { isAwake, isComingUp, phasesThat } from '../../domain/fleet/phases.ts';
import { parseOfferKey } from '../../domain/fleet/selection/offer.ts';
import type { Sample } from '../../domain/metrics/catalogue.ts';
import { durationWords } from '../../domain/text/words.ts';
import type { FleetInstance, InstanceServing, ReapCandidate } from '../../generated/prisma/client.ts';
import { LIVING, sample, secondsSince, windowStart, type Look } from './source.ts';

const COMING_UP: readonly string[] = phasesThat(isComingUp);
/** Between two orders an instance looks for its next offer. */
const ORDERING: readonly string[] = [...COMING_UP, 'planned'];

type Served = FleetInstance & { readonly serving: InstanceServing | null };

const agoWords = (since: Date, now: Date): string => durationWords(secondsSince(since, now) * 1000);

/** Boots, silent gateways, repairs and evictions. */
export async function readMachines(look: Look): Promise<Sample[]> {
  const { db, now } = look;
  const instances = await db.fleetInstance.findMany({ where: LIVING, include: { serving: true } });
  const begins = await beginsOf(
    db,
    instances.flatMap(({ name, phase }) => (ORDERING.includes(phase) ? [name] : [])),
  );
  return [
    ...instances.flatMap((instance) => [boot(instance, begins.get(instance.name), now), silentGateway(instance, now)]),
    ...(await repairs(look)),
    ...(await evictions(look)),
  ];
}

/** How long an instance has been coming up, with all orders and boots that failed on the way. */
function boot({ name, pool, phase, phaseSince, reason }: Served, begin: Date | undefined, now: Date): Sample {
  const since = begin !== undefined && begin < phaseSince ? begin : phaseSince;
  const value = isComingUp(phase) || begin !== undefined ? secondsSince(since, now) : 0;
  const before = since < phaseSince ? `, after other attempts, and ${phase} for ${agoWords(phaseSince, now)}` : '';
  const what = before === '' ? phase : 'coming up';
  const message = `${name} has been ${what} for ${agoWords(since, now)}${before}: ${reason}.`;
  return sample('boot_seconds', { pool, instance: name }, value, message);
}

/** When each was first ordered since it last was anything but coming up; none for one that was not ordered yet. */
async function beginsOf(db: Look['db'], names: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  if (names.length === 0) return new Map();
  const rows = await db.$queryRaw<{ readonly name: string; readonly at: Date }[]>`
    SELECT t."instanceName" AS name, min(t.at) AS at FROM "InstanceTransition" t
    WHERE t."instanceName" = ANY(${[...names]}) AND t."toPhase" = ANY(${[...COMING_UP]})
      AND t.position > coalesce((
        SELECT max(other.position) FROM "InstanceTransition" other
        WHERE other."instanceName" = t."instanceName" AND other."toPhase" <> ALL(${[...ORDERING]})), -1)
    GROUP BY 1`;
  return new Map(rows.map(({ name, at }) => [name, at]));
}

/** How long no gateway has reported a machine that is there to work. */
function silentGateway({ name, pool, phase, readyAt, phaseSince, serving }: Served, now: Date): Sample {
  const awakeSince = readyAt ?? phaseSince;
  const last = new Date(Math.max(serving?.seenAt.getTime() ?? 0, awakeSince.getTime()));
  const value = isAwake(phase) ? secondsSince(last, now) : 0;
  const gateway = serving === null ? 'No gateway' : `Gateway ${serving.gateway}`;
  const message = `${gateway} has said nothing of ${name} for ${durationWords(value * 1000)}.`;
  return sample('gateway_silent_seconds', { pool, instance: name }, value, message);
}

/** Repairs in words: one that was over between two rounds was never seen as an unhealthy machine by a rule. */
const REPAIRS: Readonly<Record<string, string>> = {
  restart: 'had its model server restarted',
  reboot: 'was rebooted',
  replace: 'was replaced',
};

async function repairs(look: Look): Promise<Sample[]> {
  const rows = await look.db.healthTransition.findMany({
    where: { at: { gt: windowStart(look, 'health_repairs'), lte: look.now }, action: { in: Object.keys(REPAIRS) } },
    orderBy: { at: 'asc' },
  });
  return [...Map.groupBy(rows, ({ instanceName }) => instanceName)].flatMap(([name, own]): Sample[] => {
    const last = own.at(-1);
    if (last === undefined) return [];
    const fault = last.failure === null ? '' : ` (${last.failure})`;
    const message = `${name} ${REPAIRS[last.action] ?? last.action} for its health${fault}: ${last.reason}.`;
    return [sample('health_repairs', { pool: last.pool, instance: name }, own.length, message)];
  });
}

/** Spot machines that were taken back, by instance. */
async function evictions(look: Look): Promise<Sample[]> {
  const rows = await look.db.instanceTransition.findMany({
    where: { at: { gt: windowStart(look, 'spot_evictions'), lte: look.now }, reason: { startsWith: EVICTED } },
    orderBy: { at: 'asc' },
    select: { instanceName: true, offerKey: true },
  });
  // An eviction is in more than one row of the history.
  const offers = new Map(rows.map(({ instanceName, offerKey }) => [instanceName, offerKey]));
  return [...offers].map(([instance, offer]) => {
    const message = `The provider took back the spot machine of ${instance}${offer === null ? '' : ` (${offer})`}.`;
    return sample('spot_evictions', { instance }, 1, message);
  });
}

/** What costs money; scripts and keys are cleared away in the ordinary course of things. */
const COSTLY = { kind: { in: ['instance', 'volume', 'deployment'] } };
const KIND_WORDS: Readonly<Record<string, string>> = { instance: 'Machine', volume: 'Disk', deployment: 'Deployment' };
const nameOf = ({ kind, name, resourceId, provider }: ReapCandidate): string =>
  `${KIND_WORDS[kind] ?? kind} ${name}${resourceId === name ? '' : ` (${resourceId})`} at ${provider}`;
const idOf = ({ provider, kind, resourceId: id }: ReapCandidate) => ({ provider, kind, id });

/** Machines, disks and deployments without an owner, and those that the reaper removed: both may happen between two rounds. */
export async function readOrphans(look: Look): Promise<Sample[]> {
  const { db, now } = look;
  const found = await db.reapCandidate.findMany({
    where: { reapedAt: null, ...COSTLY },
    orderBy: { firstSeenAt: 'asc' },
  });
  const removed = await db.reapCandidate.findMany({
    where: { reapedAt: { gt: windowStart(look, 'orphans_removed'), lte: now }, ...COSTLY },
    orderBy: { reapedAt: 'asc' },
  });
  return [
    ...found.map((row) => {
      const failed = row.message === null ? '' : ` It could not be removed: ${row.message}.`;
      const seen = `was first seen without an owner ${agoWords(row.firstSeenAt, now)} ago`;
      return sample('orphans_found', idOf(row), 1, `${nameOf(row)} ${seen}: ${row.reason}.${failed}`);
    }),
    ...removed.map((row) => sample('orphans_removed', idOf(row), 1, `${nameOf(row)} was removed: ${row.reason}.`)),
  ];
}

/** What is rented now, compared with what such machines cost in the window. */
export async function readOfferPrices(look: Look): Promise<Sample[]> {
  const running = await look.db.fleetInstance.findMany({
    where: { ...LIVING, offerKey: { not: null }, priceUsdPerHour: { not: null }, providerId: { not: null } },
    select: { name: true, offerKey: true, priceUsdPerHour: true },
  });
  const intents = await look.db.createIntent.findMany({
    where: { providerId: { not: null }, createdAt: { gt: windowStart(look, 'offer_price_ratio') } },
    select: { instanceName: true, offerKey: true, priceUsdPerHour: true },
  });
  const kindOf = (key: string): string => {
    const { provider, instanceType, market } = parseOfferKey(key);
    return `${provider}/${instanceType}/${market}`;
  };
  return [...Map.groupBy(running, ({ offerKey }) => kindOf(offerKey ?? ''))].map(([kind, rows]) => {
    const price = Math.max(...rows.map(({ priceUsdPerHour }) => Number(priceUsdPerHour)));
    const own = new Set(rows.map(({ name }) => name));
    const earlier = intents
      .filter(({ instanceName, offerKey }) => !own.has(instanceName) && kindOf(offerKey) === kind)
      .map(({ priceUsdPerHour }) => Number(priceUsdPerHour));
    const value = priceRatio(price, earlier);
    const message = `${kind} is rented at $${price.toFixed(2)} per hour, ${value.toFixed(2)} times what it usually cost.`;
    const [provider = '', type = '', market = ''] = kind.split('/');
    return sample('offer_price_ratio', { provider, type, market }, value, message);
  });
}
