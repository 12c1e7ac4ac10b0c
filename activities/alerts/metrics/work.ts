/** Metrics of the work: what fails, and what waits. */
import { INSTALLATION, LEAST_ANALYSES, LEAST_CALLS } from '../../../domain/alerts/metrics.ts';
import { spanWords } from '../../../domain/alerts/words.ts';
import { counted, durationWords } from '../../../domain/text/words.ts';
import { ERROR_KINDS, type ErrorCode } from '../../../domain/errors.ts';
import { GPU_CLASSES } from '../../../domain/models/model-tasks.ts';
import { readDemand } from '../../fleet/pool/demand.ts';
import { percent, secondsSince, windowStart, type MetricReader } from './reader.ts';

/** Exit code of the CLI that stands for bad input: whoever sent the deck has to do something, not an operator. */
const BAD_INPUT_EXIT = 2;
const BAD_INPUT_CODES = (Object.keys(ERROR_KINDS) as ErrorCode[]).filter(
  (code) => ERROR_KINDS[code].exitCode === BAD_INPUT_EXIT,
);

interface Counts {
  readonly failed: number;
  readonly total: number;
}

/** Model calls that ended in the window, found by their analyses: of those there is an index and a bounded number. */
export const readCallFailures: MetricReader = async (look) => {
  const since = windowStart(look);
  const [counts] = await look.db.$queryRaw<Counts[]>`
    SELECT count(*) FILTER (WHERE c.state = 'failed')::int AS failed, count(*)::int AS total
    FROM "Analysis" a JOIN "ModelCall" c ON c."analysisId" = a.id
    WHERE (a."finishedAt" IS NULL OR a."finishedAt" > ${since}) AND NOT c.cached
      AND c.state IN ('stored', 'failed') AND c."finishedAt" > ${since} AND c."finishedAt" <= ${look.now}`;
  return [shareOf('model calls were given up', counts, LEAST_CALLS, look.windowSec)];
};

/** Analyses that ended in the window. */
export const readAnalysisFailures: MetricReader = async (look) => {
  const since = windowStart(look);
  const [counts] = await look.db.$queryRaw<Counts[]>`
    SELECT count(*) FILTER (WHERE status = 'failed')::int AS failed, count(*)::int AS total
    FROM "Analysis"
    WHERE status IN ('completed', 'completed_with_gaps', 'failed') AND "finishedAt" > ${since} AND "finishedAt" <= ${look.now}
      AND ("failureCode" IS NULL OR "failureCode" <> ALL(${BAD_INPUT_CODES}))`;
  return [shareOf('analyses failed', counts, LEAST_ANALYSES, look.windowSec)];
};

function shareOf(what: string, counts: Counts | undefined, least: number, windowSec: number) {
  const { failed, total } = counts ?? { failed: 0, total: 0 };
  const value = total < least ? 0 : failed / total;
  const within = spanWords(windowSec);
  const message = `${failed} of ${total} ${what} within ${within} (${percent(total === 0 ? 0 : failed / total)}).`;
  return { subject: INSTALLATION, value, message };
}

/** The oldest open call of each class. */
export const readBacklogAge: MetricReader = ({ db, now }) =>
  Promise.all(
    GPU_CLASSES.map(async (gpuClass) => {
      const { oldestAgeMs, openCalls } = await readDemand(db, [gpuClass], now);
      const ageMs = oldestAgeMs ?? 0;
      const message =
        openCalls === 0
          ? `No call waits for ${gpuClass}.`
          : `The oldest of ${counted(openCalls, 'open call')} for ${gpuClass} has waited for ${durationWords(ageMs)}.`;
      return { subject: gpuClass, value: ageMs / 1000, message };
    }),
  );

interface LastMove {
  readonly id: string;
  readonly stage: string | null;
  readonly movedAt: Date;
  readonly underWay: number;
}

/**
 * The analysis that has stood still for longest. A move is a page that was drawn, a call that was planned or has ended, or the start: a stage
 * begins with calls that are planned, and those of a run that was paused count from when it goes on.
 */
export const readStillAnalyses: MetricReader = async ({ db, now }) => {
  const [still] = await db.$queryRaw<LastMove[]>`
    SELECT a.id, a.stage, greatest(a."createdAt", a."startedAt", calls.at, pages.at) AS "movedAt",
           count(*) OVER ()::int AS "underWay"
    FROM "Analysis" a
    CROSS JOIN LATERAL (SELECT greatest(max(c."createdAt"), max(c."finishedAt")) AS at
                        FROM "ModelCall" c WHERE c."analysisId" = a.id) calls
    CROSS JOIN LATERAL (SELECT max(s."createdAt") AS at FROM "Slide" s WHERE s."deckId" = a."deckId") pages
    WHERE a.status IN ('queued', 'running') AND a."pausedAt" IS NULL
    ORDER BY "movedAt" LIMIT 1`;
  if (still === undefined) return [{ subject: INSTALLATION, value: 0, message: 'No analysis is under way.' }];
  const { id, stage, movedAt, underWay } = still;
  const value = secondsSince(movedAt, now);
  const where = stage === null ? 'has not begun' : `is at stage ${stage}`;
  const message = `Nothing of analysis ${id} has moved for ${durationWords(value * 1000)}; it ${where}. Analyses under way: ${underWay}.`;
  return [{ subject: INSTALLATION, value, message }];
};
