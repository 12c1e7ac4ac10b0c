/**
 * Replays of many analyses. Each is started under a key made of the analysis and the choices, so that repeating a command, after a crash or at
 * the same moment, starts nothing twice.
 */
import { randomUUID } from 'node:crypto';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { asDeckhandError, type ErrorCode } from '../../domain/errors.ts';
import { isSameReplay, resolveReplay } from '../../domain/replay/choices.ts';
import type { ReplayChoices } from '../../domain/replay/choices.ts';
import { isFinished, type AnalysisStatus } from '../../domain/report.ts';
import { isNotStarted } from '../analyses/start.ts';
import { summaryOf, type AnalysisWithDeck } from '../analyses/status.ts';
import type { StartDeps } from '../analyses/workflow.ts';
import type { ApiDeps } from '../context.ts';
import type { ReplayBatch } from './schemas.ts';
import { planReplay, startReplay, withOverrides } from './start.ts';

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

/** Stands for the replay that is not there yet. */
const NO_ID = 'not started';
/** Rows read at a time. */
const PAGE = 100;
/** What is wrong with one analysis only; anything else ends the command. */
const OF_ONE_ANALYSIS: readonly ErrorCode[] = ['conflict', 'not_found'];

/** @throws DeckhandError for choices that no analysis can be replayed with; `service_unavailable` */
export async function replayMany(deps: StartDeps & Pick<ApiDeps, 'log'>, bulk: BulkReplay): Promise<ReplayBatch> {
  const items: BulkItem[] = [];
  let started = 0;
  for await (const row of matching(deps.db, bulk)) {
    if (started >= bulk.limit) return { dryRun: bulk.dryRun, items, more: true };
    const item = await replayOne(deps, bulk, row);
    if (item.outcome === 'started' || item.outcome === 'planned') started++;
    items.push(item);
  }
  return { dryRun: bulk.dryRun, items, more: false };
}

type Row = Awaited<ReturnType<typeof readPage>>[number];

/** Oldest first, and nothing that was made after the command began: its own replays are no work of it. */
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

async function replayOne(deps: StartDeps & Pick<ApiDeps, 'log'>, bulk: BulkReplay, row: Row): Promise<BulkItem> {
  const item = (outcome: BulkItem['outcome'], more: Partial<BulkItem> = {}): BulkItem => ({
    analysisId: row.id,
    fileName: row.deck.fileName,
    status: row.status,
    outcome,
    replay: null,
    plan: null,
    refusal: null,
    ...more,
  });
  const { tenantId, choices, again } = bulk;
  if (!again && isItself(row, choices)) return item('is_replay');
  const { standing, failed } = await earlierReplays(deps.db, row, choices, again);
  if (standing !== null) {
    return item(isFinished(standing.status) ? 'replayed' : 'running', { replay: summaryOf(standing) });
  }
  // Another try after each that failed: until it does, the same command finds the same key.
  const idempotencyKey = JSON.stringify(['bulk', canonical(choices), failed]);
  const request = { tenantId, analysisId: row.id, choices };
  try {
    if (bulk.dryRun) {
      const plan = await planReplay(deps.db, request, randomUUID());
      return item('planned', { plan });
    }
    const { analysis } = await startReplay(deps, { ...request, idempotencyKey });
    return item('started', { replay: summaryOf(analysis) });
  } catch (thrown) {
    const { code, userMessage: message } = asDeckhandError(thrown);
    if (!OF_ONE_ANALYSIS.includes(code)) throw thrown;
    return item('refused', { refusal: { code, message } });
  }
}

/** True when the row is what these choices made of another one. */
function isItself(row: Row, choices: ReplayChoices): boolean {
  const { replayOf } = row;
  if (replayOf === null) return false;
  const asked = resolveReplay(row.id, { ...replayOf, overrides: replayOf.modelOverrides }, choices);
  return isSameReplay({ ...row, overrides: row.modelOverrides }, asked, row.id);
}

/** The replay of the same choices that makes another one needless, and how many came to nothing. */
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
  const cameToNothing = (r: AnalysisWithDeck): boolean => r.status === 'failed' || r.status === 'cancelled';
  const standing = same.find((r) => (again ? !isNotStarted(r) : !cameToNothing(r))) ?? null;
  return { standing, failed: same.filter((r) => cameToNothing(r) && !isNotStarted(r)).length };
}

/** The same text for the same choices. */
const canonical = ({ models, ...rest }: ReplayChoices): string =>
  JSON.stringify({ ...rest, models: Object.entries(models).toSorted(([a], [b]) => a.localeCompare(b)) });
