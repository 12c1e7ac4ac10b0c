/** What people say about decks, how that differs from what the machine says, and the companies that decks are of. */
import type { HumanVerdict, NewVerdict } from '../../domain/decks/verdicts/human-verdict.ts';
import type { CalibrationDocument } from '../calibration/schemas.ts';
import type { CompanyDetails, CompanyDocument, CompanyPage, DeckCompany } from '../companies/schemas.ts';
import type { PersonDocument } from '../people/schemas.ts';
import { path, type Transport } from './transport.ts';

/** The calls of verdicts and companies. */
export const verdictCalls = (http: Transport) => ({
  /** What people said about a deck, oldest first. @throws DeckhandError `not_found` */
  verdicts: (deckId: string, signal?: AbortSignal) =>
    http.items<HumanVerdict>(path`/decks/${deckId}/verdicts`, { signal }),

  /** Says something about a deck. @throws DeckhandError `not_found`, `conflict` while it is being deleted, `invalid_request` */
  addVerdict: (deckId: string, body: NewVerdict, signal?: AbortSignal) =>
    http.json<HumanVerdict>('POST', path`/decks/${deckId}/verdicts`, { body, signal }),

  /** Names that a deck can be assigned to. */
  people: (signal?: AbortSignal) => http.items<PersonDocument>('/people', { signal }),

  /** Where people and the machine differ. */
  calibration: (query: { readonly since?: string; readonly author?: string } = {}, signal?: AbortSignal) =>
    http.json<CalibrationDocument>('GET', '/calibration', { query, signal }),

  /** A page of companies, in alphabetical order. */
  companies: (
    query: { readonly q?: string; readonly limit?: number; readonly cursor?: string } = {},
    signal?: AbortSignal,
  ) => http.json<CompanyPage>('GET', '/companies', { query, signal }),

  /** One company with its decks. @throws DeckhandError `not_found` */
  company: (id: string, signal?: AbortSignal) => http.json<CompanyDetails>('GET', path`/companies/${id}`, { signal }),

  /** Names a company. @throws DeckhandError `not_found`, `invalid_request` */
  nameCompany: (id: string, name: string, signal?: AbortSignal) =>
    http.json<CompanyDocument>('PATCH', path`/companies/${id}`, { body: { name }, signal }),

  /** Merges a company into another. Doing it again changes nothing. @throws DeckhandError `not_found` */
  mergeCompanies: (into: string, from: string, signal?: AbortSignal) =>
    http.json<CompanyDocument>('POST', path`/companies/${into}/merge`, { body: { from }, signal }),

  /** Puts a deck to a company, or to a new one by its name. @throws DeckhandError `not_found`, `conflict`, `invalid_request` */
  putDeck: (deckId: string, body: DeckCompany, signal?: AbortSignal) =>
    http.json<CompanyDocument>('PUT', path`/decks/${deckId}/company`, { body, signal }),
});
