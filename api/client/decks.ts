/** Decks: uploading and deleting them. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { DeckhandError } from '../../domain/errors.ts';
import type { DeckDocument, DeletionDocument } from '../decks/schemas.ts';
import type { Transport } from './transport.ts';

/** The calls of decks. */
export const deckCalls = (http: Transport) => ({
  /** Uploads a PDF from disk. The same file is the same deck. */
  async uploadDeck(path: string, signal?: AbortSignal): Promise<DeckDocument> {
    const form = new FormData();
    let file: Blob;
    try {
      file = await openAsBlob(path, { type: 'application/pdf' });
    } catch (error) {
      throw new DeckhandError('not_found', `cannot open ${path}`, {
        userMessage: `There is no file ${path} that can be read.`,
        cause: error,
      });
    }
    form.set('file', file, basename(path));
    return http.json<DeckDocument>('/decks', { method: 'POST', body: form, signal });
  },

  /** One deck. @throws DeckhandError `not_found` */
  deck(deckId: string, signal?: AbortSignal): Promise<DeckDocument> {
    return http.json<DeckDocument>(`/decks/${encodeURIComponent(deckId)}`, { signal });
  },

  /** Has a deck deleted with everything of it. Asking again changes nothing. @throws DeckhandError `not_found` */
  deleteDeck(deckId: string, signal?: AbortSignal): Promise<DeletionDocument> {
    return http.json<DeletionDocument>(`/decks/${encodeURIComponent(deckId)}`, { method: 'DELETE', signal });
  },

  /** How far a deletion is. @throws DeckhandError `not_found` when the deck is not, and was not lately, being deleted */
  deletion(deckId: string, signal?: AbortSignal): Promise<DeletionDocument> {
    return http.json<DeletionDocument>(`/decks/${encodeURIComponent(deckId)}/deletion`, { signal });
  },
});
