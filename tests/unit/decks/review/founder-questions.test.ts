/** What a deck leaves open, as questions to the founder. */
import { expect, it } from 'vitest';
import type { AnalysisReport, ReportQuestion } from '../../../../domain/decks/report.ts';
import {
  founderMail,
  founderQuestions,
  founderText,
  type FounderQuestion,
} from '../../../../domain/decks/review/founder-questions.ts';
import { founderWords } from '../../../../domain/decks/review/founder-words.ts';
import { LANGUAGES } from '../../../../domain/models/model-tasks.ts';
import { SEVEN_CHAPTER_REVIEW } from '../../../../prisma/seed/seven-chapter-review.ts';
import { forAll } from '../../../../testing/property.ts';
import { reportWith } from '../../api/report-fixture.ts';
import { chapterAsking, quoted } from '../fixtures.ts';
import { anyReport } from './arbitrary-report.ts';

const slugs = SEVEN_CHAPTER_REVIEW.chapters.flatMap((chapter) => chapter.questions.map(({ slug }) => slug));
const quotes = [quoted('Two pilots run.', 3), quoted('Both are paid.', 4)];

/** A report of which nothing is open but what is changed. */
function closed(changes: Partial<AnalysisReport>): AnalysisReport {
  return reportWith('Acme', { chapters: [], contradictions: [], extractions: [], slides: [], ...changes });
}

/** One chapter with these questions. */
const asking = (...questions: readonly Partial<ReportQuestion>[]): AnalysisReport =>
  closed({ chapters: chapterAsking(questions.map((each) => ({ evidence: [], ...each }))) });

const idsOf = (questions: readonly FounderQuestion[]): string[] => questions.map(({ id }) => id);

it('every question of the Seven-Chapter review has words in every language', () => {
  for (const language of LANGUAGES)
    expect(Object.keys(founderWords[language].questions).toSorted()).toEqual(slugs.toSorted());
});

it('founders are asked each question once, and only what is open', () =>
  forAll([anyReport], (report) => {
    const questions = founderQuestions(report);
    expect(new Set(idsOf(questions)).size).toBe(questions.length);
    for (const chapter of report.chapters) {
      for (const { slug, state, status, covered } of chapter.questions) {
        const isOpen =
          state === 'not_found' ||
          state === 'not_supported' ||
          state === 'stated_absent' ||
          (state === 'found' && covered === 'partly');
        const isUnknown = state === null && (status === 'answered' || status === 'scored');
        expect(idsOf(questions).includes(`question/${slug}`), slug).toBe(isOpen || isUnknown);
      }
    }
  }));

it('heavier questions come first, else the order is that of the chapters', () =>
  forAll([anyReport], (report) => {
    const weights = new Map(
      report.chapters.flatMap(({ questions }) => questions.map(({ slug, weight }) => [`question/${slug}`, weight])),
    );
    const order = [...weights.keys()];
    const ofChapters = idsOf(founderQuestions(report)).filter((id) => weights.has(id));
    const weightOf = (id: string): number => weights.get(id) ?? 0;
    const sorted = ofChapters.toSorted((a, b) => weightOf(b) - weightOf(a) || order.indexOf(a) - order.indexOf(b));
    expect(ofChapters).toEqual(sorted);
  }));

it('a question that is covered partly says what is there, and names a slide where it was quoted before', () => {
  const partly = { covered: 'partly' as const, evidence: quotes };
  const questions = founderQuestions(
    asking({ slug: 'pilot_customers', ...partly }, { slug: 'sales_cycle', ...partly }),
  );
  expect(questions.map(({ because }) => because)).toEqual([
    'In the deck we found: “Two pilots run.” (slide 3), “Both are paid.” (slide 4).',
    'In the deck we found something on this on slides 3, 4.',
  ]);
});

it('a question has the words of the template where it has no others', () => {
  const [question] = founderQuestions(asking({ slug: 'of_another_template', state: 'not_found' }));
  expect(question).toMatchObject({ text: 'Which problem is solved?', reason: 'not_found', chapter: 'Chapter 1' });
});

