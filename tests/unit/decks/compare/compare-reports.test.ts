/** Comparing two reports: nothing is missed, nothing is said twice, and it is the same whichever way round. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareReports } from '../../../../domain/decks/compare/compare-reports.ts';
import { type Comparison, comparisonSchema } from '../../../../domain/decks/compare/comparison.ts';
import { PARTS } from '../../../../domain/decks/compare/parts.ts';
import { isSame } from '../../../../domain/decks/compare/reading.ts';
import { changedWords } from '../../../../domain/decks/compare/words.ts';
import type { AnalysisReport } from '../../../../domain/decks/report.ts';
import { forAll } from '../../../../testing/property.ts';
import { provenance, reportWith, withQuestions } from '../../api/report-fixture.ts';

const OTHER_ID = '33333333-3333-4333-8333-333333333333';
/** Written out and read again: the fixture uses some of its parts in several places. */
const base = (): AnalysisReport => JSON.parse(JSON.stringify(reportWith('some words of a deck'))) as AnalysisReport;

type Path = readonly (string | number)[];

/** Every single value of a document with the way to it. */
function scalars(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  if (value === null || typeof value !== 'object') return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) =>
    scalars(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** What two reports are matched by, what is said elsewhere in them, and what says nothing of the deck. */
const NOT_COMPARED =
  /^(analysisId|createdAt|startedAt|finishedAt|durationMs|stage|company|offering|funding|deckDate|keyPoints|recommendations|replay|rollout\.name|deck\.id)\b|\.(slug|field|kind|number|item|imageUrl|topic)$|^template\.slug$|evidence\.\d+\.(slide|quote|boxes|answering|answeringBy|citedSlide|recognised|reread|rereadReason)$|^marks\b|^steering\b|^contradictions\b|^secondReading\b|[pP]rovenance\.(host|outsideHost|setupVersion|attempts|durationMs|loadMs|promptTokens|outputTokens|computedAt|task)$|[pP]rovenance$/u;
// A kind of figure and the engine's are values all the same.
const COMPARED_ALL_THE_SAME = /^(engine|profile\.document)\.kind$|figures\.\d+\.kind$|^sector\.slug$/u;

const compared = scalars(base()).filter(({ path }) => {
  const name = path.join('.');
  return COMPARED_ALL_THE_SAME.test(name) || !NOT_COMPARED.test(name);
});

/** Another value of the same kind. */
const other = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  return value === null ? 'no longer null' : `${JSON.stringify(value)} changed`;
};

function withChanged(report: AnalysisReport, paths: readonly Path[]): AnalysisReport {
  const copy = structuredClone(report);
  for (const path of paths) {
    let place: Record<string | number, unknown> = copy as unknown as Record<string, unknown>;
    for (const step of path.slice(0, -1)) place = place[step] as Record<string, unknown>;
    const last = path.at(-1) ?? '';
    place[last] = other(place[last]);
  }
  return copy;
}

const changesOf = (c: Comparison): { part: string; key: string; field: string; isProvenance: boolean }[] =>
  [...PARTS.map((part) => [part, c.parts[part]] as const), ['gaps', c.gaps.changed] as const].flatMap(([part, items]) =>
    items.flatMap((item) =>
      [
        ...item.changes.map(({ field, quote }) => [`${field} ${JSON.stringify(quote)}`, false] as const),
        ...item.provenance.map(({ task, field }) => [`${task} ${field}`, true] as const),
      ].map(([field, isProvenance]) => ({ part, key: item.key, field, isProvenance })),
    ),
  );

function swapped(c: Comparison): Comparison {
  const sides = <T extends { a: unknown; b: unknown }>(x: T): T => ({ ...x, a: x.b, b: x.a });
  const presence = { both: 'both', a: 'b', b: 'a' } as const;
  const items = (list: Comparison['gaps']['changed']) =>
    list.map((item) => ({
      ...item,
      presence: presence[item.presence],
      changes: item.changes.map(sides),
      provenance: item.provenance.map(sides),
    }));
  return {
    ...sides(c),
    reasons: c.reasons.map(sides),
    parts: Object.fromEntries(PARTS.map((part) => [part, items(c.parts[part])])) as Comparison['parts'],
    gaps: { opened: c.gaps.closed, closed: c.gaps.opened, changed: items(c.gaps.changed) },
  };
}

