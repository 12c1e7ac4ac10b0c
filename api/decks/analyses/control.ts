/**
 * Changes a running analysis. The API only signals the run; the run updates its row, so that both soon agree.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import { isFinished } from '../../../domain/decks/report.ts';
import {
  PAUSE_SIGNAL,
  PRIORITY_SIGNAL,
  RESUME_SIGNAL,
  RETRY_SIGNAL,
  type Held,
  type ItemRetry,
  type PriorityChange,
} from '../../../contracts/decks.ts';
import { checkItems, gapItemsOf, questionIdOf, type ReplayItem } from '../replays/items.ts';
import { type ReplayDeps, startReplay } from '../replays/start.ts';
import type { ApiDeps } from '../../deps.ts';
import { findAnalysis } from './status.ts';
import { type AnalysisWithDeck } from '../../../activities/decks/deck-runs.ts';
import { signalWorkflow } from '../../../activities/decks/deck-runs.ts';

type ControlDeps = Pick<ApiDeps, 'db' | 'temporal'>;

/** A row, and whether the request changed something. */
export interface Told {
  readonly analysis: AnalysisWithDeck;
  /** False when the row had the wanted state already. */
  readonly asked: boolean;
}

/** Pauses a run. @throws DeckhandError `not_found`, `conflict` when it is finished, `service_unavailable` */
export async function holdRun(deps: ControlDeps, tenantId: string, id: string): Promise<Told> {
  const row = await openAnalysis(deps, tenantId, id);
  return { analysis: await tell<Held>(deps, row, PAUSE_SIGNAL, { by: 'api' }), asked: row.pausedAt === null };
}

/** Resumes a paused run. @throws DeckhandError as {@link holdRun} */
export async function releaseRun(deps: ControlDeps, tenantId: string, id: string): Promise<Told> {
  const row = await openAnalysis(deps, tenantId, id);
  return { analysis: await tell<Held>(deps, row, RESUME_SIGNAL, { by: 'api' }), asked: row.pausedAt !== null };
}

/** Gives a run another priority. @throws DeckhandError as {@link holdRun} */
export async function changePriority(deps: ControlDeps, tenantId: string, id: string, priority: number): Promise<Told> {
  const row = await openAnalysis(deps, tenantId, id);
  const analysis = await tell<PriorityChange>(deps, row, PRIORITY_SIGNAL, { priority });
  return { analysis, asked: row.priority !== priority };
}

/**
 * Retries what failed of one slide or question: in the run while it runs, else in a replay that fills only these gaps.
 *
 * @returns The analysis, or the replay of a finished one
 * @throws DeckhandError `not_found` (analysis, question), `conflict` when nothing of it has failed, `service_unavailable`
 */
export async function retryItem(
  deps: ReplayDeps,
  tenantId: string,
  id: string,
  item: ReplayItem,
): Promise<AnalysisWithDeck> {
  const { db, temporal } = deps;
  const row = await findAnalysis(db, tenantId, id);
  const items = await gapItemsOf(db, tenantId, id, [item]);
  await checkItems(db, id, items);
  if (!isFinished(row.status)) {
    const retry: ItemRetry =
      'slide' in item
        ? { slide: item.slide, questionId: null }
        : { slide: null, questionId: await questionIdOf(db, tenantId, id, item.question) };
    const reached = await signalWorkflow(temporal, row.workflowId, RETRY_SIGNAL, retry);
    const present = await findAnalysis(db, tenantId, id);
    if (reached) return present;
    if (!isFinished(present.status)) throw withoutRun(present);
  }
  const choices = { kind: 'gaps', from: null, template: undefined, priority: undefined, models: {}, items } as const;
  const { analysis } = await startReplay(deps, { tenantId, analysisId: id, choices, idempotencyKey: undefined });
  return analysis;
}

async function openAnalysis({ db }: ControlDeps, tenantId: string, id: string): Promise<AnalysisWithDeck> {
  const row = await findAnalysis(db, tenantId, id);
  if (isFinished(row.status)) throw over(row);
  return row;
}

/** Signals always, also when the row has the wanted state: an earlier signal may not have reached the row yet. */
async function tell<Payload>(
  { db, temporal }: ControlDeps,
  row: AnalysisWithDeck,
  signal: string,
  payload: Payload,
): Promise<AnalysisWithDeck> {
  const reached = await signalWorkflow(temporal, row.workflowId, signal, payload);
  const present = await findAnalysis(db, row.tenantId, row.id);
  if (reached) return present;
  throw isFinished(present.status) ? over(present) : withoutRun(present);
}

const withoutRun = ({ id, status }: AnalysisWithDeck): DeckhandError =>
  new DeckhandError('conflict', `analysis ${id} is ${status} and has no run`, {
    userMessage: 'This analysis has no run at the moment.',
    hint: 'It is started or closed within a minute. Try again then.',
  });

const over = ({ id, status }: AnalysisWithDeck): DeckhandError =>
  new DeckhandError('conflict', `analysis ${id} is ${status}`, {
    userMessage: `This analysis is over (${status}).`,
    hint: `A replay uses what is stored: deckhand replay ${id}`,
  });
