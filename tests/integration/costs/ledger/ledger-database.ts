/**
 * What a virtual life writes as it goes, in a real database: its history, its calls, and rounds of the ledger over its provider.
 */
import { Accounts } from '../../../../clouds/accounts.ts';
import { pino } from 'pino';
import { ledgerRound, type SettleReport } from '../../../../activities/costs/ledger/activities.ts';
import { storeTransitions } from '../../../../activities/fleet/instance/store-transitions.ts';
import { poolConfigSchema } from '../../../../domain/fleet/pool/pool-config.ts';
import type { PrismaClient } from '../../../../generated/prisma/client.ts';
import { rowOf } from '../../../../workflows/fleet/instance/row.ts';
import type { Attempt } from '../../../../testing/fleet/memory-ledger.ts';
import { INSTALLATION_ID } from '../../../../testing/fleet/virtual-create.ts';
import type { VirtualInstance } from '../../../../testing/fleet/virtual-instance.ts';
import { anAnalysis } from '../../../../testing/make.ts';

const POOL = poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual'] });

/** Empties everything that lives and the ledger write. */
export async function emptyLedger(db: PrismaClient): Promise<void> {
  await db.$executeRawUnsafe(
    `TRUNCATE "LedgerEntry", "Rental", "CallAttempt", "BalanceSample", "InstanceTransition", "CreateIntent", "FleetInstance", "FleetPool", "Deck" CASCADE`,
  );
}

/** Decks `deck-1` to `deck-3` with an analysis each, as the calls of planned lives name them. */
export async function storeDecks(db: PrismaClient): Promise<void> {
  for (const number of [1, 2, 3]) {
    const id = `deck-${number}`;
    const tenantId = `tenant-${number % 2}`;
    await anAnalysis(db, { id: `analysis-${number}`, tenantId, deck: { id } });
  }
}

/** Writes the history of a life as far as it is. Repeating it changes nothing. */
export async function storeHistory(db: PrismaClient, life: VirtualInstance): Promise<void> {
  const stored = await db.instanceTransition.count({ where: { instanceName: life.state.name } });
  await storeTransitions(db, {
    row: rowOf(life.state, 'datacrunch'),
    pool: POOL,
    atMs: life.ownMs,
    position: stored,
    transitions: life.transitions.slice(stored),
  });
}

/** Writes calls as their gateways would, open ones without an end. Repeating it changes nothing. */
export async function storeAttempts(db: PrismaClient, instance: string, attempts: readonly Attempt[]): Promise<void> {
  for (const attempt of attempts) {
    const { id, tenantId, deckId, analysisId, callId, task, slideNumber, fromMs, untilMs, loadMs } = attempt;
    const end = { endedAt: untilMs === null ? null : new Date(untilMs), loadMs };
    await db.callAttempt.upsert({
      where: { id },
      create: {
        id,
        tenantId,
        deckId: deckId ?? '',
        analysisId: analysisId ?? '',
        callId: callId ?? '',
        instanceName: instance,
        task,
        modelName: 'gemma3:12b',
        gpuClass: 'gpu-visual',
        slideNumber,
        priority: 3,
        startedAt: new Date(fromMs),
        ...end,
      },
      update: end,
    });
  }
}

/** Rounds of the ledger over a life's provider, at the life's time. */
export const roundsOf = (db: PrismaClient, life: VirtualInstance): (() => Promise<SettleReport>) =>
  ledgerRound({
    db,
    accounts: new Accounts([life.provider]),
    installationId: INSTALLATION_ID,
    log: pino({ level: 'silent' }),
    now: () => new Date(life.ownMs),
  });
