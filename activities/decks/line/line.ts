/**
 * Decides how many calls each run may have scheduled, and tells the runs.
 *
 * The decision is one look at the database, made again every second by each control process: a run that ends, fails, is paused, deleted or
 * gets another priority needs not say so. What was decided is stored before a run is told, and a run that could not be told is told by the
 * next look.
 */
import type { Client } from '@temporalio/client';
import { sharesOf, WHOLE_SHARE, withReady } from '../../../domain/decks/admission/shares.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Transaction } from '../../../platform/db.ts';
import { lockForTransaction } from '../../../platform/locks.ts';
import { SHARE_SIGNAL, type ToldShare } from '../../../contracts/decks.ts';
import { signalWorkflow } from '../deck-runs.ts';
import { columnsOf, linesOf, lineRunOf, readCallMs, readPlacedRuns, readSlots, type PlacedRun } from './read-line.ts';

/** A run that was given a share it has not been told of. */
type Untold = Pick<PlacedRun, 'id' | 'workflowId' | 'visual' | 'text' | 'version'>;

const toldShare = ({ visual, text, version }: Pick<Untold, 'visual' | 'text' | 'version'>): ToldShare => ({
  share: { 'gpu-visual': visual, 'gpu-text': text },
  version,
});

/** The line of one process. */
export class DeckLine {
  readonly #db: PrismaClient;
  #deciding: Promise<unknown> = Promise.resolve();
  #next: Promise<readonly Untold[]> | null = null;

  constructor(db: PrismaClient) {
    this.#db = db;
  }

  /** The share of a run that has announced its work: that of its place in line. Repeating it changes nothing. */
  async join({ analysisId }: { readonly analysisId: string }): Promise<ToldShare | null> {
    const run = await this.#db.analysis.findUnique({ where: { id: analysisId }, select: { tenantId: true } });
    if (run === null) return null;
    await this.#db.analysisShare.createMany({ data: [{ analysisId, ...run }], skipDuplicates: true });
    await this.#decide();
    return this.shareOf(analysisId);
  }

  /** The share that a run has now, which counts as told; null = it has not asked for its place. */
  async shareOf(analysisId: string): Promise<ToldShare | null> {
    const row = await this.#db.analysisShare.findUnique({ where: { analysisId } });
    if (row === null) return null;
    await this.#markTold([{ id: analysisId, version: row.version }]);
    return toldShare(row);
  }

  /** Decides, and tells every run whose share is another than it was told. */
  async look(temporal: Client): Promise<void> {
    const untold = await this.#decide();
    const told = await Promise.all(
      untold.map(async (run) => {
        await signalWorkflow<ToldShare>(temporal, run.workflowId, SHARE_SIGNAL, toldShare(run));
        return run;
      }),
    );
    await this.#markTold(told);
  }

  /** One decision; those who ask while one is made share the next. */
  #decide(): Promise<readonly Untold[]> {
    const decide = (): Promise<readonly Untold[]> => {
      this.#next = null;
      const decision = this.#db.$transaction((tx) => decideShares(tx, new Date()));
      this.#deciding = decision;
      return decision;
    };
    // A decision that failed has told its own callers.
    this.#next ??= this.#deciding.then(decide, decide);
    return this.#next;
  }

  async #markTold(told: readonly Pick<Untold, 'id' | 'version'>[]): Promise<void> {
    if (told.length === 0) return;
    await this.#db.$executeRaw`
      UPDATE "AnalysisShare" s SET "toldVersion" = greatest(s."toldVersion", t.version)
      FROM unnest(${told.map(({ id }) => id)}::text[], ${told.map(({ version }) => version)}::int[]) AS t(id, version)
      WHERE s."analysisId" = t.id`;
  }
}

/** Decides the shares of all lines and stores what has changed. Returns the runs that are to be told. */
export async function decideShares(tx: Transaction, now: Date): Promise<readonly Untold[]> {
  await lockForTransaction(tx, 'deck line');
  const runs = await readPlacedRuns(tx);
  if (runs.length === 0) return [];
  const slotsFor = await readSlots(tx);
  const callMs = await readCallMs(tx);
  const decided = linesOf(runs).flatMap(([key, line]) => {
    const { slots, readySinceMs } = slotsFor(key);
    const shares =
      slots === null
        ? null
        : sharesOf(
            line.map((run) => lineRunOf(run, now, readySinceMs)),
            key.priority,
            withReady(slots, callMs),
          );
    return line.map((run) => ({ ...run, ...columnsOf(shares?.get(run.id) ?? WHOLE_SHARE), was: run }));
  });
  const changed = decided.filter(({ visual, text, was }) => visual !== was.visual || text !== was.text);
  const isChanged = new Set(changed.map(({ id }) => id));
  if (changed.length > 0) await store(tx, changed);
  return decided
    .map(({ id, workflowId, visual, text, version, toldVersion }) => ({
      id,
      workflowId,
      visual,
      text,
      toldVersion,
      version: isChanged.has(id) ? version + 1 : version,
    }))
    .filter(({ version, toldVersion }) => toldVersion < version);
}

async function store(tx: Transaction, changed: readonly PlacedRun[]): Promise<void> {
  const [ids, visual, text] = [changed.map((r) => r.id), changed.map((r) => r.visual), changed.map((r) => r.text)];
  await tx.$executeRaw`
    UPDATE "AnalysisShare" s SET visual = t.visual, text = t.text, version = s.version + 1,
      "openedAt" = coalesce(s."openedAt", CASE WHEN t.visual + t.text > 0 THEN now() AT TIME ZONE 'UTC' END)
    FROM unnest(${ids}::text[], ${visual}::int[], ${text}::int[]) AS t(id, visual, text)
    WHERE s."analysisId" = t.id`;
}
