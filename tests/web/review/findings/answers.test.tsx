/** The chapters with their answers: what is shown of one, and how it leads to its slide. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import {
  recordedReport,
  answeredByModel,
  broughtIntoView,
  judgedReport,
  NOT_JUDGED,
  openReview,
  part,
  reportWith,
  rowIn,
  spoken,
} from '../deck-page.ts';

const PROBLEM = 'Which problem does the company want to solve, and who has it?';
const BURN = 'How much money does the company spend per month more than it earns?';

it.each([
  { language: 'en', verified: /^Verified: the slide says so\./u, slides: 'Slides', lit: 'Slide 4, quote lit' },
  {
    language: 'de',
    verified: /^Belegt: So steht es auf der Folie\./u,
    slides: 'Folien',
    lit: 'Folie 4, Zitat hervorgehoben',
  },
] as const)('A click on a statement lights its words on the slide ($language)', async ({ language, ...words }) => {
  const { user, address } = await openReview({ language });
  const row = within(part('Financials')).getByRole('article', { name: BURN });
  await user.click(within(row).getByRole('heading', { name: BURN }));
  const pane = within(part(words.slides));
  await expect.poll(() => pane.getByRole('status').textContent).toBe(words.lit);
  expect(pane.getByText(words.verified)).toBeTruthy();
  expect(row.getAttribute('aria-current')).toBe('true');
  expect(screen.getAllByRole('article', { current: true })).toEqual([row]);
  await expect.poll(address).toMatch(/\?claim=question%2Fmonthly_burn&slide=4$/u);
});

it('An address leads to its statement, that quote of it and its slide', async () => {
  await openReview({ search: '?claim=question%2Fpaying_customers&quote=2' });
  const row = screen.getByRole('article', { current: true });
  expect(row.getAttribute('aria-label')).toBe('Are there paying customers, and how many?');
  expect(within(row).getByRole('button', { current: true }).textContent).toMatch(/^Slide 7/u);
  await expect.poll(spoken).toBe('Slide 7, quote lit');
  await expect.poll(broughtIntoView).toContain(row);
});

it('Enter lights the row that has the focus; a control in the row and words that are selected do not', async () => {
  const { user } = await openReview();
  const row = within(part('Financials')).getByRole('article', { name: BURN });
  await user.click(within(row).getByRole('button', { name: /^evidence score/u }));
  await user.keyboard('{Escape}');
  expect(row.getAttribute('aria-current')).toBeNull();
  const heading = within(row).getByRole('heading');
  getSelection()?.selectAllChildren(heading);
  heading.click();
  expect(row.getAttribute('aria-current')).toBeNull();
  getSelection()?.removeAllRanges();
  row.focus();
  await user.keyboard('{Enter}');
  expect(row.getAttribute('aria-current')).toBe('true');
  await expect.poll(spoken).toBe('Slide 4, quote lit');
});

it('A question with the same evidence as an earlier one says so and leads there, and its slide is lit as well', async () => {
  const { user } = await openReview();
  const row = rowIn('Problem analysis', 'What kind of problem is it, and why does it exist?');
  expect(row.queryByText(/^“/u)).toBeNull();
  expect(row.getByText('Same evidence as:')).toBeTruthy();
  await user.click(row.getByRole('button', { name: /^Slide 2/u }));
  await expect.poll(spoken).toBe('Slide 2, quote lit');
  await user.click(row.getByRole('button', { name: PROBLEM }));
  expect(screen.getByRole('article', { current: true }).getAttribute('aria-label')).toBe(PROBLEM);
  expect(document.activeElement).toBe(screen.getByRole('article', { current: true }));
});

it('A question that shares some of its evidence has its own quotes and names the others, also those of the summary', async () => {
  await openReview({ language: 'de' });
  const solution = rowIn('Solution approach', 'What is the solution, and how does it work?');
  expect(
    solution.getByText('„Patients wear a patch; our algorithm warns the cardiologist four days ahead.“'),
  ).toBeTruthy();
  expect(solution.getByText('Dazu die Belege von:')).toBeTruthy();
  expect(solution.getByRole('button', { name: PROBLEM })).toBeTruthy();
  const others = rowIn('Solution approach', 'What sets the solution apart from everything else?');
  expect(others.getByText('Dieselben Belege wie:')).toBeTruthy();
  expect(others.getByRole('button', { name: 'Wettbewerb' })).toBeTruthy();
});

it('An answer in words of its own stands above its quotes, with what to keep in mind', async () => {
  const answer = 'They burn 140,000 euros a month.';
  const report = reportWith({
    monthly_burn: {
      ...answeredByModel('monthly_burn', answer),
      rationale: null,
      reason: 'The score could not be read.',
      computedWithout: [6],
    },
    pilot_customers: {
      ...answeredByModel('pilot_customers', 'There are none.'),
      state: 'stated_absent',
      computedWithout: [6, 7],
    },
  });
  const { user } = await openReview({ report });
  const burn = rowIn('Financials', BURN);
  for (const text of [
    answer,
    'The deck says this only in part.',
    'The score could not be read.',
    'Computed without slide 6.',
  ])
    expect(burn.getByText(text)).toBeTruthy();
  const pilots = rowIn('Product-market fit', /^Are there pilot customers/u);
  expect(pilots.getByText('The deck says that there is none.')).toBeTruthy();
  expect(pilots.getByText('Computed without slides 6, 7.')).toBeTruthy();
  await user.click(screen.getByRole('checkbox', { name: 'Only what the deck says' }));
  expect(burn.queryByText(answer)).toBeNull();
  expect(burn.getByText('“Monthly burn is 140,000 euros.”')).toBeTruthy();
});

it('Quotes that prove nothing are marked, and follow those that do', async () => {
  const questions = recordedReport().chapters.flatMap((chapter) => chapter.questions);
  const evidence = questions.find(({ slug }) => slug === 'target_problem')?.evidence ?? [];
  const [, first, second, third] = evidence;
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('the question has four quotes');
  const doubtful = [{ ...first, verdict: 'contradicted' as const }, { ...second, verdict: 'glued' as const }, third];
  await openReview({
    report: reportWith({ target_problem: { evidence: doubtful }, problem_nature: { evidence: [] } }),
  });
  const quotes = rowIn('Problem analysis', PROBLEM).getAllByRole('button', { name: /^Slide/u });
  expect(quotes.map(({ textContent }) => textContent)).toEqual([
    `Slide 2“${third.quote}”${NOT_JUDGED}`,
    `Slide 2“${first.quote}”not on the slide (not on the slide, not judged whether it answers)`,
    `Slide 2“${second.quote}”put together (put together, not judged whether it answers)`,
  ]);
});

it('What was not found, failed or was not asked yet is folded or counted, and a chapter without questions is left out', async () => {
  const nothing = { state: null, score: null, answer: null, evidence: [], rationale: null };
  const report = reportWith({
    target_problem: { ...nothing, status: 'failed', reason: 'The model did not answer.' },
    problem_nature: { ...nothing, status: 'pending' },
    solution_description: { ...nothing, status: 'not_asked' },
    differentiation: { ...nothing, status: 'not_asked' },
    monthly_burn: { ...nothing, status: 'scored', state: 'not_found' },
  });
  const { user } = await openReview({ report });
  const problem = within(part('Problem analysis'));
  expect(problem.getByText('1 question: not asked yet')).toBeTruthy();
  await user.click(problem.getByRole('button', { name: '1 question: could not be computed' }));
  expect(problem.getByText('The model did not answer.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Solution approach' })).toBeNull();
  const money = within(part('Financials'));
  expect(money.queryByText(BURN)).toBeNull();
  await user.click(money.getByRole('button', { name: '2 questions: not found in the deck' }));
  expect(money.getByText(BURN)).toBeTruthy();
  expect(money.getByText(/^Nothing was found on these questions\./u)).toBeTruthy();
});

it('The scores of the chapters are bars that lead to their chapters', async () => {
  const { user } = await openReview();
  const bars = within(screen.getByRole('list', { name: 'Scores of the chapters' }));
  expect(bars.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Problem analysis3.0',
    'Solution approach2.5',
    'Product-market fit3.0',
    'Monetization3.0',
    'Financials1.5',
    'Use of funds1.5',
    'Organization2.0',
  ]);
  expect(within(part('Financials')).getByText('1.5').parentElement?.textContent).toBe('1.5 / 7 · 2 of 2 scored');
  await user.click(bars.getByRole('button', { name: /^Financials/u }));
  expect(broughtIntoView().at(-1)).toBe(part('Financials'));
});

it('Where quotes were judged the bars count the questions with evidence, and a chapter says the same', async () => {
  await openReview({ report: judgedReport() });
  const bars = within(screen.getByRole('list', { name: 'Questions with evidence, by chapter' }));
  expect(bars.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Problem analysis2 / 2',
    'Solution approach2 / 2',
    'Product-market fit2 / 2',
    'Monetization2 / 2',
    'Financials1 / 2',
    'Use of funds1 / 2',
    'Organization1 / 2',
  ]);
  expect(within(part('Financials')).getByText('evidence for 1 of 2')).toBeTruthy();
});

it('A strength names its chapter and leads to its slides, and a deck without one says so', async () => {
  const report = recordedReport();
  const { user, queries } = await openReview({ report });
  const row = rowIn('Strengths', 'Who pays for the product?');
  expect(row.getByText('Monetization: Who pays for the product?')).toBeTruthy();
  await user.click(row.getByRole('button', { name: /^Slide 4/u }));
  await expect.poll(spoken).toBe('Slide 4, quote lit');
  queries.setQueriesData({ predicate: ({ queryKey }) => queryKey.includes('report') }, { ...report, keyPoints: [] });
  expect(await within(part('Strengths')).findByText(/^No answer is well evidenced/u)).toBeTruthy();
});
