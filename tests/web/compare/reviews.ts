/** Reviews to compare: two versions of Pulsara's deck, the later one as a deck of another company, and a second run of one deck. */
import { screen } from '@testing-library/react';
import type { Comparison } from '../../../domain/decks/compare/comparison.ts';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import type { Answers } from '../support/api.ts';
import { deckNamed, documents } from '../support/documents.ts';
import { type OpenedPage, openPage, type OpenOptions } from '../support/open-page.tsx';

/** Ids of the review of Pulsara 2026, of Pulsara 2027, and of a second run of the former. */
export const SPRING = documents.report().analysisId;
export const AUTUMN = documents.laterReport().analysisId;
export const SECOND_RUN = 'second-run';

/** Address of a comparison. */
export const compareAddress = (...ids: readonly string[]): string => `/compare?analyses=${ids.join(',')}`;

/** Answers in which entries of some decks differ from the recorded ones, by the file name. */
export function withDecks(changes: Readonly<Record<string, Partial<DeckEntry>>>): Answers {
  const { items } = documents.decks();
  const changed = items.map((deck) => ({ ...deck, ...changes[deck.fileName] }));
  return {
    'GET /decks/:deck': ({ params }) =>
      changed.find(({ id }) => id === params['deck']) ?? deckNamed('Pulsara 2026.pdf'),
  };
}

/** Answers in which the later deck is one of another company. */
export const otherCompany = (later: Partial<DeckEntry> = {}): Answers =>
  withDecks({ 'Pulsara 2027.pdf': { company: { id: 'pulsavent', name: 'Pulsavent' }, ...later } });

/** Answers in which reports differ from the recorded ones, by their id; an unknown id is a run of the deck of 2026. */
export function withReports(
  changes: Readonly<Record<string, Partial<AnalysisReport>>>,
  answers: Answers = {},
): Answers {
  const [report, laterReport] = [documents.report(), documents.laterReport()];
  return {
    ...answers,
    'GET /analyses/:analysis/report': ({ params: { analysis = '' } }) => ({
      ...(analysis === AUTUMN ? laterReport : report),
      analysisId: analysis,
      ...changes[analysis],
    }),
  };
}

/** Answers with a second run of the deck of 2026, later and in German. */
export const secondRun = (comparison: Partial<Comparison> = {}): Answers => ({
  ...withReports({
    [SECOND_RUN]: { language: 'de', createdAt: '2026-11-29T09:00:00.000Z', replay: null },
  }),
  'GET /analyses/:a/compare/:b': { ...documents.comparison(), sameDeck: true, ...comparison },
});

/** The text of an element without what only separates its parts. */
export const textOf = (element: Element): string => element.textContent.replaceAll(/\s+/gu, ' ').trim();

/** Waits for the heading of the page. */
export const heading = async (name: string): Promise<HTMLElement> =>
  screen.findByRole('heading', { level: 1, name }, { timeout: 5000 });

/** Opens the comparison of reviews, and waits for its heading. */
export async function openCompared(
  ids: readonly string[],
  name: string,
  options: OpenOptions = {},
): Promise<OpenedPage> {
  const page = await openPage(compareAddress(...ids), options);
  await heading(name);
  return page;
}