it('a value that was not found is asked for, but not beside a question that asks for it', () => {
  const [value] = reportWith('x').extractions;
  if (value === undefined) return expect.fail('the fixture has a value');
  const missing = { ...value, status: 'not_found' as const, raw: null, evidence: [] };
  const extractions = (['funding', 'deck_date'] as const).map((field) => ({ ...missing, field }));
  expect(idsOf(founderQuestions(closed({ extractions })))).toEqual(['value/funding', 'value/deck_date']);
  const { chapters } = asking({ slug: 'funding_requirements', state: 'not_found' });
  const asked = idsOf(founderQuestions(closed({ extractions, chapters })));
  expect(asked).toEqual(['value/deck_date', 'question/funding_requirements']);
});

it('a contradiction is quoted from both slides', () => {
  const contradictions: AnalysisReport['contradictions'] = [
    {
      kind: 'figure',
      subject: 'customers',
      first: { slide: 2, quote: '31 customers', value: '31' },
      second: { slide: 9, quote: '45 customers', value: '45' },
    },
  ];
  expect(founderQuestions(closed({ contradictions }))).toMatchObject([
    {
      id: 'contradiction/1',
      text: 'Slide 2 says “31 customers”, slide 9 says “45 customers”. Which of them is right?',
      because: 'These statements cannot both be right.',
    },
  ]);
});

it('the text of slides that could not be read is asked for, and another file where that is the whole deck', () => {
  const [slide] = reportWith('x').slides;
  if (slide === undefined) return expect.fail('the fixture has a slide');
  const slides = [1, 2, 5].map((number) => ({ ...slide, number, legible: number === 1 }));
  expect(founderQuestions(closed({ slides })).map(({ text }) => text)).toEqual(['What do slides 2, 5 say?']);
  expect(founderQuestions(closed({ slides: slides.slice(1) }))).toEqual([]);
  const notices = [{ code: 'no_readable_text' as const, text: 'No page could be read.' }];
  expect(idsOf(founderQuestions(closed({ slides, notices })))).toEqual(['deck']);
});

it('only questions of the chosen reasons are asked', () =>
  forAll([anyReport], (report) =>
    founderQuestions(report, { reasons: ['not_found'] }).every(({ reason }) => reason === 'not_found'),
  ));

it('questions are a numbered text, and a mail to the company', () => {
  const report = asking(
    { slug: 'churn_analysis', state: 'not_found' },
    { slug: 'pilot_customers', covered: 'partly', evidence: quotes.slice(0, 1) },
  );
  const questions = founderQuestions(report);
  expect(founderText(questions).split('\n')).toEqual([
    '1. How many customers leave you, and why?',
    '2. Which pilots have you run, and what came out of them?',
    '   In the deck we found: “Two pilots run.” (slide 3).',
  ]);
  const mail = founderMail(questions, { company: 'Acme', language: 'en' });
  expect(mail.subject).toBe('Acme: questions about your pitch deck');
  expect(mail.body).toMatch(/^Dear Acme team,\n\nThank you[^]+\n\n1\. [^]+\n\nKind regards$/u);
});

it('questions are written in German, also to a company without a name', () => {
  const questions = founderQuestions(asking({ slug: 'churn_analysis', state: 'not_found' }), { language: 'de' });
  const mail = founderMail(questions, { company: null, language: 'de' });
  expect(mail).toEqual({
    subject: 'Fragen zu Ihrem Pitch-Deck',
    body: [
      'Guten Tag,',
      'vielen Dank für Ihr Pitch-Deck. Nach dem Lesen haben wir diese Fragen:',
      '1. Wie viele Kunden verlieren Sie, und warum?',
      'Mit freundlichen Grüßen',
    ].join('\n\n'),
  });
});

it('an answer that is not supported is asked for like one that was not found, without its quotes', () => {
  const [question] = founderQuestions(asking({ state: 'not_supported', covered: 'partly', evidence: quotes }));
  expect(question).toMatchObject({ reason: 'not_found', evidence: [] });
});
