/** The findings as a whole: their sections, their contents, and what is left out of them. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { textsOf } from '../../support/texts.ts';
import { recordedReport, broughtIntoView, openReview, part, reportWith, spoken } from '../deck-page.ts';

const findings = (): HTMLElement => part('Findings');

/** Headings of the sections, in the order of the page. */
const sections = (): (string | null)[] => textsOf(within(findings()).getAllByRole('heading', { level: 2 }));

it('Each quote is written out once, and no codes of the machine are shown', async () => {
  const report = recordedReport();
  await openReview({ report });
  const text = findings().textContent.replaceAll(/\s+/gu, ' ');
  const quotes = new Set(
    report.chapters.flatMap(({ questions }) => questions.flatMap(({ evidence }) => evidence.map(({ quote }) => quote))),
  );
  // Both sides of a contradiction stand beside each other whatever else quotes them.
  const sides = new Set(report.contradictions.flatMap(({ first, second }) => [first.quote, second.quote]));
  const once = [...quotes].filter((quote) => !sides.has(quote));
  expect(once.length).toBeGreaterThan(8);
  expect(once.filter((quote) => text.split(`“${quote}”`).length !== 2)).toEqual([]);
  expect(text).not.toMatch(/reader-text|reader-vision|static-0|completed|not_found|prompt v|[0-9a-f]{12}/u);
});

it('The sections stand in the order of their contents, which lead to them', async () => {
  const { user } = await openReview();
  expect(sections()).toEqual([
    'Summary',
    'Strengths',
    'Questions to the founder11',
    'Contradictions2',
    'Warnings1',
    'Chapters',
    'Special readings',
  ]);
  const contents = within(screen.getByRole('navigation', { name: 'Contents' }));
  expect(textsOf(contents.getAllByRole('button'))).toEqual([
    'Summary',
    'Strengths',
    'Questions',
    'Contradictions',
    'Warnings',
    'Chapters',
    'Readings',
  ]);
  await user.click(contents.getByRole('button', { name: 'Chapters' }));
  expect(broughtIntoView().at(-1)).toBe(part('Chapters'));
});

it('Who wants only what the deck says is shown no scores, reasons or advice, until they want all again', async () => {
  const report = recordedReport();
  const slides = report.slides.map((slide) => (slide.number === 2 ? { ...slide, feedback: 'Less text.' } : slide));
  const { user } = await openReview({ report: { ...report, slides } });
  const inside = within(findings());
  const [question] = report.chapters.flatMap((chapter) => chapter.questions);
  const rationale = question?.rationale ?? '';
  expect(inside.getByText(rationale)).toBeTruthy();
  expect(sections()).toContain('Slide feedback1');
  const count = inside.getAllByRole('article').length;
  await user.click(inside.getByRole('checkbox', { name: 'Only what the deck says' }));

  expect(sections()).toEqual(['Summary', 'Contradictions2', 'Warnings1', 'Chapters', 'Special readings']);
  expect(inside.queryByRole('button', { name: /^Score/u })).toBeNull();
  expect(inside.queryByRole('list', { name: 'Scores of the chapters' })).toBeNull();
  expect(inside.queryByRole('button', { name: /not found in the deck/u })).toBeNull();
  expect(inside.queryByRole('button', { name: /^(?:Correct: |Note on Which)/u })).toBeNull();
  expect(inside.queryByText(rationale)).toBeNull();
  expect(inside.getByText('“Monthly burn is 140,000 euros.”')).toBeTruthy();
  const left = inside.getAllByRole('article').length;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(count);

  await user.click(inside.getByRole('checkbox', { name: 'Only what the deck says' }));
  expect(inside.getAllByRole('article')).toHaveLength(count);
  expect(inside.getByText(rationale)).toBeTruthy();
});

it('A run that failed before it found anything has no sections', async () => {
  const report = recordedReport();
  const questions = report.chapters.flatMap((chapter) => chapter.questions.map(({ slug }) => slug));
  const unasked = { status: 'not_asked' as const, state: null, answer: null, evidence: [] };
  await openReview({
    report: {
      ...report,
      chapters: reportWith(Object.fromEntries(questions.map((slug) => [slug, unasked]))).chapters,
      extractions: report.extractions.map((value) => ({ ...value, raw: null, status: 'not_asked', evidence: [] })),
      specialised: report.specialised.map((reading) => ({ ...reading, status: 'skipped', evidence: [] })),
      steering: [],
    },
  });
  expect(within(findings()).queryByRole('heading', { level: 2 })).toBeNull();
  expect(screen.getByText('Only what the deck says').parentElement?.hidden).toBe(true);
});

it('Feedback on a slide leads to that slide, and its mark shows where one is', async () => {
  const report = recordedReport();
  const slides = report.slides.map((slide) =>
    slide.number > 6 ? { ...slide, feedback: `On ${slide.number}.` } : slide,
  );
  const { user, address } = await openReview({ report: { ...report, slides } });
  const section = within(part(/^Slide feedback/u));
  expect(textsOf(section.getAllByRole('listitem'))).toEqual(['Slide 7On 7.', 'Slide 8On 8.']);
  await user.click(section.getByRole('button', { name: /On 8\./u }));
  await expect.poll(spoken).toBe('Slide 8');
  await expect.poll(address).toMatch(/\?slide=8$/u);
});

it('The sections are named in German', async () => {
  const { user } = await openReview({ language: 'de' });
  const names = screen.getByRole('region', { name: 'Befunde' });
  await user.click(within(names).getByRole('checkbox', { name: 'Nur was das Deck sagt' }));
  expect(textsOf(within(names).getAllByRole('heading', { level: 2 }))).toEqual([
    'Überblick',
    'Widersprüche2',
    'Warnungen1',
    'Kapitel',
    'Fachprüfungen',
  ]);
});

it('On a wide window rows are brought into view below the contents, which cover them', async () => {
  await openReview();
  expect(findings().style.getPropertyValue('--covered')).toBe('869px');
});

it('A phone has the same sections, below a slide that can be hidden', async () => {
  const { user } = await openReview({ width: 'phone' });
  expect(findings().style.getPropertyValue('--covered')).toBe('');
  expect(sections()).toHaveLength(7);
  await user.click(within(part('Slides')).getByRole('button', { name: 'Hide the slide' }));
  expect(within(part('Slides')).queryByRole('img')).toBeNull();
});
