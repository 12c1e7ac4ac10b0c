/** Status of an analysis: its row and its progress. */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import { LANGUAGES, TASK_TYPES } from '../../../domain/models/model-tasks.ts';
import { STAGES } from '../../../domain/decks/stage-graph.ts';
import { REPLAY_KINDS } from '../../../domain/decks/replay/choices.ts';
import { roundedSeconds } from '../../../domain/decks/expected-time.ts';
import { isFinished } from '../../../domain/decks/report.ts';
import type { ApiDeps } from '../../deps.ts';
import { withDeck, type AnalysisWithDeck } from '../../../activities/decks/deck-runs.ts';
import { rolloutOf } from '../../../domain/rollouts/assignment.ts';
import { memberOf } from '../../../domain/text/member-of.ts';
import { progressFromDatabase, progressFromWorkflow } from './progress.ts';
import { type AnalysisStatusDocument, type AnalysisSummary, analysisSummarySchema } from './schemas.ts';
import { failureOf } from '../store.ts';
import { documentOf } from '../../http/definition.ts';
import { loadFleet } from '../../../clouds/fleet-file.ts';
import { recentOutlooks, type Outlook } from '../../../activities/decks/line/outlook.ts';
import { waitingFor } from '../../../activities/decks/waiting/waiting.ts';

/** A row as lists show it. */
export const summaryOf = (row: AnalysisWithDeck): AnalysisSummary =>
  documentOf(analysisSummarySchema, {
    ...row,
    analysisId: row.id,
    fileName: row.deck.fileName,
    taskType: memberOf(TASK_TYPES, row.taskType),
    language: memberOf(LANGUAGES, row.language) ?? 'en',
    models: row.modelProfile,
    template: row.requestedTemplate,
    stage: memberOf(STAGES, row.stage),
    failure: failureOf(row),
    replayOf: row.replayOfId,
    replayKind: memberOf(REPLAY_KINDS, row.replayKind),
    rollout: rolloutOf(row),
  });

/**
 * The row of an analysis.
 *
 * @throws DeckhandError `not_found`, also for an analysis of another tenant
 */
export async function findAnalysis(db: PrismaClient, tenantId: string, analysisId: string): Promise<AnalysisWithDeck> {
  const row = await db.analysis.findFirst({ where: { id: analysisId, tenantId }, include: withDeck });
  if (row === null) throw noAnalysis(analysisId);
  return row;
}

/** The refusal of an id that no analysis has. */
export const noAnalysis = (analysisId: string): DeckhandError =>
  new DeckhandError('not_found', `no analysis ${analysisId}`, { userMessage: 'There is no such analysis.' });

/** Status with progress: from the workflow while it runs, else from the database. @throws DeckhandError `not_found` */
export async function loadStatus(
  { db, temporal, log, config }: Pick<ApiDeps, 'db' | 'temporal' | 'log' | 'config'>,
  tenantId: string,
  analysisId: string,
): Promise<AnalysisStatusDocument> {
  const row = await findAnalysis(db, tenantId, analysisId);
  const asked = isFinished(row.status) ? null : await progressFromWorkflow(temporal, row.workflowId, log);
  const outlook = isFinished(row.status) ? undefined : (await recentOutlooks(db, tenantId)).get(analysisId);
  const expected = outlook === undefined ? null : expectedOf(outlook);
  const sends = await sendsOf(db, analysisId);
  if (asked !== null) {
    const timezone = (): string => loadFleet(config).accounting.timezone;
    // The run knows its stage first; the row follows.
    const progress = {
      ...asked,
      // A paused run waits for an operator.
      waitingFor: asked.paused
        ? null
        : (asked.waitingFor ?? (await waitingFor({ temporal, db, log, timezone }, row.workflowId, outlook ?? null))),
    };
    return { ...summaryOf(row), stage: asked.stage, progress, progressSource: 'workflow', sends, expected };
  }
  const progress = await progressFromDatabase(db, { ...row, pageCount: row.deck.pageCount });
  return { ...summaryOf(row), progress, progressSource: 'database', sends, expected };
}

async function sendsOf(db: PrismaClient, analysisId: string): Promise<AnalysisStatusDocument['sends']> {
  const { _sum } = await db.modelCall.aggregate({ where: { analysisId }, _sum: { sends: true, lostSends: true } });
  return { counted: _sum.sends ?? 0, lost: _sum.lostSends ?? 0 };
}

const expectedOf = ({
  place,
  seconds,
  readTokensPerSec,
  deck,
}: Outlook): NonNullable<AnalysisStatusDocument['expected']> => ({
  place,
  seconds: roundedSeconds(seconds),
  ownSeconds: roundedSeconds(deck.seconds),
  promptTokens: deck.promptTokens,
  readTokensPerSec,
});
