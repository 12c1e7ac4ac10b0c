/** Under the slide: the statement that is lit, what its quote is worth, and how it was made. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ReportEvidence } from '../../../../domain/decks/report.ts';
import { recordedReport, openReview, part, reportWith, spoken } from '../deck-page.ts';

const PROBLEM = 'question/target_problem';
const at = (claim: string, more = ''): string => `?claim=${encodeURIComponent(claim)}${more}`;
const pane = (): ReturnType<typeof within> => within(part('Slides'));
/** Boxes that are lit, and their number as the overlay tells it. */
const lit = (): string | null | undefined => part('Slides').querySelector('[data-lit]')?.getAttribute('data-lit');

/** The recorded answer on the problem with other quotes. */
const withQuotes = (...quotes: readonly Partial<ReportEvidence>[]) => {
  const [known] = recordedReport().chapters.flatMap(({ questions }) => questions.flatMap(({ evidence }) => evidence));
  if (known === undefined) throw new Error('no recorded quote');
  return reportWith({
    target_problem: { evidence: quotes.map((quote) => ({ ...known, slide: 2, boxes: null, ...quote })) },
  });
};

it('A statement of the address is lit on its slide, with its quote and what that is worth', async () => {
  await openReview({ search: at(PROBLEM) });
  await expect.poll(spoken).toBe('Slide 1, quote lit');
  expect(lit()).toBe('1');
  expect(pane().getByText('Which problem does the company want to solve, and who has it?')).toBeTruthy();
  expect(pane().getByText(/^Pulsara offers a remote monitoring app/u, { selector: 'q' })).toBeTruthy();
  expect(pane().getByText(/^Verified: the slide says so\./u)).toBeTruthy();
  expect(pane().getByText('Quote 1 of 4')).toBeTruthy();
});

it('Keys and buttons go from quote to quote, each on its slide, and the address follows', async () => {
  const { user, address } = await openReview({ search: at(PROBLEM) });
  await pane().findByText('Quote 1 of 4');
  expect(pane().getByRole('button', { name: 'Previous quote (,)' }).hasAttribute('disabled')).toBe(true);
  await user.keyboard('.');
  await expect.poll(spoken).toBe('Slide 2, quote lit');
  expect(pane().getByText('Quote 2 of 4')).toBeTruthy();
  await user.click(pane().getByRole('button', { name: 'Next quote (.)' }));
  await user.keyboard('...');
  expect(pane().getByText('Quote 4 of 4')).toBeTruthy();
  expect(pane().getByRole('button', { name: 'Next quote (.)' }).hasAttribute('disabled')).toBe(true);
  await user.keyboard(',');
  await expect.poll(address).toContain('quote=3&slide=2');
});

it('Another slide than that of the quote leads back to it', async () => {
  const { user } = await openReview({ search: at(PROBLEM, '&quote=2') });
  await expect.poll(spoken).toBe('Slide 2, quote lit');
  await user.keyboard('{ArrowRight}');
  await expect.poll(spoken).toBe('Slide 3');
  expect(lit()).toBeUndefined();
  await user.click(pane().getByRole('button', { name: 'This quote is on slide 2.' }));
  await expect.poll(spoken).toBe('Slide 2, quote lit');
});

it('How a statement was made is told on demand', async () => {
  const { user } = await openReview({ search: at(PROBLEM) });
  expect(pane().queryByText('reader-text:1 (rules, not a language model)')).toBeNull();
  await user.click(await pane().findByText('How it was made'));
  expect(await pane().findByText('reader-text:1 (rules, not a language model)')).toBeTruthy();
});

it('A value and a reading say how they were made, a contradiction does not', async () => {
  const { user } = await openReview({ search: at('value/funding') });
  await expect.poll(spoken).toBe('Slide 5, quote lit');
  expect(pane().getByText('How it was made')).toBeTruthy();
  const reading = screen.getByRole('article', { name: /^Clinical/u });
  reading.focus();
  await user.keyboard('{Enter}');
  await expect.poll(spoken).toBe('Slide 3, quote lit');
  expect(pane().getByText('How it was made')).toBeTruthy();
  const contradiction = screen.getByRole('article', { name: /^Two sums asked for/u });
  contradiction.focus();
  await user.keyboard('{Enter}');
  // The words that the API gives are those of another slide.
  await expect.poll(spoken).toBe('Slide 5, quote not found on the slide');
  expect(pane().queryByText('How it was made')).toBeNull();
});

it('A quote without boxes is searched for in the words of its slide', async () => {
  const quote = 'Heart failure patients are readmitted within 30 days';
  await openReview({ search: at(PROBLEM), report: withQuotes({ quote }) });
  await expect.poll(spoken).toBe('Slide 2, quote lit');
  expect(lit()).toBe('1');
});

it('A quote whose words stand apart is lit in parts', async () => {
  const quote = 'Heart failure patients are readmitted Nurses call patients by phone';
  await openReview({ search: at(PROBLEM), report: withQuotes({ quote, verdict: 'glued', reason: null }) });
  await expect.poll(lit).toBe('2');
  expect(pane().getByText('The words stand in several places of the slide.')).toBeTruthy();
  expect(pane().getByText(/^Not verified: it is put together/u)).toBeTruthy();
});

it('A quote that is not on its slide says so, with its reason in German', async () => {
  const reason = 'the words do not stand on this slide in one run';
  await openReview({
    search: at(PROBLEM),
    language: 'de',
    report: withQuotes({ quote: 'Nothing of this is written there', verdict: 'contradicted', reason }),
  });
  const german = within(part('Folien'));
  await expect.poll(() => german.getByRole('status').textContent).toBe('Folie 2, Zitat auf der Folie nicht gefunden');
  expect(german.getByText(/^Die Worte sind auf der Folie nicht zu finden/u)).toBeTruthy();
  expect(german.getByText(/die Worte stehen auf dieser Folie nicht hintereinander/u)).toBeTruthy();
});
