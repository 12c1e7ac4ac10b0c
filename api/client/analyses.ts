/** Analyses: starting, finding and steering them. */
import type { Language, ModelProfile, TaskType } from '../../domain/models/model-tasks.ts';
import type { AnalysisStatusDocument, AnalysisSummary } from '../decks/analyses/schemas.ts';
import { asJson, queryString, type Transport } from './transport.ts';

/** Choices of a run; what is left out is the server's default. */
export interface StartOptions {
  readonly language?: Language;
  readonly template?: string;
  readonly models?: ModelProfile;
  readonly priority?: number;
  /** The same key starts the same analysis once. */
  readonly idempotencyKey?: string;
  /** One task type alone instead of the full review. */
  readonly taskType?: TaskType;
}

/** Ids that fit into one address. */
const IDS_AT_ONCE = 100;

const pathOf = (analysisId: string): string => `/analyses/${encodeURIComponent(analysisId)}`;

/** The calls of analyses. */
export const analysisCalls = (http: Transport) => ({
  /** Starts a review, or one task type alone. */
  startAnalysis(deckId: string, options: StartOptions = {}, signal?: AbortSignal): Promise<AnalysisSummary> {
    const { idempotencyKey, taskType, ...choices } = options;
    const deck = `/decks/${encodeURIComponent(deckId)}`;
    const path = taskType === undefined ? `${deck}/analyses` : `${deck}/tasks/${taskType}`;
    return http.json<AnalysisSummary>(path, { method: 'POST', ...asJson(choices, idempotencyKey), signal });
  },

  /** Every analysis of a deck, newest first. */
  async analysesOf(deckId: string, signal?: AbortSignal): Promise<AnalysisSummary[]> {
    const all: AnalysisSummary[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await http.json<{ readonly items: readonly AnalysisSummary[]; readonly nextCursor: string | null }>(
        `/analyses${queryString({ deck: deckId, limit: 200, cursor })}`,
        { signal },
      );
      all.push(...page.items);
      if (page.nextCursor === null) return all;
      cursor = page.nextCursor;
    }
  },

  /** The analyses of these ids; those that do not exist are left out. */
  async analysesById(ids: readonly string[], signal?: AbortSignal): Promise<AnalysisSummary[]> {
    const found: AnalysisSummary[] = [];
    for (let i = 0; i < ids.length; i += IDS_AT_ONCE) {
      const part = ids.slice(i, i + IDS_AT_ONCE);
      const query = queryString({ ids: part, limit: IDS_AT_ONCE });
      const page = await http.json<{ items: AnalysisSummary[] }>(`/analyses${query}`, { signal });
      found.push(...page.items);
    }
    return found;
  },

  /** How far an analysis is. @throws DeckhandError `not_found` */
  status(analysisId: string, signal?: AbortSignal): Promise<AnalysisStatusDocument> {
    return http.json<AnalysisStatusDocument>(pathOf(analysisId), { signal });
  },

  /** Asks a run to stop. @throws DeckhandError `conflict` when it is over */
  cancel(analysisId: string, signal?: AbortSignal): Promise<AnalysisSummary> {
    return http.json<AnalysisSummary>(`${pathOf(analysisId)}/cancel`, { method: 'POST', signal });
  },

  /** Holds a run, or lets it go on. @throws DeckhandError `conflict` when it is over */
  hold(analysisId: string, request: 'pause' | 'resume', signal?: AbortSignal): Promise<AnalysisSummary> {
    return http.json<AnalysisSummary>(`${pathOf(analysisId)}/${request}`, { method: 'POST', signal });
  },

  /** Gives a run another priority, 1 (critical) … 5 (batch). @throws DeckhandError `conflict` when it is over */
  prioritise(analysisId: string, priority: number, signal?: AbortSignal): Promise<AnalysisSummary> {
    const path = `${pathOf(analysisId)}/priority`;
    return http.json<AnalysisSummary>(path, { method: 'POST', ...asJson({ priority }), signal });
  },

  /**
   * Tries what failed of one slide or question again. Of a finished analysis this starts a replay, which is returned.
   *
   * @throws DeckhandError `conflict` when nothing of it has failed
   */
  retry(
    analysisId: string,
    item: { readonly slide: number } | { readonly question: string },
    signal?: AbortSignal,
  ): Promise<AnalysisSummary> {
    return http.json<AnalysisSummary>(`${pathOf(analysisId)}/retry`, { method: 'POST', ...asJson(item), signal });
  },
});
