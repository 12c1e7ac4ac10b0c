/**
 * The two marks of a quote, and of a line with quotes: whether it stands on the slide, and whether it answers its question. A line is shown as
 * settled only where both are good; what was not judged is counted apart.
 *
 * Without a library at run time: the pages of the workspace import it.
 */
import { ANSWERING, type Answering } from '../../evidence/answering.ts';
import type { MarkRule } from '../../evidence/answering-settings.ts';
import type { ReportEvidence } from '../report.ts';
import { isProof, quoteKey } from './proof.ts';

/**
 * The mark that both come to, the best first. `settled`: it stands on the slide and answers the question; `on_slide`: it stands there and is
 * about the question; `not_judged`: it stands there, and whether it answers was not judged; `doubtful`: it stands there and may be about something
 * else; `not_proved`: the slide does not say it, or that cannot be checked.
 */
export const MARKS = ['settled', 'on_slide', 'not_judged', 'doubtful', 'not_proved'] as const;
export type Mark = (typeof MARKS)[number];

type Judged = Pick<ReportEvidence, 'verdict' | 'answering'>;

/** The mark of one quote. */
export function quoteMark({ verdict, answering }: Judged, { level }: Pick<MarkRule, 'level'>): Mark {
  if (!isProof({ verdict })) return 'not_proved';
  switch (answering) {
    case null:
      return 'not_judged';
    case 'high':
      return 'settled';
    case 'some':
      return level === 'some' ? 'settled' : 'on_slide';
    case 'doubtful':
      return 'doubtful';
  }
}

/** True for a quote that its slide denies, as opposed to one that cannot be checked. */
const isRefuted = ({ verdict }: Judged): boolean => verdict === 'contradicted' || verdict === 'glued';

/** The mark of a line by its quotes; null for a line without quotes, such as the sector. A line that quotes what no slide says is not settled. */
export function lineMark(evidence: readonly Judged[], rule: MarkRule): Mark | null {
  const marks = evidence.map((quote) => quoteMark(quote, rule));
  const settled = marks.filter((mark) => mark === 'settled').length;
  if (settled > 0) return settled >= rule.share * marks.length && !evidence.some(isRefuted) ? 'settled' : 'on_slide';
  return MARKS.find((mark) => marks.includes(mark)) ?? null;
}

/** Quotes of a review, each counted once. */
export interface MarkCounts {
  readonly quotes: number;
  /** Quotes that stand on their slide. */
  readonly onSlide: number;
  /** Of these, those that answer a question that they stand under. */
  readonly answering: number;
  /** Of these, those of which that was judged nowhere. */
  readonly notJudged: number;
}

/** The marks of quotes, each once: of the same words under several questions the best mark. */
export function marksOnce(
  evidence: readonly (Judged & Pick<ReportEvidence, 'slide' | 'quote'>)[],
  rule: Pick<MarkRule, 'level'>,
): Mark[] {
  const best = new Map<string, Mark>();
  for (const quote of evidence) {
    const [key, mark] = [quoteKey(quote), quoteMark(quote, rule)];
    const known = best.get(key);
    if (known === undefined || MARKS.indexOf(mark) < MARKS.indexOf(known)) best.set(key, mark);
  }
  return [...best.values()];
}

/** Counts of the quotes of a review, for its header. */
export function markCounts(
  evidence: readonly (Judged & Pick<ReportEvidence, 'slide' | 'quote'>)[],
  rule: Pick<MarkRule, 'level'>,
): MarkCounts {
  const marks = marksOnce(evidence, rule);
  const count = (is: (mark: Mark) => boolean): number => marks.filter(is).length;
  return {
    quotes: marks.length,
    onSlide: count((mark) => mark !== 'not_proved'),
    answering: count((mark) => mark === 'settled'),
    notJudged: count((mark) => mark === 'not_judged'),
  };
}

/** How well the quotes of a line that stand on their slides answer, at best; null where none was judged. */
export const answeringOf = (evidence: readonly Judged[]): Answering | null => {
  const judged = evidence.filter(isProof).map(({ answering }) => answering);
  return ANSWERING.find((level) => judged.includes(level)) ?? null;
};
