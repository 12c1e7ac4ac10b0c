/** How the findings of a review are grouped: nothing twice, nothing lost, absences folded. */
import { describe, expect, it } from 'vitest';
import { isProof } from '../../../../domain/decks/review/proof.ts';
import type { ReportGap } from '../../../../domain/decks/report.ts';
import { forAll } from '../../../../testing/property.ts';
import { groupQuestions } from '../../../../web/review/findings/grouping.ts';
import { readingPoints } from '../../../../web/review/findings/reading-points.ts';
import { stepsOf } from '../../../../web/review/made/steps.ts';
import { slideMarks } from '../../../../web/review/marks.ts';
import { gapGroups } from '../../../../web/review/run/gap-groups.ts';
import { reviewModel } from '../../../../web/review/selection/stops.ts';
import { provenance, reportWith } from '../../api/report-fixture.ts';
import { anyReport } from '../../decks/review/arbitrary-report.ts';

describe('questions of a chapter', () => {
  it('stand in one group each', () =>
    forAll([anyReport], ({ chapters }) => {
      for (const chapter of chapters) {
        const groups = Object.values(groupQuestions(chapter)).flat();
        expect(groups.toSorted(bySlug)).toEqual([...chapter.questions].toSorted(bySlug));
      }
    }));

  it('questions are shown as answers wherever there are quotes of a supported answer', () =>
    forAll([anyReport], ({ chapters }) => {
      for (const chapter of chapters) {
        const { notFound, pending, failed, unasked } = groupQuestions(chapter);
        const others = [...notFound, ...pending, ...failed, ...unasked];
        expect(others.every(({ state, evidence }) => state === 'not_supported' || evidence.length === 0)).toBe(true);
      }
    }));
});

const bySlug = (a: { readonly slug: string }, b: { readonly slug: string }): number => a.slug.localeCompare(b.slug);

describe('points of a special reading', () => {
  it('are told by their quotes where they say nothing else', () => {
    const points = [
      { heading: 'Endpoints', text: 'Slide 4: "New fibrillation within 14 days"' },
      { heading: 'Not found', text: 'Nothing was found on: Statistics, Safety.' },
    ];
    expect(readingPoints({ points }, ['412 patients', 'New fibrillation within 14 days'])).toEqual({
      points: [
        { heading: 'Endpoints', text: null, quotes: [1] },
        { heading: 'Not found', text: 'Nothing was found on: Statistics, Safety.', quotes: [] },
      ],
      others: [0],
    });
  });
});

describe('what could not be computed', () => {
  const gap = (part: Partial<ReportGap>): ReportGap => ({
    item: 'x',
    stage: 'slides',
    slide: null,
    question: null,
    code: 'slide_illegible',
    message: 'nothing could be read',
    ...part,
  });

  it('is told once per reason, with slides and questions', () => {
    const gaps = [
      gap({ slide: 9 }),
      gap({ slide: 3 }),
      gap({ slide: 9 }),
      gap({ code: 'model_output_unparseable', question: 'churn_analysis', message: 'not JSON' }),
      gap({ code: 'model_output_unparseable', message: 'not JSON' }),
    ];
    expect(gapGroups(gaps)).toEqual([
      { code: 'slide_illegible', message: 'nothing could be read', slides: [3, 9], questions: [], others: 0 },
      { code: 'model_output_unparseable', message: 'not JSON', slides: [], questions: ['churn_analysis'], others: 1 },
    ]);
  });
});

describe('marks of slides', () => {
  it('marks of slides count each proving quote once, without those of answers that are not supported', () =>
    forAll([anyReport], (report) => {
      const model = reviewModel(report);
      const marks = slideMarks(report, model, { notes: [] });
      for (const { number } of report.slides) {
        const proving = model.stops
          .filter(({ kind }) => kind !== 'unsupported')
          .flatMap(({ quotes }) => quotes)
          .filter(({ slide, verdict }) => slide === number && verdict !== null && isProof({ verdict }));
        expect(marks.get(number)?.proofs).toBe(new Set(proving.map(({ quote }) => quote)).size);
      }
    }));
});

describe('steps of a run', () => {
  it('put calls alike into one line', () => {
    const report = reportWith('Plain words');
    const steps = stepsOf(report);
    const { task } = provenance;
    expect(steps.filter((step) => step.task === task)).toHaveLength(1);
    expect(steps.every(({ calls, durationMs }) => durationMs === calls * provenance.durationMs)).toBe(true);
  });
});
