/** What changed between two reviews, claim by claim: nothing is missed, nothing is invented, and both directions agree. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangeKind, claimChanges, type ClaimDiff } from '../../../../domain/decks/compare/claim-changes.ts';
import type { AnalysisReport, ReportQuestion } from '../../../../domain/decks/report.ts';
import { forAll } from '../../../../testing/property.ts';
import { provenance, reportWith, withQuestions } from '../../api/report-fixture.ts';
import { chapterAsking, quoted } from '../fixtures.ts';

type Answer = Pick<ReportQuestion, 'answer' | 'score' | 'state' | 'status' | 'evidence'>;

/** An answer in these words of the deck. */
const says = (text: string, score = 4, verdict?: 'contradicted'): Answer => ({
  answer: text,
  score,
  state: 'found',
  status: 'scored',
  evidence: [quoted(text, 3, verdict)],
});

const SILENT: Answer = { answer: null, score: 0, state: 'not_found', status: 'scored', evidence: [] };
const FAILED: Answer = { answer: null, score: null, state: null, status: 'failed', evidence: [] };

/** A report with nothing but these answers, by slug; undefined for a question that it does not ask. */
function report(answers: Readonly<Record<string, Answer | undefined>>, ask: string | null = '€4.2M'): AnalysisReport {
  const base = reportWith('words');
  const [value] = base.extractions;
  if (value === undefined) throw new Error('the fixture has no value');
  const questions = Object.entries(answers).flatMap(([slug, answer]) =>
    answer === undefined ? [] : [{ ...answer, slug, text: `What of ${slug}?` }],
  );
  const funding = { ...value, field: 'funding', raw: ask, status: ask === null ? 'not_found' : 'found' } as const;
  return { ...base, extractions: [funding], chapters: chapterAsking(questions), specialised: [] };
}

const kinds = ({ changes }: ClaimDiff): readonly [string, ChangeKind][] => changes.map(({ id, kind }) => [id, kind]);

describe('the kind of a change', () => {
  const cases: readonly [string, Answer, Answer, ChangeKind | null][] = [
    ['another number', says('31 hospitals pay'), says('48 hospitals pay'), 'figures'],
    ['another unit of a number', says('a market of €4M'), says('a market of €4B'), 'figures'],
    ['another sign of a number', says('growth of 5%'), says('growth of -5%'), 'figures'],
    ['other words', says('sold by partners'), says('sold by our own team'), 'words'],
    ['the same, set in another way', says('31 Hospitals pay.'), says('31  hospitals pay'), null],
    ['nothing before', SILENT, says('churn is 4%'), 'appeared'],
    ['nothing after', says('churn is 4%'), SILENT, 'disappeared'],
    ['a quote that is no longer on the slide', says('churn is 4%'), says('churn is 4%', 4, 'contradicted'), 'proof'],
    ['only another score', says('churn is 4%', 3), says('churn is 4%', 5), 'score'],
    ['nothing on either side', SILENT, SILENT, null],
  ];
  it.each(cases)('%s', (_name, before, after, kind) => {
    const diff = claimChanges(report({ x: before }), report({ x: after }), 'en');
    expect(kinds(diff)).toEqual(kind === null ? [] : [['question/x', kind]]);
    expect(diff.unknown).toEqual([]);
  });

  it('an ask is the same in other words, and another with another amount', () => {
    const asking = (raw: string, amount: number): AnalysisReport => {
      const of = report({});
      return { ...of, extractions: of.extractions.map((value) => ({ ...value, raw, amount, currency: 'EUR' })) };
    };
    expect(kinds(claimChanges(asking('€4.2M', 4_200_000), asking('EUR 4,200,000', 4_200_000), 'en'))).toEqual([]);
    expect(claimChanges(asking('€4.2M', 4_200_000), asking('€6.5M', 6_500_000), 'de').changes).toMatchObject([
      { id: 'value/funding', label: 'Gesuchte Finanzierung', kind: 'figures', before: { text: '€4.2M' } },
    ]);
  });

  it('a deck that begins to say that there is none makes a claim', () => {
    const none: Answer = { ...SILENT, state: 'stated_absent', evidence: [quoted('There is no churn so far')] };
    expect(claimChanges(report({ x: SILENT }), report({ x: none }), 'en').changes).toMatchObject([
      { kind: 'appeared', after: { text: 'There is no churn so far', absence: null } },
    ]);
  });
});

