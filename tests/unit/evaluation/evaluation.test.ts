import { describe, expect, it } from 'vitest';
import { compareEvaluations } from '../../../domain/evaluation/compare.ts';
import { provenancesOf } from '../../../domain/decks/provenance.ts';
import { isMadeWith } from '../../../domain/evaluation/provenance.ts';
import { renderHtml } from '../../../api/document/html.ts';
import { evaluationDocument } from '../../../cli/evaluation/report.ts';
import { renderEvaluation, renderEvaluationComparison } from '../../../cli/evaluation/text.ts';
import { provenance, reportWith } from '../api/report-fixture.ts';
import type { DeckLabel } from '../../../domain/evaluation/labels.ts';
import { factWith, quoteAt, reviewWith } from './topic-fixture.ts';
import { chaptersWithScores, deckWith, evaluationWith } from './fixture.ts';

const PLAIN = { colours: false, width: 200 };

describe('the figures of a run', () => {
  it('count each outcome, and leave out decks that were not reviewed', () => {
    const none = { analysisId: null, report: null };
    const { figures } = evaluationWith([
      deckWith('acme'),
      deckWith('bolt', { label: { company: ['Else'] } }),
      deckWith('cold', { label: { company: null } }),
      deckWith('damaged', { ...none, refused: true, failure: { code: 'pdf_damaged', message: 'x' } }),
      deckWith('away', { ...none, failure: { code: 'service_unavailable', message: 'x' } }),
      deckWith('nolabel', { label: null }),
    ]);
    expect(figures).toMatchObject({ decks: 6, labelled: 5, finished: 4, invented: 1 });
    expect(figures.fields).toEqual([
      {
        field: 'company',
        counts: { right: 1, wrong: 1, invented: 1, missed: 1 },
        right: expect.objectContaining({ right: 1, of: 3 }),
        rightOrPartly: expect.objectContaining({ right: 1, of: 3 }),
        rightlyNone: expect.objectContaining({ right: 0, of: 1 }),
      },
    ]);
  });

  it('give no share of offerings before a person has graded each', () => {
    const missed = deckWith('acme', { label: { offering: 'x' } }, { offering: null });
    const found = (grades: object) => deckWith('bolt', { label: { offering: 'x', offering_grades: { ...grades } } });
    const shareIn = (...decks: Parameters<typeof evaluationWith>[0]) => evaluationWith(decks).figures.fields[0];
    expect(shareIn(missed, found({}))).toMatchObject({
      counts: { missed: 1, not_graded: 1 },
      right: { right: 0, of: 0 },
    });
    const right = deckWith('cold', { label: { offering: 'cold' } });
    expect(renderEvaluation(evaluationWith([right, found({})]), PLAIN)).toMatch(/^offering +1\/\? /mu);
    expect(shareIn(missed, found({ bolt: 'partly' }))).toMatchObject({
      right: { right: 0, of: 2 },
      rightOrPartly: { right: 1, of: 2 },
    });
  });

  it('count quotes by verdict, those of answers and of values apart, and those verified by OCR apart', () => {
    const evaluation = evaluationWith([deckWith('acme')]);
    const { quotes } = evaluation.figures;
    // Four questions with the same quotes each; a value and a reading with them.
    expect(quotes.answers).toEqual({ verified: 4, verified_ocr: 4, glued: 4, contradicted: 4 });
    expect(quotes.values).toEqual({ verified: 2, verified_ocr: 2, glued: 2, contradicted: 2 });
    expect(renderEvaluation(evaluation, PLAIN)).toContain(
      'Quotes of answers: 4 verified, 4 verified (OCR), 4 glued, 4 contradicted',
    );
  });

  it('count a result once, however often the review shows it, and add money exactly', () => {
    const { usage } = evaluationWith([deckWith('acme'), deckWith('bolt', { usd: '0.20' })]).figures;
    const tokens = { promptTokens: 200, outputTokens: 40 };
    expect(usage).toMatchObject({ calls: 2, storedCalls: 2, ...tokens, seconds: 18, usd: '0.3' });
  });

  it('compare coverage and scores with their labels', () => {
    const questions = {
      question_1: { covered: 'yes', score: 6 },
      question_2: { covered: 'no', score: 2 },
      question_3: { answer: 'Two cities pay.' },
    } as const;
    const label = { questions };
    const { figures, decks } = evaluationWith([
      deckWith('acme', { label }, chaptersWithScores(5, 4)),
      deckWith('unread', { label }, { chapters: [] }),
    ]);
    expect(figures.questions).toMatchObject({
      counts: { right: 1, invented: 1, missed: 1, rightly_none: 1 },
      answered: { right: 1, of: 2 },
      rightlyNone: { right: 1, of: 2 },
      scores: { compared: 2, meanDistance: 1.5 },
    });
    expect(decks.map(({ judgedQuestions }) => judgedQuestions.length)).toEqual([3, 3]);
  });

  it('leave out labelled questions that the template does not ask, and name them', () => {
    const questions = { question_1: { covered: 'yes' }, qestion_2: { covered: 'yes', score: 2 } } as const;
    const evaluation = evaluationWith([deckWith('acme.pdf', { label: { questions } })]);
    expect(evaluation.figures.questions).toMatchObject({ counts: { right: 1 }, scores: { compared: 0 } });
    expect(renderEvaluation(evaluation, PLAIN)).toContain(
      'Not judged, because the template does not ask these labelled questions: qestion_2 (acme.pdf).',
    );
  });
});

