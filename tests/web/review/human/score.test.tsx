/** A person's score in place of the machine's. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import {
  ANALYSIS_ID,
  answeredByModel,
  head,
  type Inside,
  judgedReport,
  openReview,
  part,
  recordedReport,
  reportWith,
  rowIn,
  said,
  sentVerdicts,
} from '../deck-page.ts';

const CHAPTER = 'Problem analysis';
const QUESTION = 'Which problem does the company want to solve, and who has it?';

const row = (): Inside => rowIn(CHAPTER, QUESTION);

const scoreButton = (): HTMLElement => row().getByRole('button', { name: /score/iu });

/** The open form. */
const form = (): Inside => within(screen.getByRole('dialog', { name: `Score: ${QUESTION}` }));

it('Another score changes its chapter and the deck at once, and all three are as before once it is withdrawn', async () => {
  const { user } = await openReview();
  expect(head().getByText('2.4')).toBeTruthy();
  await user.click(scoreButton());
  expect(form().getByText('machine: 3')).toBeTruthy();
  expect(form().queryByRole('button', { name: 'Withdraw' })).toBeNull();
  await user.click(form().getByRole('radio', { name: '7' }));
  await user.type(form().getByRole('textbox', { name: 'Reason' }), '  They showed signed contracts. ');
  await user.click(form().getByRole('button', { name: 'Save' }));

  await row().findByText('Ann Archer: score 7. They showed signed contracts.');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(scoreButton().textContent).toBe('Score7/ 7· machine: 3');
  expect(within(part(CHAPTER)).getByText(/^\s*\/ 7 · 2 of 2 scored · machine: 3\.0/u).textContent).toMatch(/^5\.0/u);
  expect(head().getByText('2.6')).toBeTruthy();
  expect(head().getByText('evidence score, machine: 2.4')).toBeTruthy();
  expect(sentVerdicts()).toEqual([
    {
      kind: 'score',
      subject: 'question/target_problem',
      score: 7,
      reason: 'They showed signed contracts.',
      analysisId: ANALYSIS_ID,
    },
  ]);

  await user.click(scoreButton());
  expect(form().getByRole<HTMLInputElement>('radio', { name: '7' }).checked).toBe(true);
  expect(form().getByRole<HTMLTextAreaElement>('textbox').value).toBe('They showed signed contracts.');
  await user.click(form().getByRole('button', { name: 'Withdraw' }));
  await expect.poll(() => scoreButton().textContent).toBe('evidence score3/ 7');
  expect(head().getByText('2.4')).toBeTruthy();
  expect(head().getByText('evidence score')).toBeTruthy();
  expect(sentVerdicts().at(-1)).toMatchObject({ subject: 'question/target_problem', score: null, reason: null });
});

it('A form without a score says nothing', async () => {
  const { user } = await openReview();
  await user.click(scoreButton());
  expect(form().getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  await user.type(form().getByRole('textbox', { name: 'Reason' }), 'Only a reason.');
  await user.click(form().getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(sentVerdicts()).toEqual([]);
});

it('A score of nought without a reason counts as a score', async () => {
  const { user } = await openReview();
  await user.click(scoreButton());
  await user.click(form().getByRole('radio', { name: '0' }));
  await user.click(form().getByRole('button', { name: 'Save' }));
  await row().findByText('Ann Archer: score 0');
  expect(scoreButton().textContent).toBe('Score0/ 7· machine: 3');
  expect(sentVerdicts()).toMatchObject([{ score: 0, reason: null }]);
});

it('A question that the machine could not score says so beside the score of a person, in German as well', async () => {
  const report = reportWith({ target_problem: { status: 'answered', score: null } });
  const history = said({ kind: 'score', subject: 'question/target_problem', score: 5 });
  await openReview({ report, history, language: 'de' });
  expect(row().getByText('Ben Baker: Bewertung 5')).toBeTruthy();
  expect(row().getByRole('button', { name: /^Bewertung/u }).textContent).toBe('Bewertung5/ 7· Maschine: nichts');
});

it('A question that was not found can be scored in its folded list', async () => {
  const { user } = await openReview();
  const chapter = within(part('Financials'));
  await user.click(chapter.getByRole('button', { name: '1 question: not found in the deck' }));
  const item = within(chapter.getByText('How high are the monthly sales?').closest('li') ?? document.body);
  await user.click(item.getByRole('button', { name: /score/iu }));
  await user.click(screen.getByRole('radio', { name: '4' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await item.findByText('· machine: 0');
  expect(sentVerdicts()).toMatchObject([{ kind: 'score', subject: 'question/monthly_sales', score: 4 }]);
});

it('Beside the evidence of a review of rules stand the scores that people changed, in the head and in the chapter', async () => {
  const history = said({ kind: 'score', subject: 'question/target_problem', score: 7 });
  await openReview({ report: judgedReport(), history });
  expect(head().getByText('Score 2.6 of 7, machine: 2.4')).toBeTruthy();
  expect(head().getByText('11')).toBeTruthy();
  expect(within(part(CHAPTER)).getByText(/2 scored · machine: 3\.0/u).textContent).toBe(
    'evidence for 2 of 2 · 5.0 / 7 · 2 of 2 scored · machine: 3.0',
  );
});

it('The score of a model is not called one of evidence', async () => {
  const report = recordedReport();
  const questions = { target_problem: answeredByModel('target_problem', 'Readmissions.') };
  const scored = reportWith(questions).chapters.map((chapter) => ({
    ...chapter,
    questions: chapter.questions.map((question) => ({ ...question, scoreProvenance: question.answerProvenance })),
  }));
  await openReview({ report: { ...report, chapters: scored } });
  expect(scoreButton().textContent).toBe('Score3/ 7');
});
