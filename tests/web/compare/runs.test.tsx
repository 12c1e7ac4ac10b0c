/** Two reviews of one deck: how many values differ, why they may, and how each was made. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ComparedItem, Comparison } from '../../../domain/decks/compare/comparison.ts';
import { callsOf, problem } from '../support/api.ts';
import { documents } from '../support/documents.ts';
import { openPage } from '../support/open-page.tsx';
import { compareAddress, SECOND_RUN, secondRun, SPRING, textOf } from './reviews.ts';

const CHECKSUM = '50e91e3665b935aba9936932fb26e58a';
const item = (more: Partial<ComparedItem>): ComparedItem => ({
  key: 'run',
  name: 'run',
  presence: 'both',
  changes: [],
  provenance: [],
  ...more,
});
const change = (field: string, a: string | number | null, b: string | number | null) => ({ field, quote: null, a, b });

/** A comparison with something of every kind. */
const differing = (): Partial<Comparison> => ({
  reasons: [
    { task: 'answer_question', field: 'model', a: `model-${CHECKSUM}`, b: null, results: 2 },
    { task: 'score_answer', field: 'model', a: `model-${CHECKSUM}`, b: null, results: 1 },
    { task: 'answer_question', field: 'input', a: null, b: null, results: 1 },
    { task: 'describe_slide', field: 'options.seedUsed', a: 1, b: 2, results: 4 },
  ],
  parts: {
    ...documents.comparison().parts,
    run: [item({ changes: [change('language', 'en', 'de')] })],
    extractions: [item({ key: 'offering', name: 'offering', presence: 'a', changes: [change('raw', 'An app', null)] })],
    slides: [
      item({
        key: '3',
        name: 'slide 3',
        changes: [
          change('description', 'The patch warns four days ahead', 'The patch warns two days ahead'),
          { field: 'quote', quote: { slide: 3, text: 'four days ahead' }, a: 'verified', b: 'glued' },
        ],
      }),
    ],
  },
  gaps: {
    opened: [
      { item: 'slide/4', stage: 'slides', slide: 4, question: null, code: 'x', message: 'Slide 4 was not read.' },
    ],
    closed: [
      { item: 'slide/5', stage: 'slides', slide: 5, question: null, code: 'x', message: 'Slide 5 was not read.' },
    ],
    changed: [item({ key: 'slide/6', name: 'slide 6', changes: [change('code', 'deadline', 'model_stalled')] })],
  },
});

it('Two reviews of a deck are told apart by time and language, with the number of values that differ', async () => {
  await openPage(compareAddress(SECOND_RUN, SPRING), { answers: secondRun() });
  expect(await screen.findByText('2 reviews of one deck')).toBeTruthy();
  expect(await screen.findByText('83 values differ, 317 are the same.')).toBeTruthy();
  expect(callsOf('GET /analyses/:a/compare/:b')[0]).toMatchObject({
    // The older run is the first one, whichever was chosen first.
    params: { a: SPRING, b: SECOND_RUN },
    query: { format: 'json', anyDeck: 'true' },
  });
  expect(screen.getByText('rules, not a language model · English')).toBeTruthy();
  expect(screen.getByText('rules, not a language model · German')).toBeTruthy();
});

it('The reasons for differences are shown on demand, alike ones once', async () => {
  const { user } = await openPage(compareAddress(SPRING, SECOND_RUN), { answers: secondRun(differing()) });
  const why = await screen.findByRole('button', { name: 'Why they may differ' });
  expect(screen.queryByText('language: en → de')).toBeNull();
  await user.click(why);
  const lines = screen.getByText('language: en → de').closest('ul')?.querySelectorAll('li') ?? [];
  expect([...lines].map(textOf)).toEqual([
    'language: en → de',
    '3 results: model: model-50e91e36… → none',
    '1 result: what went into the call differs',
    '4 results with another random seed',
  ]);
});

it('The values that differ are listed on demand, with what is missing in one of the two', async () => {
  const { user } = await openPage(compareAddress(SPRING, SECOND_RUN), { answers: secondRun(differing()) });
  await user.click(await screen.findByRole('button', { name: 'All values that differ' }));
  const part = (name: string): HTMLElement =>
    screen.getByRole('heading', { level: 3, name }).closest('section') ?? document.body;
  expect(textOf(part('Missing now, computed before'))).toContain('Slide 4 was not read.');
  expect(textOf(part('Missing before, computed now'))).toContain('Slide 5 was not read.');
  expect(textOf(part('Missing in both, for another reason'))).toContain('code: deadline → model_stalled');
  expect(textOf(part('Values found in the deck'))).toContain('Offering (only in A)raw: An app → none');
  const slides = part('Slides');
  expect(within(slides).getByRole('deletion').textContent).toBe('four');
  expect(within(slides).getByRole('insertion').textContent).toBe('two');
  expect(textOf(slides)).toContain('quote on slide 3: four days ahead verified → glued');
  // Scores and answers stand in the chapters above.
  expect(screen.queryByRole('heading', { level: 3, name: 'Questions' })).toBeNull();
});

it('Reviews without a difference were made in the same way', async () => {
  const { parts } = documents.comparison();
  const none = Object.fromEntries(Object.keys(parts).map((part) => [part, []])) as unknown as Comparison['parts'];
  const { user } = await openPage(compareAddress(SPRING, SECOND_RUN), {
    answers: secondRun({ changed: 0, reasons: [], parts: none }),
  });
  expect(await screen.findByText('Every value is the same in both.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Why they may differ' }));
  expect(screen.getByText('Both were made in the same way.')).toBeTruthy();
});

it('How the reviews were made stands side by side', async () => {
  const { user } = await openPage(compareAddress(SPRING, SECOND_RUN), { answers: secondRun() });
  await user.click(await screen.findByRole('button', { name: 'How the reviews were made' }));
  const made = within(screen.getByRole('table', { name: 'How the reviews were made' }));
  expect(textOf(made.getByRole('row', { name: /^Language/u }))).toBe('LanguageAEnglishBGerman');
  expect(textOf(made.getByRole('row', { name: /^Status/u }))).toBe('StatusACompleteBComplete');
  expect(textOf(made.getByRole('row', { name: /^Questions/u }))).toContain('Seven-Chapter review v2');
  expect(textOf(made.getByRole('row', { name: /^Id/u }))).toBe(`IdA${SPRING}B${SECOND_RUN}`);
});

it('A comparison that cannot be read says why and is read again', async () => {
  const { user } = await openPage(compareAddress(SPRING, SECOND_RUN), {
    answers: {
      ...secondRun(),
      'GET /analyses/:a/compare/:b': problem(503, 'service_unavailable', 'The database does not answer.'),
    },
  });
  await screen.findByText('The database does not answer.');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await expect.poll(() => callsOf('GET /analyses/:a/compare/:b')).toHaveLength(2);
  // What the reviews say is there without it.
  expect(screen.getByRole('table', { name: 'Summary' })).toBeTruthy();
});