const somePaths = fc.subarray(
  compared.map(({ path }) => path),
  { minLength: 0, maxLength: 12 },
);
/** What a report is to lose, so that there is something on one side alone. */
interface Losses {
  readonly chapter: number | null;
  readonly slide: number | null;
  readonly gap: boolean;
  readonly specialised: boolean;
}
const someLosses: fc.Arbitrary<Losses> = fc.record({
  chapter: fc.option(fc.nat(3)),
  slide: fc.option(fc.nat(1)),
  gap: fc.boolean(),
  specialised: fc.boolean(),
});
const withLosses = (r: AnalysisReport, losses: Losses): AnalysisReport => ({
  ...r,
  chapters: r.chapters.filter((_, index) => index !== losses.chapter),
  slides: r.slides.filter((_, index) => index !== losses.slide),
  gaps: losses.gap ? [] : r.gaps,
  specialised: losses.specialised ? [] : r.specialised,
});

it('a comparison of two reports says nothing of a report and itself, and counts what is equal', () => {
  const same = compareReports(base(), { ...base(), analysisId: OTHER_ID, createdAt: '2026-11-21T10:00:00.000Z' });
  expect(isSame(same)).toBe(true);
  expect(same.reasons).toEqual([]);
  expect(changesOf(same)).toEqual([]);
  expect(same.equal).toBeGreaterThan(50);
});

it('a comparison of two reports lists every changed value once, and none that did not change', async () => {
  expect(compared.length).toBeGreaterThan(80);
  await forAll([somePaths], (paths) => {
    const found = changesOf(compareReports(base(), withChanged(base(), paths)));
    const inProvenance = paths.filter((path) => /[pP]rovenance/u.test(path.join('.')));
    expect(found.filter((c) => !c.isProvenance)).toHaveLength(paths.length - inProvenance.length);
    expect(found.filter((c) => c.isProvenance)).toHaveLength(inProvenance.length);
    const names = found.map(({ part, key, field }) => JSON.stringify([part, key, field]));
    expect(new Set(names).size).toBe(names.length);
  });
});

it('a comparison of two reports is the same whichever of the two comes first', () =>
  forAll([somePaths, someLosses, someLosses], (paths, lostA, lostB) => {
    const a = withLosses(base(), lostA);
    const b = withLosses({ ...withChanged(base(), paths), analysisId: OTHER_ID }, lostB);
    expect(compareReports(b, a)).toEqual(swapped(compareReports(a, b)));
  }));

it('a comparison of two reports gives a document that its schema knows', () =>
  forAll([someLosses, someLosses], (lostA, lostB) => {
    const comparison = compareReports(withLosses(base(), lostA), withLosses(reportWith('other words'), lostB));
    expect(comparisonSchema.parse(comparison)).toEqual(comparison);
  }));

describe('questions of another template version', () => {
  const version2 = (): AnalysisReport => {
    const report = base();
    const [first, second, ...rest] = report.chapters;
    if (first === undefined || second === undefined) throw new Error('the fixture has too few chapters');
    const [moved] = first.questions;
    if (moved === undefined) throw new Error('the fixture has no question');
    return {
      ...report,
      template: { ...report.template, version: 2 },
      chapters: [
        { ...first, questions: [{ ...moved, slug: 'brand_new', text: 'What is new?' }] },
        { ...second, questions: [...second.questions, moved] },
        ...rest,
      ],
    };
  };

  it('are matched by their slug although they moved to another chapter; added ones are named', () => {
    const { parts } = compareReports(base(), version2());
    expect(parts.questions).toMatchObject([
      { name: 'What is new?', key: 'seven_chapter_review/brand_new', presence: 'b' },
      { key: 'seven_chapter_review/question_1', presence: 'both', changes: [{ field: 'chapter', b: 'chapter_2' }] },
    ]);
    expect(parts.run[0]?.changes).toEqual([{ field: 'template.version', quote: null, a: 1, b: 2 }]);
  });

  it('are told apart by chapter where two have one slug', () => {
    const twice = (score: number): AnalysisReport =>
      withQuestions(base(), (_, { slug }) => ({ slug: 'same', score: slug === 'chapter_3' ? score : 1 }));
    expect(compareReports(twice(2), twice(5)).parts.questions).toMatchObject([
      { key: 'seven_chapter_review/chapter_3/same', changes: [{ field: 'score', a: 2, b: 5 }] },
    ]);
  });

  it('of another template altogether are others', () => {
    const another = { ...base(), template: { ...base().template, slug: 'another' } };
    const { parts } = compareReports(base(), another);
    expect(parts.questions.map((q) => q.presence).toSorted()).toEqual(['a', 'a', 'a', 'a', 'b', 'b', 'b', 'b']);
  });
});

