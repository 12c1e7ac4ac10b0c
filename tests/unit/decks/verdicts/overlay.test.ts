/** What people say, laid over a report: the last one holds, and what the machine said stays as it is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnalysisReport } from '../../../../domain/decks/report.ts';
import type { HumanVerdict } from '../../../../domain/decks/verdicts/human-verdict.ts';
import { currentVerdicts, withVerdicts } from '../../../../domain/decks/verdicts/overlay.ts';
import { forAll } from '../../../../testing/property.ts';
import { said } from '../../../../testing/said.ts';
import { reportWith } from '../../api/report-fixture.ts';

const report: AnalysisReport = reportWith('Acme');
const slugs = report.chapters.flatMap((chapter) => chapter.questions.map(({ slug }) => slug));

const someScore = fc.record({
  kind: fc.constant('score' as const),
  subject: fc.constantFrom(...slugs, 'not_in_this_report').map((slug) => `question/${slug}`),
  score: fc.option(fc.integer({ min: 0, max: 7 })),
});
const someText = fc.record({
  kind: fc.constantFrom('value' as const, 'tag' as const, 'assignee' as const, 'decision' as const),
  subject: fc.constantFrom('deck', 'value/company_name', 'value/sector', 'value/funding'),
  text: fc.option(fc.constantFrom('one', 'two', 'three')),
});
const someNote = fc.record({
  kind: fc.constant('note' as const),
  subject: fc.constantFrom('deck', 'slide/1'),
  item: fc.constantFrom('first', 'second'),
  text: fc.option(fc.constantFrom('one', 'two')),
});
const history = fc.array(fc.oneof(someScore, someText, someNote), { maxLength: 20 }).map((list) => list.map(said));

const sameThing = (a: HumanVerdict, b: HumanVerdict): boolean =>
  a.kind === b.kind && a.subject === b.subject && a.item === b.item;

describe('what holds of a history', () => {
  it('is the last thing said of each subject, and nothing where that is a withdrawal', () =>
    forAll([history], (verdicts) => {
      const current = currentVerdicts(verdicts);
      for (const verdict of verdicts) {
        const last = verdicts.findLast((other) => sameThing(other, verdict));
        const held = current.filter((other) => sameThing(other, verdict));
        expect(held).toEqual(last === undefined || last.withdrawn ? [] : [last]);
      }
      expect(current.every((verdict) => verdicts.includes(verdict))).toBe(true);
    }));

  it('does not depend on the order in which rows are given', () =>
    forAll([history, fc.infiniteStream(fc.nat())], (verdicts, numbers) => {
      const shuffled = verdicts
        .map((verdict) => ({ verdict, at: numbers.next().value ?? 0 }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ verdict }) => verdict);
      expect(currentVerdicts(shuffled)).toEqual(currentVerdicts(verdicts));
    }));

  it('is not changed for one subject by what is said of others', () =>
    forAll([history, history], (verdicts, more) => {
      const others = more.filter((verdict) => !verdicts.some((known) => sameThing(known, verdict)));
      const current = currentVerdicts([...verdicts, ...others]);
      expect(current).toEqual(expect.arrayContaining(currentVerdicts(verdicts)));
      expect(current.filter((verdict) => verdicts.includes(verdict))).toEqual(currentVerdicts(verdicts));
    }));

  it('is what held before once a change is said and taken back to it', () =>
    forAll([history, someScore], (verdicts, score) => {
      const before = currentVerdicts(verdicts);
      const known = before.find((verdict) => verdict.kind === 'score' && verdict.subject === score.subject);
      const after = currentVerdicts([
        ...verdicts,
        said(score),
        said({ kind: 'score', subject: score.subject, score: known?.score ?? null }),
      ]);
      const shown = (list: readonly HumanVerdict[]) => withVerdicts(report, list).overall;
      expect(shown(after)).toEqual(shown(before));
    }));
});

describe('a report with what people say', () => {
  it('keeps every score, value and text of the machine', () =>
    forAll([history], (verdicts) => {
      const before = structuredClone(report);
      const judged = withVerdicts(report, currentVerdicts(verdicts));
      expect(report).toEqual(before);
      expect(judged.overall.machine).toBe(report.overall.score);
      for (const chapter of report.chapters) {
        expect(judged.chapters.get(chapter.slug)?.machine).toBe(chapter.score);
        for (const { slug, score } of chapter.questions) expect(judged.questions.get(slug)?.machine).toBe(score);
      }
      for (const { field, raw } of report.extractions) expect(judged.values.get(field)?.machine).toBe(raw);
      expect(judged.values.get('sector')?.machine).toBe(report.sector.slug);
    }));

  it('has exactly the scores of the machine where nobody gave another', () =>
    forAll(
      [history, fc.array(fc.double({ min: 0, max: 7, noNaN: true }), { minLength: 4, maxLength: 4 })],
      (verdicts, scores) => {
        const stored = { ...report, chapters: report.chapters.map((c, i) => ({ ...c, score: scores[i] ?? null })) };
        const withoutScores = verdicts.filter(({ kind }) => kind !== 'score');
        const judged = withVerdicts(stored, currentVerdicts(withoutScores));
        expect(judged.overall.score).toBe(stored.overall.score);
        for (const { slug, score } of stored.chapters) expect(judged.chapters.get(slug)?.score).toBe(score);
      },
    ));

  it('has the score of a person in place of the machine’s, in its chapter and overall', () => {
    const one = said({ kind: 'score', subject: 'question/question_1', score: 0, reason: 'no proof' });
    const judged = withVerdicts(report, currentVerdicts([one]));
    expect(judged.questions.get('question_1')).toEqual({ slug: 'question_1', machine: 6, human: one, score: 0 });
    expect(judged.chapters.get('chapter_1')).toEqual({ machine: 6, score: 0, scored: 1, asked: 1, overridden: 1 });
    expect(judged.chapters.get('chapter_2')).toMatchObject({ machine: 4.5, score: 4.5, overridden: 0 });
    expect(judged.overall).toEqual({ machine: 4.25, score: (0 + 4.5 + 2.25) / 3, scored: 3, asked: 4, overridden: 1 });
  });

  it('counts a question that only a person scored', () => {
    const one = said({ kind: 'score', subject: 'question/question_4', score: 7 });
    const judged = withVerdicts(report, currentVerdicts([one]));
    expect(judged.chapters.get('chapter_4')).toEqual({ machine: null, score: 7, scored: 1, asked: 1, overridden: 1 });
    expect(judged.overall).toMatchObject({ scored: 4, asked: 4, overridden: 1 });
  });

  it('shows corrections beside the machine’s words, notes, tags, assignee and decision', () => {
    const list = [
      said({ kind: 'value', subject: 'value/company_name', text: 'Zeta' }),
      said({ kind: 'note', subject: 'slide/1', item: 'a', text: 'old' }),
      said({ kind: 'tag', subject: 'seed', text: 'seed' }),
      said({ kind: 'tag', subject: 'berlin', text: 'berlin' }),
      said({ kind: 'assignee', text: 'Bob' }),
      said({ kind: 'decision', text: 'meet' }),
      said({ kind: 'note', subject: 'slide/1', item: 'a', text: 'new' }),
    ];
    const judged = withVerdicts(report, currentVerdicts(list));
    expect(judged.values.get('company_name')).toEqual({ field: 'company_name', machine: 'Acme', human: list[0] });
    expect(judged.values.get('sector')).toEqual({ field: 'sector', machine: 'telemedicine', human: null });
    expect(judged.notes).toEqual([list[6]]);
    expect(judged.tags).toEqual(['berlin', 'seed']);
    expect([judged.assignee?.text, judged.decision?.text]).toEqual(['Bob', 'meet']);
  });

  it('keeps the judgements on its very words, and none on other words or on what it does not have', () => {
    const about = (subject: string, text: string | null): HumanVerdict =>
      said({ kind: 'judgement', subject, text: 'right', machine: { text, score: null } });
    const current = [
      about('value/company_name', 'Acme'),
      about('value/offering', 'something else'),
      about('value/sector', 'telemedicine'),
      about('question/not_in_this_report', null),
    ];
    expect([...withVerdicts(report, current).judgements.values()]).toEqual(current.slice(0, 1));
  });
});
