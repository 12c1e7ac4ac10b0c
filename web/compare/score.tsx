/** A score from 0 to 7 with its place on the scale; a person's beside the machine's. */
import { UserPen } from 'lucide-react';
import { MAX_SCORE } from '../../domain/decks/scoring.ts';
import { formatScore } from '../format.ts';
import { useLanguage, useWords } from '../words/language.ts';
import { compareWords } from './words.ts';

/**
 * The score.
 *
 * @param machine the machine's where people gave another; the same as the score where nobody did
 * @param author who gave it; null where it follows from several scores, or from none
 * @param isWhole true for the score of a question, which has no decimals
 */
export function Score({
  score,
  machine,
  author = null,
  isWhole = false,
}: {
  readonly score: number | null;
  readonly machine: number | null;
  readonly author?: string | null;
  readonly isWhole?: boolean;
}) {
  const words = useWords(compareWords);
  const language = useLanguage();
  const shown = (value: number | null): string =>
    isWhole && value !== null ? String(value) : formatScore(value, language);
  const isHuman = author !== null || shown(score) !== shown(machine);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <span className="min-w-6 font-semibold tabular-nums">
        <span className="sr-only">{score === null ? words.noScore : words.scoreOf7(shown(score))}</span>
        <span aria-hidden>{shown(score)}</span>
      </span>
      <span aria-hidden className="h-1.5 w-14 overflow-hidden rounded-full bg-line print:border print:border-edge">
        <span
          className="block h-full rounded-full bg-accent print:bg-edge"
          style={{ width: `${((score ?? 0) / MAX_SCORE) * 100}%` }}
        />
      </span>
      {isHuman ? (
        <span className="inline-flex items-center gap-1 text-xs text-soft">
          <UserPen size={13} aria-hidden />
          {author === null ? null : `${words.byPerson(author)} · `}
          {words.machineSays(shown(machine))}
        </span>
      ) : null}
    </span>
  );
}
