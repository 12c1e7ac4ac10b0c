/** Decks of several companies side by side. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { HumanVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';
import {
  AUTUMN,
  compareAddress,
  openCompared,
  otherCompany,
  SPRING,
  textOf,
  withDecks,
  withReports,
} from './reviews.ts';

it('Decks stand beside each other in German on a phone, with the best one in a sentence', async () => {
  await openCompared([SPRING, AUTUMN], 'Pulsara und Pulsavent', {
    answers: otherCompany(),
    language: 'de',
    width: 'phone',
  });
  expect(screen.getByText('2 Decks nebeneinander')).toBeTruthy();
  const summary = screen.getByRole('table', { name: 'Zusammenfassung' });
  const ask = within(summary).getByRole('row', { name: /^Kapitalbedarf/u });
  expect(within(ask).getAllByRole('cell').map(textOf)).toEqual([
    expect.stringMatching(/^A4,5.*€ Folie 5 /u),
    expect.stringMatching(/^B6,5.*€ Folie 5 /u),
  ]);
  expect(within(summary).getByRole('row', { name: /^Branche/u }).textContent).toContain('Telemedizin');
  expect(screen.getByText('Pulsara hat die höchste Bewertung: 2,9 von 7.')).toBeTruthy();
});

it('Decks are compared by their results: all questions are shown, no words are marked', async () => {
  const { user } = await openCompared([SPRING, AUTUMN], 'Pulsara and Pulsavent', { answers: otherCompany() });
  expect(screen.getByText('Pulsara has the highest score: 2.9 of 7.')).toBeTruthy();
  expect(screen.getByText('4 questions of 14 differ in score, or in whether the deck answers it.')).toBeTruthy();
  expect(screen.queryByRole('group', { name: 'What changed' })).toBeNull();
  expect(screen.queryAllByRole('deletion')).toHaveLength(0);
  expect(screen.getByRole('row', { name: /per month more than/u })).toBeTruthy();
  await user.click(screen.getByLabelText('Only differences'));
  await expect.poll(() => screen.queryByRole('row', { name: /per month more than/u })).toBeNull();
  // Other words of an answer with the same score are no difference between two companies.
  expect(screen.queryByRole('row', { name: /^Who pays for the product/u })).toBeNull();
  expect(screen.getByRole('row', { name: /^Are there paying customers/u })).toBeTruthy();
});

it('A score of a person stands before the one of the machine, with its reason', async () => {
  await openCompared([SPRING, AUTUMN], 'Pulsara and Pulsavent', { answers: otherCompany() });
  const problem = screen.getByRole('row', { name: /^Which problem does the company/u });
  const [first, second] = within(problem).getAllByRole('cell').map(textOf);
  expect(first).toContain('Score 7 of 7');
  expect(first).toContain('by Ann Archer · machine: 3');
  expect(first).toContain('They showed signed contracts.');
  expect(second).not.toContain('machine:');
});

it('A value of a person stands in place of the proved one', async () => {
  const [verdict] = documents.verdicts().items;
  const value = { kind: 'value', subject: 'value/funding', text: '€5 million', score: null } as const;
  const human = { ...verdict, ...value } as HumanVerdict;
  await openCompared([SPRING, AUTUMN], 'Pulsara and Pulsavent', {
    answers: { ...otherCompany(), 'GET /decks/:deck/verdicts': { items: [human] } },
  });
  const [first] = within(screen.getByRole('row', { name: /^Ask/u })).getAllByRole('cell');
  expect(first?.textContent).toContain('€5 million');
  expect(first?.textContent).toContain('by Ann Archer · machine: €4.5m');
  expect(first?.querySelector('a')).toBeNull();
});

it('A quote that is not verified says so on its slide', async () => {
  const extractions = documents.report().extractions.map((each) => ({
    ...each,
    evidence: each.evidence.map((quote) => ({ ...quote, verdict: 'contradicted' as const })),
  }));
  const marks = { ...documents.report().marks, quotes: 16, onSlide: 12, answering: 8, notJudged: 2 };
  await openCompared([SPRING, AUTUMN], 'Pulsara and Pulsavent', {
    answers: withReports({ [SPRING]: { extractions, marks } }, otherCompany()),
  });
  const ask = within(screen.getByRole('row', { name: /^Ask/u }));
  expect(ask.getByRole('link', { name: 'Open slide 5 of Pulsara' }).title).toMatch(/^This quote is not verified\./u);
  expect(ask.getByRole('link', { name: 'Open slide 5 of Pulsavent' }).title).toMatch(/^Open slide 5/u);
  const verified = within(screen.getByRole('row', { name: /^Verified quotes/u })).getAllByRole('cell');
  expect(verified.map(textOf)).toEqual([expect.not.stringContaining('100 %'), expect.stringContaining('100 %')]);
  const answering = within(screen.getByRole('row', { name: /^Answering quotes/u })).getAllByRole('cell');
  expect(answering.map(textOf)).toEqual([
    'A50 % · 8 of 16 · 2 not judged',
    expect.stringMatching(/^B\d+ not judged$/u),
  ]);
});

it('A slide leads to the review at the claim that it stands beside', async () => {
  const { user, address } = await openCompared([SPRING, AUTUMN], 'Pulsara and Pulsavent', { answers: otherCompany() });
  const payer = screen.getByRole('row', { name: /^Who pays for the product/u });
  const [slide] = within(payer).getAllByRole('link', { name: 'Open slide 4 of Pulsavent' });
  await user.click(slide ?? payer);
  const { deck } = documents.laterReport();
  const claim = encodeURIComponent('question/payer_identification');
  await expect.poll(address).toBe(`/decks/${deck.id}?analysis=${AUTUMN}&claim=${claim}&slide=4`);
});

it('Decks with the same score are level, and one without a score is not compared by it', async () => {
  const overall = { ...documents.report().overall, score: documents.laterReport().overall.score };
  const level = { ...otherCompany(), 'GET /decks/:deck/verdicts': { items: [] } };
  await openCompared([SPRING, AUTUMN], 'Pulsara and Pulsavent', {
    answers: withReports({ [SPRING]: { overall } }, level),
  });
  expect(screen.getByText('All have the same score: 2.2 of 7.')).toBeTruthy();
});

it('A deck without a score takes part without one', async () => {
  const overall = { ...documents.laterReport().overall, score: null };
  await openCompared([SPRING, AUTUMN], 'Pulsara and Pulsavent', {
    answers: withReports({ [AUTUMN]: { overall } }, otherCompany()),
  });
  const score = screen.getByRole('row', { name: /^Score/u });
  expect(within(score).getAllByRole('cell').map(textOf)).toEqual([
    expect.stringContaining('Score 2.9 of 7'),
    expect.stringContaining('no score'),
  ]);
  expect(screen.queryByText(/highest score/u)).toBeNull();
});

it('Two decks of a company are told apart by their dates beside one of another company', async () => {
  const third = 'third-review';
  const quayline = documents.decks().items.find(({ fileName }) => fileName === 'quayline.pdf');
  await openCompared([SPRING, AUTUMN, third], 'Pulsara (March 2026), Pulsara (September 2026) and Quayline', {
    answers: withReports(
      {
        [third]: { deck: { ...documents.report().deck, id: quayline?.id ?? '' } },
      },
      withDecks({}),
    ),
  });
  expect(screen.getByText('3 decks side by side')).toBeTruthy();
  expect(screen.queryByText('As a document')).toBeNull();
});

it('The two reviews can be had as a document', async () => {
  await openPage(compareAddress(SPRING, AUTUMN));
  const markdown = await screen.findByRole('link', { name: 'Markdown' });
  expect(markdown.getAttribute('href')).toBe(`/api/v1/analyses/${SPRING}/compare/${AUTUMN}?format=md&anyDeck=true`);
});
