/** Judges a model's lines by what people said of its other lines of the same kind. */
import { shareInterval } from '../evaluation/statistics.ts';
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
  if (judged === 0 || judged < judgements) return null;
  const { low, high } = shareInterval(right, judged);
  if (low >= rightShare) return 'high';
  return high < rightShare ? 'doubtful' : 'some';
}

/** Model that said a line, by its digest; the built-in reader judges its lines itself. */
interface MadeBy {
  readonly engineKind: string;
  readonly modelDigest: string;
}

/** Judged lines of a model on a subject such as `question/moat`. */
export interface JudgedKind extends JudgedLines {
  readonly digest: string;
  readonly subject: string;
}

/** Level of a model's lines by people's judgements, for {@link levelOfLine}; kinds without enough judgements are left out. */
export type PeopleLevels = ReadonlyMap<string, Answering>;

const lineKind = (digest: string, subject: string): string => `${digest} ${subject}`;

/** The levels of all kinds of lines that people judged. */
export const peopleLevels = (
  kinds: readonly JudgedKind[],
  settings: Pick<AnsweringSettings, 'judgements' | 'rightShare'>,
): PeopleLevels =>
  new Map(
    kinds.flatMap((kind) => {
      const level = levelByPeople(kind, settings);
      return level === null ? [] : [[lineKind(kind.digest, kind.subject), level]];
    }),
  );

/** The level of a line as people's judgements have it; null where there are not enough of them. */
export const levelOfLine = (levels: PeopleLevels, made: MadeBy | null, subject: string): Answering | null =>
  made === null || made.engineKind === 'rules' ? null : (levels.get(lineKind(made.modelDigest, subject)) ?? null);
