/** Reads of one review. All of them begin with the key of their deck, so that an event of the deck reads them again. */
import { queryOptions } from '@tanstack/react-query';
import type { SlideListDocument } from '../../api/decks/files/schemas.ts';
import { KEYS } from '../live/cache.ts';
import { api } from '../request.ts';

/** A slide with the addresses of its images. */
export type SlideFile = SlideListDocument['items'][number];

/** The report of an analysis. */
export const reportQuery = (deckId: string, analysisId: string) =>
  queryOptions({
    queryKey: [...KEYS.ofDeck(deckId), 'report', analysisId],
    queryFn: ({ signal }) =>
      api.GET('/analyses/{id}/report', { params: { path: { id: analysisId }, query: { format: 'json' } }, signal }),
  });

/** Where an analysis stands: why it waits, and how many sends were lost. */
export const statusQuery = (deckId: string, analysisId: string) =>
  queryOptions({
    queryKey: [...KEYS.ofDeck(deckId), 'status', analysisId],
    queryFn: ({ signal }) => api.GET('/analyses/{id}', { params: { path: { id: analysisId } }, signal }),
  });

/** Everything that people said about a deck, oldest first. */
export const verdictsQuery = (deckId: string) =>
  queryOptions({
    queryKey: [...KEYS.ofDeck(deckId), 'verdicts'],
    queryFn: async ({ signal }) =>
      (await api.GET('/decks/{id}/verdicts', { params: { path: { id: deckId } }, signal })).items,
  });

/** The slides of a deck that are drawn so far. */
export const slidesQuery = (deckId: string) =>
  queryOptions({
    queryKey: [...KEYS.ofDeck(deckId), 'slides'],
    queryFn: async ({ signal }) =>
      (await api.GET('/decks/{id}/slides', { params: { path: { id: deckId } }, signal })).items,
  });

/** The words of a slide with their places. */
export const slideWordsQuery = (deckId: string, slide: number) =>
  queryOptions({
    queryKey: [...KEYS.ofDeck(deckId), 'words', slide],
    queryFn: ({ signal }) =>
      api.GET('/decks/{id}/slides/{number}/words', { params: { path: { id: deckId, number: slide } }, signal }),
    staleTime: Infinity,
  });

/** The runs of a deck, newest first. */
export const runsQuery = (deckId: string) =>
  queryOptions({
    queryKey: [...KEYS.ofDeck(deckId), 'runs'],
    queryFn: async ({ signal }) =>
      (await api.GET('/analyses', { params: { query: { deck: deckId, limit: 50 } }, signal })).items,
  });

/** The decks of a company, newest first. */
export const companyDecksQuery = (companyId: string) =>
  queryOptions({
    queryKey: [...KEYS.overview, 'decks-of-company', companyId],
    queryFn: async ({ signal }) =>
      (await api.GET('/decks', { params: { query: { company: companyId, sort: '-created', limit: 50 } }, signal }))
        .items,
  });
