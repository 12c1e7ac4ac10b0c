/** The typed keys of everything that runs can be searched by, for the API and the workflows. */
import { defineSearchAttributeKey } from '@temporalio/common';
import type { SEARCH_ATTRIBUTES } from '../domain/temporal/search-attributes.ts';

const keyword = (name: (typeof SEARCH_ATTRIBUTES)[number]) => defineSearchAttributeKey(name, 'KEYWORD');

export const ATTRIBUTES = {
  tenant: keyword('Tenant'),
  deckId: keyword('DeckId'),
  analysisId: keyword('AnalysisId'),
  stage: keyword('Stage'),
  deckStatus: keyword('DeckStatus'),
  template: keyword('Template'),
  pool: keyword('Pool'),
};