it('a claim that one side could not look for has neither appeared nor disappeared', () => {
  for (const other of [FAILED, undefined]) {
    const diffs = [
      claimChanges(report({ x: says('31 hospitals') }), report({ x: other }), 'en'),
      claimChanges(report({ x: other }), report({ x: says('31 hospitals') }), 'en'),
    ];
    for (const diff of diffs) {
      expect(diff.changes).toEqual([]);
      expect(diff.unknown).toMatchObject([{ id: 'question/x' }]);
    }
  }
});

it('the same answer written in another language is no change, other figures in it are', () => {
  const written = (answer: string, language: 'en' | 'de'): AnalysisReport => {
    const answerProvenance = { ...provenance, engineKind: 'language model' };
    return {
      ...withQuestions(report({ x: { ...says('Churn is 4%'), answer } }), () => ({ answerProvenance })),
      language,
    };
  };
  const english = written('4 percent leave each year.', 'en');
  expect(kinds(claimChanges(english, written('4 Prozent gehen jedes Jahr.', 'de'), 'en'))).toEqual([]);
  expect(kinds(claimChanges(english, written('Each year 4 percent go away.', 'en'), 'en'))).toEqual([
    ['question/x', 'words'],
  ]);
  expect(kinds(claimChanges(english, written('9 Prozent gehen jedes Jahr.', 'de'), 'en'))).toEqual([
    ['question/x', 'figures'],
  ]);
});

it('questions of the same name in two chapters are compared each with its own', () => {
  const twice = (first: Answer, second: Answer): AnalysisReport => {
    const [one, two] = [report({ x: first }), report({ x: second })];
    return { ...one, chapters: [...one.chapters, ...two.chapters.map((c) => ({ ...c, slug: 'b', name: 'Second' }))] };
  };
  const diff = claimChanges(twice(says('a'), says('31')), twice(says('a'), says('48')), 'en');
  expect(diff.changes).toMatchObject([{ id: 'question/x', chapter: 'Second', kind: 'figures' }]);
});

const someAnswer: fc.Arbitrary<Answer | undefined> = fc.oneof(
  fc.constantFrom(SILENT, FAILED, undefined),
  fc
    .tuple(
      fc.constantFrom('31 hospitals pay', '48 hospitals pay', 'Hospitals pay', 'clinics pay'),
      fc.integer({ min: 0, max: 7 }),
      fc.constantFrom(undefined, 'contradicted' as const),
    )
    .map(([text, score, verdict]) => says(text, score, verdict)),
);
const someReport = fc
  .tuple(
    fc.record({ a: someAnswer, b: someAnswer, c: someAnswer, d: someAnswer }),
    fc.constantFrom('€4.2M', '€6.5M', null),
  )
  .map(([answers, ask]) => report(answers, ask));

const REVERSED: Readonly<Partial<Record<ChangeKind, ChangeKind>>> = {
  appeared: 'disappeared',
  disappeared: 'appeared',
};

it('a review has no changes from itself', () =>
  forAll([someReport], (one) => {
    const { changes, unknown } = claimChanges(one, one, 'en');
    expect([changes, unknown]).toEqual([[], []]);
  }));

it('every claim of either review is counted once: as changed, as the same, or as unknown', () =>
  forAll([someReport, someReport], (before, after) => {
    const { changes, same, unknown } = claimChanges(before, after, 'en');
    const saidIn = ({ extractions, chapters, profile }: AnalysisReport): string[] => [
      ...profile.topics.flatMap(({ topic, facts }) => (facts.length === 0 ? [] : [`profile/${topic}`])),
      'value/sector',
      ...extractions.flatMap(({ field, raw }) => (raw === null ? [] : [`value/${field}`])),
      ...chapters.flatMap((c) => c.questions).flatMap((q) => (q.answer === null ? [] : [`question/${q.slug}`])),
    ];
    const all = new Set([...saidIn(before), ...saidIn(after)]);
    const listed = [...changes, ...unknown].map(({ id }) => id);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.every((id) => all.has(id))).toBe(true);
    expect(listed.length + same).toBe(all.size);
  }));

it('the way back has the same changes with their sides exchanged', () =>
  forAll([someReport, someReport], (before, after) => {
    const there = claimChanges(before, after, 'en').changes;
    const back = claimChanges(after, before, 'en').changes;
    const turned = there.map(({ kind, ...change }) => ({
      ...change,
      kind: REVERSED[kind] ?? kind,
      before: change.after,
      after: change.before,
    }));
    const byId = (list: readonly { readonly id: string }[]) => list.toSorted((a, b) => a.id.localeCompare(b.id));
    expect(byId(back)).toEqual(byId(turned));
  }));
