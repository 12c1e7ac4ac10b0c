/** The two marks of quotes, the mark of a line, and answers that their own check does not support. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ReportEvidence } from '../../../../domain/decks/report.ts';
import type { Answering } from '../../../../domain/evidence/answering.ts';
import { recordedReport, openReview, part, reportWith, rowIn, sentVerdicts } from '../deck-page.ts';

const BURN = 'How much money does the company spend per month more than it earns?';

const questions = recordedReport().chapters.flatMap((chapter) => chapter.questions);
const [burnQuote] = questions.find(({ slug }) => slug === 'monthly_burn')?.evidence ?? [];

/** The recorded report with the only quote on the burn changed. */
function withBurn(change: Partial<ReportEvidence>) {
  if (burnQuote === undefined) throw new Error('the question has a quote');
  return reportWith({ monthly_burn: { evidence: [{ ...burnQuote, ...change }] } });
}

const row = () => rowIn('Financials', BURN);

it.each<[Answering | null, string, string, boolean]>([
  ['high', 'Settled', 'on the slide, answers the question', true],
  ['some', 'Bears on it', 'on the slide, bears on the question', false],
  ['doubtful', 'Doubtful', 'on the slide, may be about something else', false],
  [null, 'Not judged', 'on the slide, not judged whether it answers', false],
])('A quote on its slide that is judged %s makes its claim "%s"', async (answering, line, marks, isGreen) => {
  await openReview({ report: withBurn({ answering, answeringBy: answering === null ? null : 'reader' }) });
  expect(row().getByRole('button', { name: new RegExp(`^Slide 4.*\\(${marks}\\)$`, 'u') })).toBeTruthy();
  const badge = row().getByText(line);
  expect(badge.className.includes('text-good')).toBe(isGreen);
  expect(badge.parentElement?.title).toBe(marks);
});

it('A quote that answers but does not stand on its slide is not green', async () => {
  await openReview({ report: withBurn({ verdict: 'contradicted', answering: 'high', answeringBy: 'reader' }) });
  expect(row().getByRole('button', { name: /\(not on the slide, answers the question\)$/u })).toBeTruthy();
  expect(row().getByText('Not proved').className).not.toContain('text-good');
});

it('A quote that was moved says from where once, beside the line and under the slide', async () => {
  const reason = 'in one block of text, on slide 4 alone; slide 3 was named';
  const { user } = await openReview({ report: withBurn({ citedSlide: 3, reason }) });
  const moved = 'Quoted from slide 4; the model named slide 3.';
  expect(row().getByText(moved)).toBeTruthy();
  await user.click(row().getByText(moved));
  expect(within(part('Slides')).getByText(moved)).toBeTruthy();
  expect(within(part('Slides')).getByText('(in one block of text)')).toBeTruthy();
  expect(within(part('Slides')).getByText('It was not judged whether it answers the question.')).toBeTruthy();
  expect(part('Slides').querySelector('.text-good')).toBeNull();
});

it('A quote is green by the configured level, beside its line and under the slide', async () => {
  const report = withBurn({ answering: 'some', answeringBy: 'reader' });
  const marks = { ...report.marks, rule: { level: 'some' as const, share: 0.5 } };
  const { user } = await openReview({ report: { ...report, marks } });
  const button = row().getByRole('button', { name: /\(on the slide, bears on the question\)$/u });
  expect(button.querySelectorAll('.text-good')).toHaveLength(2);
  expect(row().getByText('Settled').className).toContain('text-good');
  await user.click(button);
  expect(part('Slides').querySelectorAll('.text-good')).toHaveLength(2);
});