describe('the figures of topics and places', () => {
  const box: [number, number, number, number] = [0.1, 0.1, 0.5, 0.2];
  const places = [{ slide: 4, box }];
  const label: DeckLabel = {
    company: ['acme'],
    date: null,
    topics: { team: [{ name: 'Ada Example', role: 'CEO', places }], competition: [], stage: [] },
    questions: {
      question_1: { covered: 'yes', places },
      question_2: { covered: 'no' },
      question_3: { covered: 'partly', places: [{ slide: 1, box }] },
    },
  };
  const given = (level: 'high' | 'doubtful') =>
    reviewWith({
      team: [factWith({ name: 'Ada Example', value: 'CEO', evidence: [quoteAt(4, box, { answering: level })] })],
      competition: [factWith({ name: 'Nordrad', evidence: [quoteAt(2, box, { answering: 'doubtful' })] })],
      stage: [factWith({ value: 'Seed' })],
    });
  const deck = (level: 'high' | 'doubtful') => ({
    ...deckWith('acme', { label: label }),
    report: { ...given(level), company: 'acme' },
  });
  const evaluation = evaluationWith([deck('high')]);
  const { figures } = evaluation;

  it('count what was found, what was invented, and what is cited in the right place', () => {
    expect(figures.topics.map(({ topic, counts }) => [topic, counts])).toEqual([
      ['team', { right: 1 }],
      ['competition', { invented: 1 }],
      ['stage', { invented: 1 }],
    ]);
    expect(figures.facts).toMatchObject({
      counts: { right: 1, invented: 2 },
      found: { right: 1, of: 1 },
      right: { right: 1, of: 3 },
      attribution: { page: { right: 1, of: 1 }, box: { right: 1, of: 1 } },
      attributed: { right: 1, of: 1 },
    });
  });

  it('tell what decks do not say: typed values apart from questions', () =>
    // The date of the report and the competitor; the stage is told in words.
    expect(figures.unanswerable).toMatchObject({ typed: { right: 2, of: 2 }, questions: { right: 1, of: 1 } }));

  it('compare coverage in three grades, and the places of answers', () =>
    // The answers of the report are covered, covered and covered, with a quote on slide 1.
    expect(figures.questions).toMatchObject({
      sameCoverage: { right: 1, of: 3 },
      attribution: { page: { right: 1, of: 2 }, box: { right: 0, of: 2 } },
      attributed: { right: 0, of: 2 },
    }));

  it('give by the level of the mark how many values are right', () => {
    const of = (kind: string) => figures.calibration.find((each) => each.kind === kind)?.levels;
    expect(of('topic team')).toEqual([{ level: 'high', right: expect.objectContaining({ right: 1, of: 1 }) }]);
    expect(of('topic competition')).toEqual([
      { level: 'doubtful', right: expect.objectContaining({ right: 0, of: 1 }) },
    ]);
    expect(of('topic stage')).toEqual([{ level: 'not_judged', right: expect.objectContaining({ right: 0, of: 1 }) }]);
    expect(of('company')).toEqual([{ level: 'not_judged', right: expect.objectContaining({ right: 1, of: 1 }) }]);
  });

  it('read well on a terminal and as a page', async () => {
    await expect(renderEvaluation(evaluation, PLAIN)).toMatchFileSnapshot('snapshots/topics.txt');
    const page = renderHtml(evaluationDocument([evaluation], null));
    for (const words of ['Nordrad', 'right box', 'Given though the deck does not say it'])
      expect(page).toContain(words);
  });

  it('are compared by the facts of each topic', () => {
    const other = evaluationWith(
      [{ ...deck('high'), report: { ...reviewWith({}, ['competition']), company: 'acme' } }],
      'b'.repeat(64),
    );
    const comparison = compareEvaluations(evaluation, other);
    expect(comparison.topics).toMatchObject([
      {
        topic: 'team',
        changed: [{ a: { found: ['Ada Example (CEO)'], outcome: 'right' }, b: { found: [], outcome: 'missed' } }],
      },
      { topic: 'competition', changed: [{ b: { found: ['stated as absent'], outcome: 'invented' } }] },
      { topic: 'stage', changed: [{ a: { found: ['Seed'] }, b: { found: [], outcome: 'rightly_none' } }] },
    ]);
    expect(comparison.decks).toMatchObject([{ changedTopics: ['team', 'competition', 'stage'] }]);
    expect(renderEvaluationComparison(comparison, PLAIN)).toContain('acme: Ada Example (CEO) (right) → none (missed)');
    expect(renderHtml(evaluationDocument([evaluation, other], comparison))).toContain('Ada Example (CEO)');
  });

  it('say that topics are not judged in a review without a profile', () => {
    const review = reviewWith({});
    const report = { ...review, profile: { ...review.profile, status: 'not_asked' as const, topics: [] } };
    expect(renderEvaluation(evaluationWith([{ ...deck('high'), report }]), PLAIN)).toContain(
      'Topics not judged, because the review was made without a profile: acme.',
    );
  });
});