describe('why results may differ', () => {
  const withProvenance = (changes: Partial<typeof provenance>): AnalysisReport =>
    withQuestions(base(), () => ({ answerProvenance: { ...provenance, ...changes } }));

  it('names the model once, with the number of results it concerns', () => {
    const other = withProvenance({ model: 'gemma3:12b', contentKey: 'other', host: 'elsewhere', durationMs: 1 });
    expect(compareReports(base(), other).reasons).toEqual([
      { task: 'answer_question', field: 'model', a: 'deckhand-reader', b: 'gemma3:12b', results: 4 },
    ]);
  });

  it('says that what a call read differs when nothing else does', () =>
    expect(compareReports(base(), withProvenance({ contentKey: 'other' })).reasons).toEqual([
      { task: 'answer_question', field: 'input', a: null, b: null, results: 4 },
    ]));

  it('says that a replay computed it anew, which is another thing than another input', () => {
    const anew = new Set(['answer_question']);
    const reason = { task: 'answer_question', field: 'anew', a: null, b: null, results: 4 };
    expect(compareReports(base(), withProvenance({ contentKey: 'other' }), anew).reasons).toEqual([reason]);
    const model = withProvenance({ contentKey: 'other', model: 'gemma3:12b' });
    expect(compareReports(base(), model, anew).reasons.map((r) => r.field)).toEqual(['anew', 'model']);
    // What both have from the same result was not computed anew.
    expect(compareReports(base(), base(), anew).reasons).toEqual([]);
  });

  it('says nothing of where and how long it ran', () => {
    const other = withProvenance({ host: 'elsewhere', durationMs: 1, attempts: 1, computedAt: '2027-01-01T00:00:00Z' });
    expect(isSame(compareReports(base(), other))).toBe(true);
    expect(compareReports(base(), other).reasons).toEqual([]);
  });
});

it.each(['contradicted', 'verified_ocr'] as const)(
  'a comparison gives the verdict on a quote with the quote: %s',
  (verdict) => {
    const other = base();
    const quote = other.extractions[0]?.evidence[0];
    if (quote === undefined) throw new Error('the fixture has no quote');
    quote.verdict = verdict;
    expect(compareReports(base(), other).parts.extractions[0]?.changes).toEqual([
      { field: 'quote', quote: { slide: 1, text: 'some words of a deck' }, a: 'verified', b: verdict },
    ]);
  },
);

it('a comparison lists gaps that were opened and closed', () => {
  const gap = { item: 'question/x', stage: 'scoring', slide: null, question: 'x', code: 'unparseable', message: 'no' };
  const { gaps } = compareReports(base(), { ...base(), gaps: [gap] });
  expect(gaps.opened).toEqual([gap]);
  expect(gaps.closed.map((g) => g.item)).toEqual(['slide/2/description']);
  expect(gaps.changed).toEqual([]);
});

it('a comparison takes a replay that found the same for the same, and says that it is one', () => {
  const again = { ...base(), analysisId: OTHER_ID, replay: { of: base().analysisId, kind: 'full' as const } };
  const comparison = compareReports(base(), again);
  expect(isSame(comparison)).toBe(true);
  expect(comparison.b.replay).toEqual({ of: base().analysisId, kind: 'full' });
});

// Which words changed: both texts can be read from the runs, and equal words are never marked.
const sentence = fc
  .array(fc.constantFrom('the', 'market', 'is', 'large', 'small', 'and', 'grows', 'fast'), { maxLength: 14 })
  .map((words) => words.join(' '));

it('changed words hold both texts', () =>
  forAll([sentence, sentence], (a, b) => {
    const runs = changedWords(a, b);
    const without = (kind: string): string =>
      runs
        .filter((run) => run.kind !== kind)
        .map((run) => run.text)
        .join(' ');
    expect(without('added')).toBe(a);
    expect(without('removed')).toBe(b);
  }));

it('changed words mark nothing in equal texts, and are runs, not single words', async () => {
  await forAll([sentence], (a) => changedWords(a, a).every((run) => run.kind === 'same'));
  expect(changedWords('the market is large and grows', 'the market is very small and grows')).toEqual([
    { kind: 'same', text: 'the market is' },
    { kind: 'removed', text: 'large' },
    { kind: 'added', text: 'very small' },
    { kind: 'same', text: 'and grows' },
  ]);
});

it('changed words never put two runs of one kind beside each other', () =>
  forAll([sentence, sentence], (a, b) => {
    const runs = changedWords(a, b);
    return runs.every((run, index) => run.kind !== runs[index + 1]?.kind);
  }));

it('changed words show texts of thousands of words as a whole where the table would be too large', () => {
  const long = (word: string): string => Array.from({ length: 2000 }, (_, i) => `${word}${i}`).join(' ');
  expect(changedWords(long('a'), long('b')).map((run) => run.kind)).toEqual(['removed', 'added']);
});
