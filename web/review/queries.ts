/** Reads of one review. All of them begin with the key of their deck, so that an event of the deck reads them again. */
import { queryOptions } from '@tanstack/react-query';
import type { SlideListDocument, SlideWordsDocument } from '../../api/decks/files/schemas.ts';
import type { AnalysisSummary } from '../../api/decks/analyses/schemas.ts';
import type { DeckEntryPage } from '../../domain/decks/list/entry.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import type { HumanVerdict } from '../../domain/decks/verdicts/human-verdict.ts';
import { KEYS } from '../live/cache.ts';
import { getJson } from '../request.ts';

/** A slide with the addresses of its images. */
export type SlideFile = SlideListDocument['items'][number];

const segment = encodeURIComponent;

/** Key of the report of an analysis. */
export const reportKey = (deckId: string, analysisId: string) =>
  [...KEYS.ofDeck(deckId), 'report', analysisId] as const;

/** The report of an analysis. */
export const reportQuery = (deckId: string, analysisId: string) =>
  queryOptions({
    queryKey: reportKey(deckId, analysisId),
    queryFn: ({ signal }) =>
      getJson<AnalysisReport>(`/analyses/${segment(analysisId)}/report`, { format: 'json' }, signal),
  });

/** Key of what people said about a deck. */
export const verdictsKey = (deckId: string) => [...KEYS.ofDeck(deckId), 'verdicts'] as const;

/** Everything that people said about a deck, oldest first. */
export const verdictsQuery = (deckId: string) =>
  queryOptions({
    queryKey: verdictsKey(deckId),
    queryFn: async ({ signal }) =>
      (await getJson<{ items: HumanVerdict[] }>(`/decks/${segment(deckId)}/verdicts`, {}, signal)).items,
  });

/** The slides of a deck that are drawn so far. */
export const slidesQuery = (deckId: string) =>
  queryOptions({
    queryKey: [...KEYS.ofDeck(deckId), 'slides'],
    queryFn: async ({ signal }) =>
      (await getJson<SlideListDocument>(`/decks/${segment(deckId)}/slides`, {}, signal)).items,
  });

/** The words of a slide with their places. */
export const slideWordsQuery = (deckId: string, slide: number) =>
  queryOptions({
    queryKey: [...KEYS.ofDeck(deckId), 'words', slide],
    queryFn: ({ signal }) => getJson<SlideWordsDocument>(`/decks/${segment(deckId)}/slides/${slide}/words`, {}, signal),
    staleTime: Infinity,
  });

/** The runs of a deck, newest first. */
export const runsQuery = (deckId: string) =>
  queryOptions({
    queryKey: [...KEYS.ofDeck(deckId), 'runs'],
    queryFn: async ({ signal }) =>
      (await getJson<{ items: AnalysisSummary[] }>('/analyses', { deck: deckId, limit: 50 }, signal)).items,
  });

/** The decks of a company, newest first. */
export const companyDecksQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...KEYS.overview, 'decks-of-company', companyId],
    queryFn: async ({ signal }) =>
      (await getJson<DeckEntryPage>('/decks', { company: companyId, sort: '-created', limit: 50 }, signal)).items,
  });