it.each([
  [
    'en',
    'withdrawn',
    'Read again in the picture, and no longer verified: the picture of the slide says something else: “Burn”',
  ],
  [
    'de',
    'zurückgenommen',
    'Im Bild noch einmal gelesen und nicht mehr belegt: das Bild der Folie sagt etwas anderes: „Burn“',
  ],
] as const)('A quote that was withdrawn says why, once at each place (%s)', async (language, withdrawn, text) => {
  const reason = 'read again, the picture of the slide says something else: “Burn”';
  const quote = { verdict: 'unverified', reason, reread: 'withdrawn', rereadReason: reason } as const;
  const { user } = await openReview({ report: withBurn(quote), language });
  const line = within(within(part('Financials')).getByRole('article', { name: BURN }));
  expect(line.getByText(text)).toBeTruthy();
  expect(line.getByText(withdrawn)).toBeTruthy();
  await user.click(line.getByRole('heading', { name: BURN }));
  const pane = within(part(language === 'en' ? 'Slides' : 'Folien'));
  expect(pane.getByText(text)).toBeTruthy();
  expect(pane.getAllByText(/“Burn”|„Burn“/u)).toHaveLength(1);
});

it('A withdrawn quote that a person restored says so under its slide, and nowhere that it is not verified', async () => {
  const { user } = await openReview({
    report: withBurn({ verdict: 'verified', reread: 'withdrawn', rereadReason: 'no' }),
  });
  expect(within(part('Financials')).queryByText(/no longer verified/u)).toBeNull();
  await user.click(within(part('Financials')).getByRole('heading', { name: BURN }));
  expect(within(part('Slides')).getByText(/a person called it right/u)).toBeTruthy();
  expect(within(part('Slides')).queryByText(/no longer verified/u)).toBeNull();
});

it.each([
  [
    'its letters are too small: a line is less than 12 pixels high',
    'en',
    /^Not read again: its letters are too small/u,
  ],
  ['its letters are too small: a line is less than 12 pixels high', 'de', /^Nicht noch einmal gelesen: seine Buchst/u],
  ['no worker took it', 'de', /^Nicht noch einmal gelesen\.$/u],
  [null, 'en', /^Not read again\.$/u],
] as const)(
  'A quote that was not read again says so under its slide: %s (%s)',
  async (rereadReason, language, text) => {
    const report = withBurn({ reread: 'not_read', rereadReason, answering: 'some', answeringBy: 'readings' });
    const { user } = await openReview({ report, language });
    await user.click(within(part('Financials')).getByRole('heading', { name: BURN }));
    const pane = within(part(language === 'en' ? 'Slides' : 'Folien'));
    expect(pane.getByText(text)).toBeTruthy();
    expect(
      pane.getByText(
        language === 'en' ? /comparison with the built-in rules/u : /Vergleich mit den eingebauten Regeln/u,
      ),
    ).toBeTruthy();
  },
);

it('An answer that is not supported stands among what was not found, and what was kept can be unfolded', async () => {
  const { user } = await openReview({
    report: reportWith({ monthly_burn: { state: 'not_supported', answer: 'They burn a lot.' } }),
  });
  const money = within(part('Financials'));
  expect(screen.queryByRole('article', { name: BURN })).toBeNull();
  await user.click(money.getByRole('button', { name: '2 questions: not found in the deck' }));
  expect(money.getByText(/^Something was found whose own check/u)).toBeTruthy();
  expect(money.queryByText('They burn a lot.')).toBeNull();
  await user.click(money.getByRole('button', { name: 'Show what was found' }));
  expect(row().getByText('They burn a lot.')).toBeTruthy();
  expect(row().getByText('“Monthly burn is 140,000 euros.”')).toBeTruthy();
});

it('Only what the deck says has the marks of quotes and no marks of claims, and is not judged', async () => {
  const { user } = await openReview({ report: withBurn({ answering: 'high', answeringBy: 'reader' }) });
  await user.click(screen.getByRole('checkbox', { name: 'Only what the deck says' }));
  expect(row().getByRole('button', { name: /answers the question\)$/u })).toBeTruthy();
  expect(row().queryByText('Settled')).toBeNull();
  expect(row().queryByRole('button', { name: /^Right/u })).toBeNull();
  screen.getByRole('article', { name: BURN }).focus();
  await user.keyboard('rw');
  expect(sentVerdicts()).toEqual([]);
});
