/** The page of a company: its decks in time order, which of them are compared, and its address. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { answerApi, callsOf, problem } from '../support/api.ts';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';
import { textsOf } from '../support/texts.ts';

const PULSARA = documents.company().id;
const ADDRESS = `/companies/${PULSARA}`;

/** The recorded company with other decks, reviewed by a language model unless a test says otherwise. */
const withDecks = (change: (decks: readonly DeckEntry[]) => DeckEntry[]) => {
  const company = documents.company();
  const decks = company.decks.map((deck) => ({ ...deck, resultEngineKind: 'language model' }));
  return { 'GET /companies/:company': { ...company, decks: change(decks) } };
};
const rowTexts = (): string[] => textsOf(screen.getAllByRole('row').slice(1));

it('Decks stand in the order of their dates, with what changed of ask and score', async () => {
  await openPage(ADDRESS, { answers: withDecks((decks) => decks.toReversed()) });
  await screen.findByRole('heading', { level: 1, name: 'Pulsara' });
  expect(document.title).toBe('Pulsara · Deckhand');
  const [spring, autumn] = rowTexts();
  expect(spring).toMatch(/^March 2026.*€4\.5m.*2\.9.*100 %Meet/u);
  expect(spring).not.toContain('compared with the deck before');
  expect(autumn).toMatch(/^September 2026.*€6\.5m.*−0\.7 compared with the deck before/u);
  const inList = screen.getByRole('link', { name: '2 decks' });
  expect(inList.getAttribute('href')).toBe(`/?company=${PULSARA}`);
});

it('Decks that rules reviewed show their evidence and how it changed, with stage and market, in German', async () => {
  const evidence = [10, 13].map((found) => ({ found, asked: 34 }));
  const { facts } = documents.company().decks[0] ?? {};
  const market = { text: 'TAM $2B', amount: 2_000_000_000, currency: 'USD' };
  await openPage(ADDRESS, {
    answers: withDecks((decks) =>
      decks.map((deck, index) => ({
        ...deck,
        resultEngineKind: 'rules',
        evidence: evidence[index] ?? null,
        facts: { ...(facts ?? deck.facts), stage: index === 0 ? 'Pre-Seed' : 'Seed', market },
        documentKind: index === 0 ? 'lean_canvas' : 'pitch_deck',
      })),
    ),
    language: 'de',
  });
  await screen.findByRole('columnheader', { name: 'Marktgröße' });
  const [spring, autumn] = rowTexts();
  expect(spring).toMatch(/Lean Canvas.*Pre-Seed.*10 von 34/u);
  expect(autumn).toMatch(/Seed.*2.Mrd\..\$.*13 von 34\+3 gegenüber dem Deck davor/u);
});

it('The two newest decks are compared unless others are chosen', async () => {
  const { user, address } = await openPage(ADDRESS);
  const first = await screen.findByLabelText('Select Pulsara 2026.pdf to compare');
  await user.click(first);
  const disabled = screen.getByRole('button', { name: 'Compare versions' });
  expect(disabled.hasAttribute('disabled')).toBe(true);
  expect(disabled.title).toBe('Select two to five decks with results');
  await user.click(first);
  await user.click(screen.getByRole('link', { name: 'Compare versions' }));
  await screen.findByRole('heading', { level: 1, name: 'Pulsara: March 2026 and September 2026' });
  const ids = [documents.report().analysisId, documents.laterReport().analysisId];
  expect(decodeURIComponent(address())).toBe(`/compare?analyses=${ids.join(',')}`);
});

it('A deck without a date has its file name, and one without a review its status', async () => {
  await openPage(ADDRESS, {
    answers: withDecks(([first, second]) =>
      first === undefined || second === undefined
        ? []
        : [
            { ...first, deckDate: null },
            { ...second, resultAnalysisId: null, analysis: null, status: 'uploaded', score: null },
            { ...second, id: 'third', fileName: 'Pulsara 2028.pdf', deckDate: '2028', score: 5, machineScore: 5 },
          ],
    ),
    language: 'de',
    width: 'phone',
  });
  await screen.findByRole('link', { name: 'Pulsara 2026.pdf' });
  expect(screen.getByRole('link', { name: '3 Decks' })).toBeTruthy();
  const rows = rowTexts();
  expect(rows.find((row) => row.startsWith('September 2026'))).toContain('Nicht geprüft');
  // Without a score before it there is nothing to compare with.
  expect(rows.find((row) => row.startsWith('Pulsara 2026.pdf'))).not.toContain('gegenüber dem Deck davor');
  expect(rows.find((row) => row.startsWith('2028'))).toContain('+2,1 gegenüber dem Deck davor');
  const unreviewed = screen.getByLabelText('Pulsara 2027.pdf für den Vergleich auswählen');
  expect(unreviewed.hasAttribute('disabled')).toBe(true);
  const compare = screen.getByRole('link', { name: 'Fassungen vergleichen' });
  expect(decodeURIComponent(compare.getAttribute('href') ?? '')).not.toContain('null');
});

it('A single deck is not chosen for a comparison', async () => {
  await openPage(ADDRESS, { answers: withDecks((decks) => decks.slice(0, 1)) });
  await screen.findByRole('link', { name: '1 deck' });
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByText('Compare versions')).toBeNull();
});

it('The menu of a deck opens its review', async () => {
  const { user } = await openPage(ADDRESS);
  await user.click(await screen.findByRole('button', { name: 'More for Pulsara 2027.pdf' }));
  const open = await screen.findByRole('menuitem', { name: 'Open the review' });
  expect(open.getAttribute('href')).toBe(`/decks/${documents.laterReport().deck.id}`);
});

it('The address of a company that was merged leads to the one that stays', async () => {
  const { address } = await openPage('/companies/merged');
  await screen.findByRole('heading', { level: 1, name: 'Pulsara' });
  await expect.poll(address).toBe(ADDRESS);
  expect(callsOf('GET /companies/:company').map(({ params }) => params['company'])).toContain('merged');
});

it('A company that is not there says so, and is asked for again', async () => {
  const { user } = await openPage('/companies/0000', {
    answers: { 'GET /companies/:company': problem(404, 'not_found', 'There is no such company.') },
  });
  expect(within(await screen.findByRole('alert')).getByText('There is no such company.')).toBeTruthy();
  answerApi({ 'GET /companies/:company': { ...documents.company(), id: '0000' } });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { level: 1, name: 'Pulsara' });
});
