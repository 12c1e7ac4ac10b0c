/** Judges a model's lines by what people said of its other lines of the same kind. */
import { shareOf } from '../evaluation/statistics.ts';
import type { Answering } from './answering.ts';
import type { AnsweringSettings } from './answering-settings.ts';

/** Lines of one kind, such as answers of one model to one question, that people judged. */
export interface JudgedLines {
  readonly judged: number;
  readonly right: number;
}

/**
 * How well the lines of a kind answer: `high` where even the lower end of the 95 % interval of the share of right ones reaches the wanted share,
 * `doubtful` where not even its upper end does, else `some`; null before people have judged enough of them.
 */
export function levelByPeople(
  { judged, right }: JudgedLines,
  { judgements, rightShare }: Pick<AnsweringSettings, 'judgements' | 'rightShare'>,
): Answering | null {
  const { low, high } = shareOf(right, judged);
  if (judged < judgements || low === null || high === null) return null;
  if (low >= rightShare) return 'high';
  return high < rightShare ? 'doubtful' : 'some';
}
