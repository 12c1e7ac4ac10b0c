/** Documents with many decks: addresses of their downloads. */
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { apiPath } from '../../request.ts';
import type { DecksSearch } from '../search.ts';

/** Formats of a list of decks. */
export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Most decks that an address can name. */
export const MOST_IN_ADDRESS = 200;

/** Address of a document with every deck that fits, with names of columns in a language. */
export const exportOfSearch = (format: ExportFormat, search: DecksSearch, language: Language): string =>
  apiPath('/decks/export', { ...search, format, language });

/** Address of a document with these decks. */
export const exportOfDecks = (format: ExportFormat, decks: readonly DeckEntry[], language: Language): string =>
  apiPath('/decks/export', { format, language, ids: decks.map(({ id }) => id).join(',') });
