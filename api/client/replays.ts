/** Replays: one, many, and what they would compute. */
import type { z } from 'zod';
import { replayPlanSchema, type ReplayPlan } from '../../domain/decks/replay/plan.ts';
import type { AnalysisSummary } from '../decks/analyses/schemas.ts';
import type { bulkBodySchema, ReplayBatch, replayBodySchema } from '../decks/replays/schemas.ts';
import { asJson, type Transport } from './transport.ts';

/** Choices of a replay; what is left out is that of the analysis. */
export type ReplayOptions = Omit<z.input<typeof replayBodySchema>, 'dryRun'> & {
  /** The same key starts the same replay once. */
  readonly idempotencyKey?: string;
};
type BulkReplayOptions = z.input<typeof bulkBodySchema>;

const pathOf = (analysisId: string): string => `/analyses/${encodeURIComponent(analysisId)}/replay`;

/** The calls of replays. */
export const replayCalls = (http: Transport) => ({
  /** Starts a replay of a finished analysis. @throws DeckhandError `conflict` while it runs */
  replay(analysisId: string, options: ReplayOptions = {}, signal?: AbortSignal): Promise<AnalysisSummary> {
    const { idempotencyKey, ...choices } = options;
    return http.json<AnalysisSummary>(pathOf(analysisId), {
      method: 'POST',
      ...asJson(choices, idempotencyKey),
      signal,
    });
  },

  /** What a replay would compute, as a checked document; starts nothing. */
  async planReplay(analysisId: string, options: ReplayOptions = {}, signal?: AbortSignal): Promise<ReplayPlan> {
    const { idempotencyKey: _, ...choices } = options;
    const body = await http.json<unknown>(pathOf(analysisId), {
      method: 'POST',
      ...asJson({ ...choices, dryRun: true }),
      signal,
    });
    return replayPlanSchema.parse(body);
  },

  /** Replays what a filter finds, or says what that would be. */
  replayMany(options: BulkReplayOptions, signal?: AbortSignal): Promise<ReplayBatch> {
    return http.json<ReplayBatch>('/replays', { method: 'POST', ...asJson(options), signal });
  },
});
