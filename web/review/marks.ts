/** What a review says about each slide, for the strip of small pictures. Pure. */
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { isProof, quoteKey } from '../../domain/decks/review/proof.ts';
import type { JudgedReport } from '../../domain/decks/verdicts/overlay.ts';
import { subjectOf } from '../../domain/decks/verdicts/subject.ts';
import type { ReviewModel } from './selection/stops.ts';

/** What a review says about a slide. */
export interface SlideMarks {
  /** Quotes that stand on it. */
  readonly proofs: number;
  readonly hasFeedback: boolean;
  /** Words that try to steer the score, or that nobody can see. */
  readonly hasWarning: boolean;
  readonly notes: number;
}

export const NO_MARKS: SlideMarks = { proofs: 0, hasFeedback: false, hasWarning: false, notes: 0 };

/** Marks by the number of the slide; a quote counts once, however often it is referred to. */
export function slideMarks(
  { slides, steering }: Pick<AnalysisReport, 'slides' | 'steering'>,
  { stops }: Pick<ReviewModel, 'stops'>,
  { notes }: Pick<JudgedReport, 'notes'>,
): ReadonlyMap<number, SlideMarks> {
  const proofs = new Map<number, Set<string>>();
  for (const { slide, quote, verdict } of stops.flatMap(({ kind, quotes }) => (kind === 'unsupported' ? [] : quotes))) {
    if (quote === null || verdict === null || !isProof({ verdict })) continue;
    const known = proofs.get(slide) ?? new Set();
    known.add(quoteKey({ slide, quote }));
    proofs.set(slide, known);
  }
  return new Map(
    slides.map(({ number, feedback, invisibleText }) => [
      number,
      {
        proofs: proofs.get(number)?.size ?? 0,
        hasFeedback: feedback !== null,
        hasWarning: invisibleText !== null || steering.some(({ slide }) => slide === number),
        notes: notes.filter(({ subject }) => subject === subjectOf({ of: 'slide', number })).length,
      },
    ]),
  );
}
