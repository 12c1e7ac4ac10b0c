/** What people say about decks, and the companies that decks are of. */
import type { HumanVerdict, NewVerdict } from '../../domain/decks/verdicts/human-verdict.ts';
import { path, type Transport } from './transport.ts';

/** The calls of verdicts and companies. */
export const verdictCalls = (http: Transport) => ({
  /** What people said about a deck, oldest first. @throws DeckhandError `not_found` */
  verdicts: (deckId: string, signal?: AbortSignal) =>
    http.items<HumanVerdict>(path`/decks/${deckId}/verdicts`, { signal }),

  /** Says something about a deck. @throws DeckhandError `not_found`, `conflict` while it is being deleted, `invalid_request` */
  addVerdict: (deckId: string, body: NewVerdict, signal?: AbortSignal) =>
    http.json<HumanVerdict>('POST', path`/decks/${deckId}/verdicts`, { body, signal }),
});
