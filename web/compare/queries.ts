/** Reads of a comparison: the report of each review, its deck, and what people said about it. */
import { queryOptions, useQueries } from '@tanstack/react-query';
import { withJudgements } from '../../domain/decks/verdicts/judgement.ts';
import { currentVerdicts, withVerdicts } from '../../domain/decks/verdicts/overlay.ts';
import { deckQuery } from '../decks/queries.ts';
import { api, RequestError } from '../request.ts';
import { verdictsQuery } from '../review/queries.ts';
import { isUnfinished, type LoadedReview } from './model.ts';

const UNFINISHED_STEP_MS = 5000;

/** The report of a review; one that is not finished is read again. */
const reportQuery = (analysisId: string) =>
  queryOptions({
    queryKey: ['report', analysisId],
    queryFn: ({ signal }) =>
      api.GET('/analyses/{id}/report', { params: { path: { id: analysisId }, query: { format: 'json' } }, signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isUnfinished(state.data) ? UNFINISHED_STEP_MS : false),
  });

/** What differs between two analyses, value by value. */
export const comparisonQuery = (a: string, b: string) =>
  queryOptions({
    queryKey: ['comparison', a, b],
    queryFn: ({ signal }) =>
      api.GET('/analyses/{a}/compare/{b}', {
        params: { path: { a, b }, query: { format: 'json', anyDeck: 'true' } },
        signal,
      }),
  });

/** The reviews of a comparison as far as they are read. */
export interface LoadedReviews {
  readonly reviews: readonly LoadedReview[];
  /** Ids that no review has any more. */
  readonly gone: readonly string[];
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

const isGone = (error: Error | null): boolean => error instanceof RequestError && error.status === 404;

/** Reads the reviews with these ids. */
export function useReviews(ids: readonly string[]): LoadedReviews {
  const reports = useQueries({ queries: ids.map((id) => reportQuery(id)) });
  const found = reports.flatMap(({ data }) => data ?? []);
  const decks = useQueries({ queries: found.map(({ deck }) => deckQuery(deck.id)) });
  const verdicts = useQueries({ queries: found.map(({ deck }) => verdictsQuery(deck.id)) });
  const reviews = found.flatMap((report, index): LoadedReview[] => {
    const [deck, history] = [decks[index]?.data, verdicts[index]?.data];
    if (deck === undefined || history === undefined) return [];
    const held = currentVerdicts(history);
    return [{ report: withJudgements(report, held), deck, judged: withVerdicts(report, held) }];
  });
  const others = [...decks, ...verdicts];
  // What was read before stays while it cannot be read again.
  const failed = [...reports.filter(({ error }) => !isGone(error)), ...others].find(
    ({ error, data }) => error !== null && data === undefined,
  );
  return {
    reviews,
    gone: ids.filter((_, index) => isGone(reports[index]?.error ?? null)),
    isLoading: [...reports, ...others].some(({ isPending }) => isPending),
    error: failed?.error ?? null,
    retry: () => {
      for (const query of [...reports, ...others]) if (query.error !== null) void query.refetch();
    },
  };
}