describe('two runs beside each other', () => {
  const a = evaluationWith([
    deckWith('acme', {}, chaptersWithScores(1, 2, 3)),
    deckWith('bolt', {}, { company: 'Wrong', ...chaptersWithScores(5, 5, 5) }),
    deckWith('only-a'),
  ]);
  const newer = { ...provenance, promptVersion: 2, modelDigest: 'sha256:fedcba9876543210' };
  const value = reportWith('bolt').extractions.map((each) => ({ ...each, provenance: newer }));
  const b = evaluationWith(
    [
      deckWith('acme', {}, chaptersWithScores(1, 2, 3)),
      deckWith('bolt', {}, { extractions: value, ...chaptersWithScores(7, 5, null) }),
      deckWith('only-b'),
    ],
    'b'.repeat(64),
  );
  const comparison = compareEvaluations(a, b);

  it('show the decks whose values or scores changed, and those of one side only', () => {
    expect(comparison.fields).toEqual([
      {
        field: 'company',
        changed: [
          {
            file: 'bolt',
            wanted: 'bolt',
            a: { found: 'Wrong', outcome: 'wrong' },
            b: { found: 'bolt', outcome: 'right' },
          },
        ],
      },
    ]);
    expect(comparison.decks).toEqual([
      {
        file: 'bolt',
        scored: 2,
        meanDistance: 1,
        changedFields: ['company'],
        changedTopics: [],
        changedScores: [
          { slug: 'question_1', a: 5, b: 7 },
          { slug: 'question_3', a: 5, b: null },
        ],
      },
    ]);
    expect(comparison).toMatchObject({ sameDecks: 1, onlyInA: ['only-a'], onlyInB: ['only-b'] });
  });

  it('have figures over the decks of both', () => {
    const companyIn = (side: 'a' | 'b') => comparison[side].figures.fields.find(({ field }) => field === 'company');
    expect(companyIn('a')?.right).toMatchObject({ right: 1, of: 2 });
    expect(companyIn('b')?.right).toMatchObject({ right: 2, of: 2 });
  });

  it('show the agreement per question', () => {
    const first = comparison.questions.find(({ slug }) => slug === 'question_1');
    // Scores 1 and 5 beside 1 and 7: 1 − 2 / (4 + 9 + 1).
    expect(first).toMatchObject({ scored: 2, same: 1, meanChange: 1, meanDistance: 1 });
    expect(first?.kappa).toBeCloseTo(1 - 2 / 14, 12);
    expect(comparison.allQuestions).toMatchObject({ scored: 5, same: 4 });
  });

  it('show what differs in how they were made', () =>
    expect(comparison.making).toEqual([
      { what: 'code', task: null, a: 'aaaaaaaaaaaa', b: 'bbbbbbbbbbbb' },
      {
        what: 'model',
        task: 'answer_question',
        a: 'deckhand-reader @ 0123456789ab',
        b: 'deckhand-reader @ 0123456789ab, deckhand-reader @ fedcba987654',
      },
      { what: 'prompt', task: 'answer_question', a: 'v1', b: 'v1, v2' },
    ]));

  it('of one run have no difference, and say so without an empty table', () => {
    const same = compareEvaluations(a, a);
    expect(same).toMatchObject({ making: [], fields: [], decks: [], onlyInA: [], onlyInB: [], sameDecks: 3 });
    const text = renderEvaluationComparison(same, PLAIN);
    expect(text).toContain('Both were made in the same way.');
    expect(text).not.toContain('least agreement');
  });

  it('read well on a terminal, and as a page without script or what a deck injects', async () => {
    await expect(renderEvaluation(a, PLAIN)).toMatchFileSnapshot('snapshots/evaluation.txt');
    await expect(renderEvaluationComparison(comparison, PLAIN)).toMatchFileSnapshot('snapshots/comparison.txt');
    const evil = evaluationWith([
      deckWith('<script>alert(1)</script>.pdf', {}, { company: '<img src=x onerror=alert(1)>' }),
    ]);
    const page = renderHtml(evaluationDocument([evil, b], compareEvaluations(evil, b)));
    expect(page).not.toMatch(/<script|<img|https?:/u);
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toMatch(/\bundefined\b|NaN|\[object/u);
  });
});

it('a review stands while each of its results was made with the configured models and options', () => {
  const report = reportWith('acme');
  const { numCtx, numPredict, temperature } = provenance.options;
  const model = { task: 'answer_question', model: provenance.model, pinnedDigest: '0123456789abcdef' };
  const now = { ...model, numCtx, numPredict, temperature };
  expect(provenancesOf(report).length).toBeGreaterThan(5);
  expect(isMadeWith(report, [now])).toBe(true);
  expect(isMadeWith(report, [{ ...now, pinnedDigest: null }])).toBe(true);
  expect(isMadeWith(report, [{ ...now, pinnedDigest: 'sha256:fedcba' }])).toBe(false);
  expect(isMadeWith(report, [{ ...now, model: 'other' }])).toBe(false);
  expect(isMadeWith(report, [{ ...now, numCtx: 4096 }])).toBe(false);
  expect(isMadeWith(report, [])).toBe(false);
});
