/**
 * Replays of many analyses. Each is started under a key made of the analysis and the choices, so that repeating a command, after a crash or at
 * the same moment, starts nothing twice.
 */
import { randomUUID } from 'node:crypto';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { asDeckhandError, UNREADABLE_FILE_CODES, type DeckhandError, type ErrorCode } from '../../../domain/errors.ts';
import { isSameReplay, resolveReplay } from '../../../domain/decks/replay/choices.ts';
import type { ReplayChoices } from '../../../domain/decks/replay/choices.ts';
import { isFinished, type AnalysisStatus } from '../../../domain/decks/report.ts';
import { isNotStarted } from '../analyses/start.ts';
import { summaryOf } from '../analyses/status.ts';
import { type AnalysisWithDeck } from '../../../activities/decks/deck-runs.ts';
import { findDeck } from '../store.ts';
import type { ReplayBatch } from './schemas.ts';
import { planReplay, type ReplayDeps, startReplay, withOverrides } from './start.ts';

/** What is replayed, and how. */
export interface BulkReplay {
  readonly tenantId: string;
  readonly filter: {
    readonly status: readonly AnalysisStatus[];
    readonly since: Date | undefined;
    readonly deck: string | undefined;
  };
  /** Replays started at most. */
  readonly limit: number;
  /** Also what is itself a replay of these choices. */
  readonly again: boolean;
  readonly dryRun: boolean;
  readonly choices: ReplayChoices;
}

type BulkItem = ReplayBatch['items'][number];

/** Id of a replay that does not exist yet. */
const NO_ID = 'not started';
/** Rows read at a time. */
const PAGE = 100;
/** Errors of one analysis, for any choices. */
const OF_ONE_ANALYSIS: readonly ErrorCode[] = ['conflict', 'not_found'];
/** Errors of the choices, which may be right for other analyses: profiles have different models, and an analysis may have its own template. */
const OF_CHOICES: readonly ErrorCode[] = [
  'invalid_request',
  'template_missing',
  'model_not_configured',
  'model_lacks_vision',
  'model_not_ready',
];

/**
 * Replays every analysis that the filter finds. A refused one does not stop the others; every other error ends the request.
 *
 * @throws DeckhandError for choices that none of the analyses can be replayed with; `not_found` (deck); `service_unavailable`
 */
export async function replayMany(deps: ReplayDeps, bulk: BulkReplay): Promise<ReplayBatch> {
  const items: BulkItem[] = [];
  let started = 0;
  let refusedFor: DeckhandError | undefined;
  if (bulk.filter.deck !== undefined) await findDeck(deps.db, bulk.tenantId, bulk.filter.deck);
  for await (const row of matching(deps.db, bulk)) {
    if (started >= bulk.limit) return { dryRun: bulk.dryRun, items, more: true };
    const item = await replayOne(deps, bulk, row).catch((thrown: unknown) => {
      const error = asDeckhandError(thrown);
      const { code, userMessage: message } = error;
      if (OF_CHOICES.includes(code)) refusedFor ??= error;
      else if (!OF_ONE_ANALYSIS.includes(code)) throw thrown;
      return itemOf(row, 'refused', { refusal: { code, message } });
    });
    if (item.outcome === 'started' || item.outcome === 'planned') started++;
    items.push(item);
  }
  if (refusedFor !== undefined && items.every(({ outcome }) => outcome === 'refused')) throw refusedFor;
  return { dryRun: bulk.dryRun, items, more: false };
}

type Row = Awaited<ReturnType<typeof readPage>>[number];

/** Oldest first, and only those made before the request began, so that it does not replay its own replays. */
async function* matching(db: PrismaClient, { tenantId, filter }: BulkReplay): AsyncGenerator<Row, void> {
  const before = new Date();
  for (let after: string | undefined; ;) {
    const rows = await readPage(db, tenantId, filter, { before, after });
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id;
  }
}

