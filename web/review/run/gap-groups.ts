/** What a run could not compute, told once per reason. Pure. */
import type { ReportGap } from '../../../domain/decks/report.ts';

/** Gaps of one reason. */
export interface GapGroup {
  readonly code: string;
  /** Of the first one, for a code that has no words of its own. */
  readonly message: string;
  /** Numbers of the slides, each once, in order. */
  readonly slides: readonly number[];
  /** Slugs of the questions, each once. */
  readonly questions: readonly string[];
  /** Gaps that are neither of a slide nor of a question. */
  readonly others: number;
}

/** Groups gaps by their code, in the order in which the codes first appear. */
export function gapGroups(gaps: readonly ReportGap[]): GapGroup[] {
  const codes = [...new Set(gaps.map(({ code }) => code))];
  return codes.map((code) => {
    const own = gaps.filter((gap) => gap.code === code);
    const slides = own.flatMap(({ slide }) => (slide === null ? [] : [slide]));
    const questions = own.flatMap(({ question }) => (question === null ? [] : [question]));
    return {
      code,
      message: own[0]?.message ?? code,
      slides: [...new Set(slides)].toSorted((a, b) => a - b),
      questions: [...new Set(questions)],
      others: own.filter(({ slide, question }) => slide === null && question === null).length,
    };
  });
}
