/** Decks with reviews and companies, and what people do with them over HTTP, for the tests of companies. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { finishAnalysis } from '../../../../activities/decks/stages.ts';
import type { DeckEntry } from '../../../../domain/decks/list/entry.ts';
import { aSlide } from '../../../../testing/make.ts';
import { perFile } from '../../../../testing/per-file.ts';
import { aValue } from '../list/support.ts';
import { startTestApi, type Answer } from '../support.ts';

/** The API of the test file that runs. Files share a process, and this module with it. */
export let api: Awaited<ReturnType<typeof startTestApi>>;

/** Starts an API before the tests of a file and ends it after them. Call it at the top of the file. */
export function startApiPerFile(): void {
  api = perFile(startTestApi);
}

/** A name that no other test has, in letters alone: each digit becomes a letter of its own, so that names stay different. */
export const fresh = (name = 'Acme'): string =>
  `${name} ${randomUUID()
    .slice(0, 8)
    .replaceAll(/\d/gu, (digit) => 'ghijklmnop'.charAt(Number(digit)))}`;
export const domainFor = (name: string): string => `${name.toLowerCase().replaceAll(/[^a-z]/gu, '')}.com`;

export interface Said {
  /** What the machine reads; null: it finds none. */
  readonly name?: string | null;
  /** What the last slide says. */
  readonly contact?: string;
}

/** Ends a full review of a deck that found a name. */
export async function review(deckId: string, name: string | null): Promise<string> {
  const row = await api.analysisRow({ deckId, status: 'running' });
  const status = name === null ? 'not_found' : 'found';
  await aValue(api.db, { analysisId: row.id, field: 'company_name', status, raw: name });
  await finishAnalysis(api.db, { analysisId: row.id, end: { kind: 'finished' } });
  return row.id;
}

/** A deck with a finished review. */
export async function reviewed({ name = null, contact = 'Thank you' }: Said): Promise<string> {
  const { id: deckId } = await api.deck();
  await aSlide(api.db, { deckId, number: 1, text: 'Houses of straw' });
  await aSlide(api.db, { deckId, number: 2, text: contact });
  await review(deckId, name);
  return deckId;
}

export interface Company {
  readonly id: string;
  readonly name: string;
  readonly domains: readonly string[];
  readonly deckCount: number;
  readonly newestDeck: { readonly id: string } | null;
}

export const companyOf = async (deckId: string): Promise<string | null> =>
  (await api.db.deck.findUniqueOrThrow({ where: { id: deckId } })).companyId;
export const put = (path: string, body: object, method = 'PUT'): Promise<Answer> => api.json(method, path, body);
/** The body of an answer that has to be a success. */
export function done<T>({ status, body }: Answer): T {
  expect(status, JSON.stringify(body)).toBe(200);
  return body as T;
}
export const split = async (deckId: string, name: string): Promise<Company> =>
  done(await put(`/decks/${deckId}/company`, { name }));
export const merge = async (into: string, from: string): Promise<Company> =>
  done(await api.post(`/companies/${into}/merge`, { from }));
export const show = async (id: string): Promise<Company & { readonly decks: readonly DeckEntry[] }> =>
  done(await api.call('GET', `/companies/${id}`));
export const correct = (deckId: string, text: string | null): Promise<Answer> =>
  api.post(`/decks/${deckId}/verdicts`, { kind: 'value', subject: 'value/company_name', text });
export async function mustHave(deckId: string): Promise<string> {
  const id = await companyOf(deckId);
  if (id === null) throw new Error(`deck ${deckId} has no company`);
  return id;
}
