/** Create exactly once: intent first (if the offer may still be tried), then a list by exact host name and adoption, else one create. */
import type { Logger } from 'pino';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { CreateOutcome, Intent } from '../../../domain/fleet/instance-life/types.ts';
import { setupVersion } from '../../../domain/fleet/provider/setup-version.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { parseOfferKey, type OfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { PoolConfig } from '../../../domain/fleet/pool/pool-config.ts';
import type { BudgetCheck } from '../../costs/budget/check-create.ts';
import type { Accounts } from '../../../clouds/accounts.ts';
import { makerOf } from '../../../clouds/parts.ts';
import type { CreateInstanceRequest } from '../../../clouds/provider.ts';
import type { BootMaterial } from './boot-material.ts';
import { mayStillBeSent, recordIntent, settleIntent } from './create-intent.ts';
import { listByHostname } from './look.ts';
import { answerOf, errorInfo, isAnswer } from './provider-answer.ts';
import type { Transaction } from '../../../platform/db.ts';

/** The last look at an offer before the provider is asked: the ladder was made a while ago, and others walk theirs. */
export interface LaunchGate {
  /** Why no create may be sent on the offer now; null = it may. */
  mayLaunch(offer: OfferKey, pool: PoolConfig, db: Transaction): Promise<string | null>;
}

export interface CreateDependencies {
  readonly db: PrismaClient;
  readonly accounts: Accounts;
  /** What a first boot brings along, at the provider of this name. */
  readonly material: (provider: string) => BootMaterial;
  readonly selection: LaunchGate;
  /** Budgets; absent = there are none. */
  readonly budget?: Pick<BudgetCheck, 'reserve'>;
  readonly log: Logger;
}

/** What is to be created for whom. */
export interface CreateInput {
  readonly instance: string;
  readonly pool: PoolConfig;
  readonly intent: Intent;
}

/** See the file's header. `signal` fires when the workflow no longer waits for the answer: then nothing is sent any more. */
export async function createInstance(
  dependencies: CreateDependencies,
  input: CreateInput,
  signal: AbortSignal,
): Promise<CreateOutcome> {
  const { db, log, selection, budget } = dependencies;
  const { intent, pool } = input;
  const known = await recordIntent(
    db,
    input.instance,
    intent,
    (tx) => selection.mayLaunch(intent.offer, pool, tx),
    async (tx) => (await budget?.reserve(tx, input)) ?? null,
  );
  if (known !== null) return known;
  const outcome = await adoptOrCreate(dependencies, input, signal);
  await settleIntent(db, intent, outcome);
  log.info({ instance: input.instance, offer: intent.offer, hostname: intent.hostname, outcome }, 'create answered');
  return outcome;
}

async function adoptOrCreate(
  dependencies: CreateDependencies,
  input: CreateInput,
  signal: AbortSignal,
): Promise<CreateOutcome> {
  const material = dependencies.material(parseOfferKey(input.intent.offer).provider);
  const startedAtMs = Date.now();
  const outcome = await prepareAndSend(dependencies, input, signal);
  // Key or script may have been removed behind our back. The refusal is certain, so nothing exists and it may be sent once more.
  const stale = outcome.kind === 'refused' && outcome.error.errorClass === 'config' && input.intent.volumeId === null;
  return stale && material.forget(startedAtMs) ? prepareAndSend(dependencies, input, signal) : outcome;
}

async function prepareAndSend(
  { db, accounts, material, log }: CreateDependencies,
  { instance, pool, intent }: CreateInput,
  signal: AbortSignal,
): Promise<CreateOutcome> {
  const provider = accounts.ofOffer(intent.offer);
  const prepared = await answerOf(async () => {
    const found = await listByHostname(provider, [intent.hostname]);
    const request = await requestFor(material(provider.name), instance, pool, intent);
    const maker = makerOf(provider, request);
    return { found, request, maker, preparation: found.length > 0 ? {} : await maker.prepareCreate(request) };
  });
  // Nothing was sent yet, so whatever went wrong is a refusal.
  if (prepared.error !== null) return { kind: 'refused', error: prepared.error };
  const { found, request, maker, preparation } = prepared.value;
  const [oldest, ...others] = found;
  if (oldest !== undefined) {
    if (others.length > 0) {
      log.error(
        { instance, hostname: intent.hostname, others: others.map((o) => o.providerId) },
        'several machines under one host name; the oldest is taken',
      );
    }
    const { providerId, priceUsdPerHour } = oldest;
    return { kind: 'created', providerId, adopted: true, priceUsdPerHour };
  }
  if (signal.aborted || !(await mayStillBeSent(db, intent))) {
    return { kind: 'unknown', message: 'it came too late and was not sent' };
  }
  await noteSetup(db, instance, request);
  try {
    const providerId = await maker.createInstance(request, preparation);
    return { kind: 'created', providerId, adopted: false, priceUsdPerHour: null };
  } catch (error) {
    const info = errorInfo(error);
    if (!isAnswer(error) || info.errorClass === 'transient') return { kind: 'unknown', message: info.message };
    return { kind: 'refused', error: info };
  }
}

/** Before the create is sent: its answer may be lost, and the machine be found by its name. A wake keeps what its disk was set up with. */
async function noteSetup(db: PrismaClient, name: string, { boot }: CreateInstanceRequest): Promise<void> {
  if (boot.kind !== 'image' || boot.startupScript === null) return;
  const version = setupVersion({ script: boot.startupScript.text, image: boot.image }, sha256Hex);
  await db.fleetInstance.updateMany({ where: { name }, data: { setupVersion: version } });
}

/** A first boot brings key and script; a wake relies on nothing but the disk. */
async function requestFor(
  material: BootMaterial,
  instance: string,
  pool: PoolConfig,
  intent: Intent,
): Promise<CreateInstanceRequest> {
  const { instanceType, location, market } = parseOfferKey(intent.offer);
  return {
    hostname: intent.hostname,
    description: `Deckhand ${instance}, pool ${pool.name}`,
    instanceType,
    location,
    market,
    boot:
      intent.volumeId === null
        ? await material.firstBoot(pool, instanceType, intent.hostname)
        : { kind: 'volume', osVolumeId: intent.volumeId },
    tags: { instance, pool: pool.name, intent: intent.id },
  };
}
