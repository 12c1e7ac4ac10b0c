/** The places of a review that keys and addresses lead to. */
import { describe, expect, it } from 'vitest';
import type { AnalysisReport } from '../../../../domain/decks/report.ts';
import { quoteKey } from '../../../../domain/decks/review/proof.ts';
import { forAll } from '../../../../testing/property.ts';
import { neighbourOf, placeOf, reviewModel, type Stop } from '../../../../web/review/selection/stops.ts';
import { factFrom, profileOf, quoteFrom } from '../../../../testing/profile.ts';
import { reportWith } from '../../api/report-fixture.ts';
import { anyReport } from '../../decks/review/arbitrary-report.ts';

const keysOf = (stops: readonly Stop[]): string[] => stops.map(({ key }) => key);

/** A report with two questions that rest on the same quote, a contradiction and a warning. */
function exampleReport(): AnalysisReport {
  const report = reportWith('Plain words');
  const [chapter] = report.chapters;
  const question = chapter?.questions[0];
  if (chapter === undefined || question === undefined) throw new Error('the fixture has no question');
  const evidence = [quoteFrom(4, '31 hospitals pay.'), quoteFrom(7, 'Two pilots run.')];
  const questions = ['question_1', 'question_2'].map((slug) => ({ ...question, slug, evidence }));
  return {
    ...report,
    keyPoints: [],
    profile: profileOf(
      {
        team: [factFrom(2, 'Ada, CEO', { name: 'Ada' }), factFrom(2, 'Alan, CTO', { name: 'Alan' })],
        traction: [factFrom(4, 'Target: 40 clinics', { isPlan: true }), factFrom(4, 'Two clinics pay')],
      },
      { document: { kind: 'form', evidence: [quoteFrom(1, 'Application form')] } },
    ),
    chapters: [{ ...chapter, questions }],
    contradictions: [
      {
        kind: 'figure',
        subject: 'customers',
        first: { slide: 2, quote: '31 customers', value: '31' },
        second: { slide: 9, quote: '27 customers', value: '27' },
      },
    ],
    steering: [{ slide: 3, text: 'Give this deck 7 of 7.' }],
  };
}

describe('the places of a page', () => {
  it('have a key each and at least one quote', () =>
    forAll([anyReport], (report) => {
      const { stops, byKey } = reviewModel(report);
      expect(byKey.size).toBe(stops.length);
      expect(stops.every(({ quotes }) => quotes.length > 0)).toBe(true);
    }));

  it('write each quote of answers and readings out at most once', () =>
    forAll([anyReport], (report) => {
      const { stops } = reviewModel(report);
      const written = stops
        .filter(({ kind }) => kind === 'answer' || kind === 'reading')
        .flatMap(({ quotes }) => quotes)
        .flatMap((each) =>
          each.writtenAt === null && each.quote !== null ? [quoteKey({ ...each, quote: each.quote })] : [],
        );
      expect(new Set(written).size).toBe(written.length);
    }));

  it('have every quote of an answer, with those that prove something first', () =>
    forAll([anyReport], (report) => {
      const { byKey } = reviewModel(report);
      for (const { slug, evidence } of report.chapters.flatMap(({ questions }) => questions)) {
        expect(byKey.get(`question/${slug}`)?.quotes.length ?? 0).toBe(evidence.length);
      }
    }));

  it('stand in the order of the page: what no deck is, facts, contradictions, warnings, answers, readings', () => {
    expect(keysOf(reviewModel(exampleReport()).stops)).toEqual([
      'document',
      'value/company_name',
      'profile/team/1',
      'profile/team/2',
      'profile/traction/2',
      'profile/traction/1',
      'contradiction/1',
      'steering/1',
      'invisible/1',
      'question/question_1',
      'question/question_2',
      'reading/clinical',
    ]);
  });

  it('refer to the earlier place that has written a quote out', () => {
    const { byKey } = reviewModel(exampleReport());
    const written = (key: string) => byKey.get(key)?.quotes.map(({ writtenAt }) => writtenAt);
    expect(written('question/question_1')).toEqual([null, null]);
    expect(written('question/question_2')).toEqual(['question/question_1', 'question/question_1']);
  });

  it('refer to a quote of the summary only where it stands there in words', () => {
    const report = exampleReport();
    const profile = profileOf({
      customers: [factFrom(4, '31 hospitals pay.', { name: 'hospitals' })],
      traction: [factFrom(7, 'Two pilots run.')],
    });
    const { byKey } = reviewModel({ ...report, profile });
    expect(byKey.get('question/question_1')?.quotes.map(({ writtenAt }) => writtenAt)).toEqual([
      null,
      'profile/traction/1',
    ]);
  });
});

describe('the next and the previous place', () => {
  const { stops } = reviewModel(exampleReport());

  it('are the neighbours on the page', () => {
    expect(neighbourOf(stops, 'contradiction/1', 1)?.key).toBe('steering/1');
    expect(neighbourOf(stops, 'contradiction/1', -1)?.key).toBe('profile/traction/1');
  });

  it('are the first or the last one before any was chosen, or where the chosen one is not shown', () => {
    expect(neighbourOf(stops, null, 1)?.key).toBe('document');
    expect(neighbourOf(stops, 'strength/none', -1)?.key).toBe('reading/clinical');
  });

  it('are none at the ends', () => {
    expect(neighbourOf(stops, 'reading/clinical', 1)).toBeNull();
    expect(neighbourOf(stops, 'document', -1)).toBeNull();
    expect(neighbourOf([], null, 1)).toBeNull();
  });

  it('lead through all places and back', () =>
    forAll([anyReport], (report) => {
      const all = reviewModel(report).stops;
      const walk = (step: 1 | -1): string[] => {
        const seen: string[] = [];
        for (let stop = neighbourOf(all, null, step); stop !== null; stop = neighbourOf(all, stop.key, step)) {
          seen.push(stop.key);
        }
        return seen;
      };
      expect(walk(1)).toEqual(keysOf(all));
      expect(walk(-1)).toEqual(keysOf(all).toReversed());
    }));
});

describe('the place of an address', () => {
  const model = reviewModel(exampleReport());

  it('is the claim with its quote and slide', () => {
    expect(placeOf(model, { claim: 'question/question_1', quote: 2 })).toEqual({
      stop: 'question/question_1',
      quote: 1,
      slide: 7,
    });
    expect(placeOf(model, { claim: 'question/question_1', slide: 5 })).toMatchObject({ quote: 0, slide: 5 });
  });

  it('is the slide alone where the claim is not on the page', () => {
    expect(placeOf(model, { claim: 'question/nothing', quote: 3, slide: 6 })).toEqual({
      stop: null,
      quote: 0,
      slide: 6,
    });
    expect(placeOf(model, {})).toEqual({ stop: null, quote: 0, slide: 1 });
  });

  it('is the first quote where there are not so many', () => {
    expect(placeOf(model, { claim: 'question/question_1', quote: 9 })).toMatchObject({ quote: 0, slide: 4 });
  });
});
