/**
 * Records calls on machines for the ledger: one row from just before the request until the call releases its slot. Rows of a gateway that
 * died stay open; the ledger ends them when the machine was last seen working.
 *
 * A record that cannot be written is logged and does not fail the call; its time then counts as idle.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { ModelCall, Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import { asDeckhandError } from '../../domain/errors.ts';
import { countAttempt } from '../metrics/counting.ts';
import { retryStore } from './retry-store.ts';

/** What a call did with its slot. */
export type CallEnd =
  | { readonly kind: 'stored'; readonly loadMs: number; readonly promptTokens: number; readonly outputTokens: number }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** It was cancelled, or its machine was taken away. */
  | { readonly kind: 'cut' };

/** Where and for whom a call is made. */
export interface CallPlace {
  readonly instance: string;
  readonly deckId: string;
  readonly modelName: string;
  readonly priority: number;
}

/** One row while its call runs. */
export interface OpenAttempt {
  /** Writes the end, in the caller's time. Never throws. */
  end(end: CallEnd): Promise<void>;
}

/** See the file's header. Never throws. */
export async function beginAttempt(
  { db, log }: { readonly db: PrismaClient; readonly log: Logger },
  call: ModelCall,
  place: CallPlace,
  signal: AbortSignal,
): Promise<OpenAttempt> {
  const id = randomUUID();
  const startedAt = new Date();
  const written = async (what: string, write: () => Promise<unknown>): Promise<boolean> => {
    try {
      await retryStore(signal, write);
      return true;
    } catch (error) {
      log.error({ callId: call.id, instance: place.instance, err: error }, `the ledger misses ${what} of a model call`);
      return false;
    }
  };
  const begun = await written('the begin', () =>
    db.callAttempt.createMany({ data: [rowOf(id, call, place, startedAt)], skipDuplicates: true }),
  );
  return {
    end: async (end) => {
      const endedAt = new Date();
      const data = { endedAt, ...columnsOf(end) };
      // The row is never written again: the deck may have been deleted meanwhile, with its rows.
      if (!begun) return;
      const { instance, modelName } = place;
      const loadMs = end.kind === 'stored' ? Math.round(end.loadMs) : 0;
      const isOnSlide = call.slideNumber !== null;
      await written('the end', async () => {
        const { count } = await db.callAttempt.updateMany({ where: { id, endedAt: null }, data });
        if (count === 0) return;
        const of = { instance, modelName, task: call.task, isOnSlide, startedAt, endedAt, loadMs };
        await countAttempt(db, { ...of, outcome: end.kind });
      });
    },
  };
}

const rowOf = (
  id: string,
  call: ModelCall,
  { instance, deckId, modelName, priority }: CallPlace,
  startedAt: Date,
): Prisma.CallAttemptCreateManyInput => ({
  id,
  tenantId: call.tenantId,
  analysisId: call.analysisId,
  deckId,
  callId: call.id,
  instanceName: instance,
  task: call.task,
  modelName,
  gpuClass: call.gpuClass,
  slideNumber: call.slideNumber,
  questionId: call.questionId,
  priority,
  startedAt,
});

function columnsOf(end: CallEnd): Prisma.CallAttemptUpdateManyMutationInput {
  switch (end.kind) {
    case 'stored': {
      const { loadMs, promptTokens, outputTokens } = end;
      return { outcome: 'stored', loadMs: Math.round(loadMs), promptTokens, outputTokens };
    }
    case 'failed':
      return { outcome: 'failed', failureCode: asDeckhandError(end.error).code };
    case 'cut':
      return { outcome: 'cut' };
    default:
      return end satisfies never;
  }
}
