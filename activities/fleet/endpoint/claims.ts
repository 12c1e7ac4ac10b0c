/**
 * Claims on replicas: an instance of an endpoint pool has no machine of its own but a claim on one replica of the pool's deployment.
 *
 * A claim is the create of an instance (`CreateIntent`): it is written once, money is reserved with it, and it ends when the instance gives it
 * up. The deployment is scaled to the number of claims by the pool; which replica is whose is nobody's business.
 */
import type { CreateOutcome, Intent } from '../../../domain/fleet/instance-life/types.ts';
import type { ProviderErrorInfo } from '../../../domain/fleet/provider/provider-errors.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { RankedOffer } from '../../../domain/fleet/selection/ladder.ts';
import { offerKey, parseOfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { CreateIntent, FleetInstance, PrismaClient } from '../../../generated/prisma/client.ts';
import type { CreateDependencies, CreateInput } from '../instance/create.ts';
import { recordIntent, settleIntent } from '../instance/create-intent.ts';
import { answerOf } from '../instance/provider-answer.ts';
import { marketOf, type Endpoints } from './endpoints.ts';

/** A claim with the instance that has it. */
export type Claim = CreateIntent & { readonly instance: FleetInstance };

/** Id of a replica as its instance, the ledger and the reservations name it: `<booked as>/<instance>/<attempt>`. */
export const replicaId = ({ id, offer }: Pick<Intent, 'id' | 'offer'>): string =>
  `${parseOfferKey(offer).provider}/${id}`;

/** The claim that an id names; null = it names none of this booking. */
export const claimIdOf = (bookedAs: string, id: string): string | null =>
  id.startsWith(`${bookedAs}/`) ? id.slice(bookedAs.length + 1) : null;

/** Claims that have not ended, the oldest first; of one pool or of all. */
export function liveClaims(db: PrismaClient, bookedAs: string, pool?: string): Promise<Claim[]> {
  return db.createIntent.findMany({
    where: {
      offerKey: { startsWith: `${bookedAs}/` },
      state: { in: ['created', 'unknown'] },
      instance: { endedAt: null, ...(pool === undefined ? {} : { pool }) },
    },
    include: { instance: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/** Claims of a pool that have not ended, those that are being made included. */
export function countOpenClaims(db: PrismaClient, bookedAs: string, pool: string): Promise<number> {
  return db.createIntent.count({
    where: {
      offerKey: { startsWith: `${bookedAs}/` },
      state: { in: ['creating', 'created', 'unknown'] },
      instance: { endedAt: null, pool },
    },
  });
}

/** Claims a replica: money first, then it counts. Repeating it claims nothing more. */
export async function claimReplica(
  { db, selection, budget, log }: Pick<CreateDependencies, 'db' | 'selection' | 'budget' | 'log'>,
  input: CreateInput,
): Promise<CreateOutcome> {
  const { instance, intent, pool } = input;
  const known = await recordIntent(
    db,
    instance,
    intent,
    (tx) => selection.mayLaunch(intent.offer, pool, tx),
    async (tx) => (await budget?.reserve(tx, input)) ?? null,
  );
  if (known !== null) return known;
  const providerId = replicaId(intent);
  const outcome = { kind: 'created', providerId, adopted: false, priceUsdPerHour: null } as const;
  await settleIntent(db, intent, outcome);
  log.info({ instance, offer: intent.offer, replica: providerId }, 'a replica is claimed');
  return outcome;
}

/** Gives a claim up. Repeating it changes nothing. */
export async function releaseReplica(db: PrismaClient, claimId: string): Promise<void> {
  await db.createIntent.updateMany({
    where: { id: claimId, state: { in: ['creating', 'created', 'unknown'] } },
    data: { state: 'gone', settledAt: new Date() },
  });
}

/** The one offer of an endpoint pool: a replica at the provider's price. */
export async function rankReplica(
  endpoints: Endpoints,
  pool: PoolConfig,
): Promise<{
  readonly offers: readonly RankedOffer[];
  readonly error: ProviderErrorInfo | null;
  readonly message?: string;
}> {
  const { compute = '', computeSize = 1 } = pool.endpoint?.deployment ?? {};
  const { value: price, error } = await answerOf(() => endpoints.scaler(pool).priceUsdPerHour());
  if (error !== null) return { offers: [], error };
  if (price === null) {
    const message = `no replica with ${computeSize} ${compute} is sold; correct "compute" of pool ${pool.name}`;
    return { offers: [], error: { errorClass: 'config', message } };
  }
  const cap = pool.maxPriceUsdPerHour;
  if (cap !== null && price > cap)
    return {
      offers: [],
      error: null,
      message: `a replica costs $${price.toFixed(3)} an hour, the cap is $${cap.toFixed(3)}`,
    };
  const offer = {
    provider: endpoints.bookedAs(pool),
    location: 'any',
    instanceType: `${computeSize}x${compute}`,
    market: marketOf(pool),
  };
  const facts = {
    tier: null,
    gpuModel: compute,
    gpuCount: computeSize,
    vramGib: 0,
    available: null,
    usdPerSlide: null,
  };
  return {
    offers: [
      {
        ...offer,
        ...facts,
        key: offerKey(offer),
        priceUsdPerHour: price,
        rank: 1,
        refusal: null,
        reason: 'a replica of the deployment of its pool',
        nextTryAtMs: null,
      },
    ],
    error: null,
  };
}
