/** A person's judgement on a claim: by keys and by buttons, at once, taken back, and above the machine's. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { problem } from '../../support/api.ts';
import {
  recordedReport,
  ANALYSIS_ID,
  head,
  openReview,
  part,
  reportWith,
  rowIn,
  said,
  sentVerdicts,
} from '../deck-page.ts';

const BURN = 'How much money does the company spend per month more than it earns?';
const SUBJECT = 'question/monthly_burn';
const questions = recordedReport().chapters.flatMap((chapter) => chapter.questions);
const answer = questions.find(({ slug }) => slug === 'monthly_burn')?.answer ?? '';

const article = (): HTMLElement => within(part('Financials')).getByRole('article', { name: BURN });
const row = () => rowIn('Financials', BURN);

const sent = (text: string | null): object => ({
  kind: 'judgement',
  subject: SUBJECT,
  text,
  reason: null,
  analysisId: ANALYSIS_ID,
});

it('R and W judge the claim that has the focus, and the same key again takes it back', async () => {
  const { user } = await openReview();
  article().focus();
  await user.keyboard('r');
  expect((await row().findByText('Right, says Ann Archer')).className).toContain('text-good');
  expect(row().queryByText('Not judged')).toBeNull();
  expect(row().getByRole('button', { name: /answers the question\)$/u })).toBeTruthy();
  expect(screen.getByText(`Right: ${BURN}`)).toBeTruthy();
  await expect.poll(() => head().queryByText(/1 answers its question/u)).not.toBeNull();
  await user.keyboard('w');
  expect((await row().findByText('Wrong, says Ann Archer')).className).toContain('text-bad');
  await user.keyboard('w');
  expect(await row().findByText('Not judged')).toBeTruthy();
  expect(screen.getByText(`withdrawn: ${BURN}`)).toBeTruthy();
  expect(sentVerdicts()).toEqual([sent('right'), sent('wrong'), sent(null)]);
});

it('A key that is held down judges once', async () => {
  const { user } = await openReview();
  article().focus();
  await user.keyboard('{r>3/}');
  expect(await row().findByText('Right, says Ann Archer')).toBeTruthy();
  await user.keyboard('{w>2/}');
  expect(await row().findByText('Wrong, says Ann Archer')).toBeTruthy();
  expect(sentVerdicts()).toEqual([sent('right'), sent('wrong')]);
});

it('Without a claim in focus the keys judge nothing', async () => {
  const { user } = await openReview();
  await user.keyboard('rw');
  expect(sentVerdicts()).toEqual([]);
});

it('The buttons of a claim judge it, and the pressed one takes it back and keeps the focus', async () => {
  const { user } = await openReview();
  await user.click(row().getByRole('button', { name: `Wrong: ${BURN}` }));
  await row().findByText('Wrong, says Ann Archer');
  await user.click(row().getByRole('button', { name: `Wrong: ${BURN}`, pressed: true }));
  expect(await row().findByText('Not judged')).toBeTruthy();
  expect(
    row()
      .getByRole('button', { name: `Wrong: ${BURN}`, pressed: false })
      .matches(':focus'),
  ).toBe(true);
  expect(sentVerdicts()).toEqual([sent('wrong'), sent(null)]);
});

it('A judgement that cannot be stored is taken back', async () => {
  const { user } = await openReview({
    answers: { 'POST /decks/:deck/verdicts': problem(403, 'forbidden', 'This key may not judge.') },
  });
  await user.click(row().getByRole('button', { name: `Right: ${BURN}` }));
  expect(await screen.findByText('This key may not judge.')).toBeTruthy();
  expect(await row().findByText('Not judged')).toBeTruthy();
});

it('A judgement holds for the words that were judged, in German as well', async () => {
  const judged = { kind: 'judgement', subject: SUBJECT, text: 'right', author: 'Ben Baker' } as const;
  await openReview({ history: said({ ...judged, machine: { text: answer, score: null } }), language: 'de' });
  expect(row().getByText('Richtig, sagt Ben Baker')).toBeTruthy();
  expect(row().getByRole('button', { name: `Richtig: ${BURN}`, pressed: true })).toBeTruthy();
});

it('A judgement on other words does not hold', async () => {
  const judged = { kind: 'judgement', subject: SUBJECT, text: 'right' } as const;
  await openReview({ history: said({ ...judged, machine: { text: 'They burn nothing.', score: null } }) });
  expect(row().getByText('Not judged')).toBeTruthy();
});

it('An answer that is not supported is shown as one again where a person calls it right', async () => {
  const judged = { kind: 'judgement', subject: SUBJECT, text: 'right', author: 'Ben Baker' } as const;
  await openReview({
    report: reportWith({ monthly_burn: { state: 'not_supported' } }),
    history: said({ ...judged, machine: { text: answer, score: null } }),
  });
  expect(row().getByText('Right, says Ben Baker')).toBeTruthy();
});

it('A kept answer that is called right keeps the focus in its chapter, so that the same key takes it back', async () => {
  const { user } = await openReview({ report: reportWith({ monthly_burn: { state: 'not_supported' } }) });
  const money = within(part('Financials'));
  await user.click(money.getByRole('button', { name: /^2 questions: not found/u }));
  await user.click(money.getByRole('button', { name: 'Show what was found' }));
  await user.click(row().getByRole('button', { name: `Right: ${BURN}` }));
  await row().findByText('Right, says Ann Archer');
  await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe(BURN);
  await user.keyboard('r');
  await expect.poll(sentVerdicts).toEqual([sent('right'), sent(null)]);
});

it.each([
  ['value', 'Summary', 'Funding sought', 'value/funding'],
  ['reading', 'Special readings', 'Clinical', 'reading/clinical'],
] as const)('A %s is judged as an answer is', async (_, section, name, subject) => {
  const { user } = await openReview();
  const line = rowIn(section, name);
  await user.click(line.getByRole('button', { name: `Right: ${name}` }));
  expect(await line.findByText('Right, says Ann Archer')).toBeTruthy();
  expect(sentVerdicts()).toEqual([{ ...sent('right'), subject }]);
});
