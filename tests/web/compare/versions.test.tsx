/** Two versions of a company's deck: what changed from one to the next, and which of it is shown. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';
import { AUTUMN, compareAddress, heading, openCompared, SPRING, textOf, withDecks, withReports } from './reviews.ts';

const TITLE = 'Pulsara: March 2026 and September 2026';

it('Versions stand in the order of their dates, whichever was chosen first, under what changed in sentences', async () => {
  await openCompared([AUTUMN, SPRING], TITLE);
  expect(screen.getByText('2 versions of a company’s deck')).toBeTruthy();
  await expect.poll(() => document.title).toBe(`${TITLE} · Compare · Deckhand`);
  expect(screen.getByText('4 claims changed, 1 is gone; 13 are the same.')).toBeTruthy();
  expect(screen.getByText('The score fell from 2.9 to 2.2.')).toBeTruthy();
  expect(screen.getByText('They differ most in “Problem analysis”: by 4.0 points.')).toBeTruthy();
  const summary = screen.getByRole('table', { name: 'Summary' });
  const heads = within(summary).getAllByRole('columnheader').map(textOf);
  expect(heads).toEqual(['Summary', 'March 2026', 'September 2026']);
  const link = screen.getByRole('link', { name: 'September 2026' });
  expect(link.getAttribute('href')).toMatch(new RegExp(`/decks/.+\\?analysis=${AUTUMN}$`, 'u'));
});

it('A changed value is marked and shows both sides with the slides that prove them', async () => {
  await openCompared([SPRING, AUTUMN], TITLE);
  const ask = screen.getByRole('row', { name: /^Ask Changed/u });
  const [before, after] = within(ask).getAllByRole('cell').map(textOf);
  expect(before).toMatch(/€4\.5m Slide 5\s+\(on the slide, not judged whether it answers\)$/u);
  expect(after).toMatch(/€6\.5m Slide 5\s/u);
  expect(within(ask).getByRole('link', { name: 'Open slide 5 of September 2026' }).title).toBe(
    'Open slide 5 of September 2026\nWe are raising 6.5 million euros.',
  );
  const attention = within(screen.getByRole('row', { name: /^Look at/u })).getAllByRole('cell');
  expect(attention.map(textOf)).toEqual([
    expect.stringContaining('The deck contradicts itself'),
    expect.stringContaining('Nothing to look at'),
  ]);
  expect(within(screen.getByRole('row', { name: /^Decision/u })).getByText('Meet')).toBeTruthy();
});

it('Changed words are struck out before and underlined after, a claim that went is gone, and unchanged quotes are folded', async () => {
  const { user } = await openCompared([SPRING, AUTUMN], TITLE);
  const payer = screen.getByRole('row', { name: /^Who pays for the product/u });
  expect(within(payer).getByText('Figures changed')).toBeTruthy();
  expect(within(payer).getAllByRole('deletion').map(textOf)).toEqual(['14']);
  expect(within(payer).getAllByRole('insertion').map(textOf)).toEqual(['31']);
  expect(within(payer).queryByText(/45 euros per patient/u)).toBeNull();
  const gone = screen.getByRole('row', { name: /^Are there paying customers/u });
  expect(within(gone).getByText('Gone')).toBeTruthy();
  expect(within(gone).getAllByRole('deletion')).toHaveLength(2);
  expect(within(gone).getByText('not found in the deck')).toBeTruthy();
  const [more] = within(payer).getAllByRole('button', { name: '1 more quote' });
  await user.click(more ?? payer);
  expect(within(payer).getByText(/45 euros per patient/u)).toBeTruthy();
});

it('A claim that only the later date makes is new, even where its file was uploaded first', async () => {
  await openCompared([SPRING, AUTUMN], 'Pulsara: September 2026 and March 2027', {
    answers: withDecks({ 'Pulsara 2026.pdf': { deckDate: '2027-03' } }),
  });
  expect(screen.getByText('4 claims changed, 1 is new; 13 are the same.')).toBeTruthy();
  expect(screen.getByText('The score rose from 2.2 to 2.9.')).toBeTruthy();
  const row = screen.getByRole('row', { name: /^Are there paying customers/u });
  expect(within(row).getByText('New')).toBeTruthy();
  expect(within(row).getAllByRole('insertion')).toHaveLength(2);
});

it('Only differences are shown until the person asks for everything, and the address keeps that', async () => {
  const { user, address } = await openCompared([SPRING, AUTUMN], TITLE);
  expect(screen.queryByRole('row', { name: /per month/u })).toBeNull();
  expect(screen.queryByRole('row', { name: /^Sector/u })).toBeNull();
  await user.click(screen.getByLabelText('Only differences'));
  expect(await screen.findByRole('row', { name: /per month more than/u })).toBeTruthy();
  expect(textOf(screen.getByRole('row', { name: /^Sector/u }))).toContain('Telemedicine');
  expect(address()).toContain('only=false');
  const readings = screen.getByRole('table', { name: 'Special readings' });
  expect(within(readings).getByRole('row', { name: /^Clinical/u })).toBeTruthy();
});

it('Questions that no version answers are folded', async () => {
  const { user } = await openPage(`${compareAddress(SPRING, AUTUMN)}&only=false`);
  await heading(TITLE);
  const financials = screen.getByRole('region', { name: 'Financials' });
  expect(within(financials).queryByText('How high are the monthly sales?')).toBeNull();
  await user.click(within(financials).getByRole('button', { name: '1 question that no deck answers' }));
  expect(within(financials).getByText('How high are the monthly sales?')).toBeTruthy();
});

it('One kind of change can be looked at alone', async () => {
  const { user } = await openCompared([SPRING, AUTUMN], TITLE);
  const filter = within(screen.getByRole('group', { name: 'What changed' }));
  const names = filter.getAllByRole('button').map(textOf);
  expect(names).toEqual(['All 5', 'Figures changed 3', 'Gone 1', 'Wording changed 1']);
  await user.click(filter.getByRole('button', { name: 'Gone 1' }));
  expect(filter.getByRole('button', { name: 'Gone 1' }).getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByRole('row', { name: /^Are there paying customers/u })).toBeTruthy();
  expect(screen.queryByRole('row', { name: /^Who pays for the product/u })).toBeNull();
  expect(screen.queryByRole('table', { name: 'Summary' })).toBeNull();
  await user.click(filter.getByRole('button', { name: 'All 5' }));
  expect(screen.getByRole('row', { name: /^Who pays for the product/u })).toBeTruthy();
  expect(screen.getByRole('table', { name: 'Summary' })).toBeTruthy();
});

it('Versions that say the same have nothing that differs', async () => {
  const { deck: _deck, analysisId: _id, ...same } = documents.report();
  await openCompared([SPRING, AUTUMN], TITLE, {
    answers: {
      ...withReports({ [AUTUMN]: same }),
      'GET /decks/:deck/verdicts': { items: [] },
    },
  });
  expect(screen.getByText('Nothing differs here.')).toBeTruthy();
  expect(screen.getByText('No claim changed; 18 are the same.')).toBeTruthy();
  expect(screen.getByText('The score is 2.4 in both.')).toBeTruthy();
  expect(screen.queryByRole('group', { name: 'What changed' })).toBeNull();
});

it('A claim that one review could not read is not compared', async () => {
  const report = documents.report();
  const chapters = report.chapters.map((chapter) => ({
    ...chapter,
    questions: chapter.questions.filter(({ slug }) => slug !== 'payer_identification'),
  }));
  await openCompared([SPRING, AUTUMN], TITLE, { answers: withReports({ [SPRING]: { chapters } }) });
  expect(screen.getByText(/^1 claim cannot be compared/u)).toBeTruthy();
  const payer = screen.getByRole('row', { name: /^Who pays for the product/u });
  expect(within(payer).getByText('not asked in this review')).toBeTruthy();
});