function readPage(
  db: PrismaClient,
  tenantId: string,
  { status, since, deck }: BulkReplay['filter'],
  { before, after }: { readonly before: Date; readonly after: string | undefined },
) {
  return db.analysis.findMany({
    where: {
      tenantId,
      status: { in: [...status] },
      createdAt: { lt: before, ...(since === undefined ? {} : { gte: since }) },
      ...(deck === undefined ? {} : { deckId: deck }),
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    ...(after === undefined ? {} : { cursor: { id: after }, skip: 1 }),
    take: PAGE,
    include: { ...withOverrides, replayOf: { include: withOverrides } },
  });
}

const itemOf = (row: Row, outcome: BulkItem['outcome'], more: Partial<BulkItem> = {}): BulkItem => ({
  analysisId: row.id,
  fileName: row.deck.fileName,
  status: row.status,
  outcome,
  replay: null,
  plan: null,
  refusal: null,
  ...more,
});

/** @throws DeckhandError when this analysis cannot be replayed */
async function replayOne(deps: ReplayDeps, bulk: BulkReplay, row: Row): Promise<BulkItem> {
  const { tenantId, choices, again } = bulk;
  // The same file fails in the same way again.
  const code = UNREADABLE_FILE_CODES.find((each) => each === row.failureCode);
  if (row.status === 'failed' && code !== undefined) return itemOf(row, 'unreadable');
  if (!again && isItself(row, choices)) return itemOf(row, 'is_replay');
  const { standing, failed } = await earlierReplays(deps.db, row, choices, again);
  const there = (replay: AnalysisWithDeck): BulkItem =>
    itemOf(row, isFinished(replay.status) ? 'replayed' : 'running', { replay: summaryOf(replay) });
  if (standing !== null) return there(standing);
  // A failed replay changes the key, so that the same command tries again.
  const idempotencyKey = JSON.stringify(['bulk', canonical(choices), failed]);
  const request = { tenantId, analysisId: row.id, choices };
  if (bulk.dryRun) return itemOf(row, 'planned', { plan: await planReplay(deps, request, randomUUID()) });
  const { analysis, created } = await startReplay(deps, { ...request, idempotencyKey });
  // A parallel request with the same key was first.
  return created ? itemOf(row, 'started', { replay: summaryOf(analysis) }) : there(analysis);
}

/** True when the row is itself a replay with these choices. */
function isItself(row: Row, choices: ReplayChoices): boolean {
  const { replayOf } = row;
  if (replayOf === null) return false;
  const { kind, template } = choices;
  // These choices are refused for the original, so this is not a replay with them.
  if (kind === 'gaps' && template !== undefined && template !== replayOf.requestedTemplate) return false;
  const asked = resolveReplay(row.id, { ...replayOf, overrides: replayOf.modelOverrides }, choices);
  return isSameReplay({ ...row, overrides: row.modelOverrides }, asked, row.id);
}

/** The existing replay with the same choices, and how many of them failed or were cancelled. */
async function earlierReplays(
  db: PrismaClient,
  row: Row,
  choices: ReplayChoices,
  again: boolean,
): Promise<{ readonly standing: AnalysisWithDeck | null; readonly failed: number }> {
  const replays = await db.analysis.findMany({
    where: { replayOfId: row.id },
    orderBy: { createdAt: 'desc' },
    include: withOverrides,
  });
  const asked = resolveReplay(NO_ID, { ...row, overrides: row.modelOverrides }, choices);
  const same = replays.filter((r) => isSameReplay({ ...r, overrides: r.modelOverrides }, asked, NO_ID));
  const hasNoResult = (r: AnalysisWithDeck): boolean => r.status === 'failed' || r.status === 'cancelled';
  const standing = same.find((r) => (again ? !isNotStarted(r) : !hasNoResult(r))) ?? null;
  return { standing, failed: same.filter((r) => hasNoResult(r) && !isNotStarted(r)).length };
}

/** The same text for the same choices. */
const canonical = ({ models, ...rest }: ReplayChoices): string =>
  JSON.stringify({ ...rest, models: Object.entries(models).toSorted(([a], [b]) => a.localeCompare(b)) });
