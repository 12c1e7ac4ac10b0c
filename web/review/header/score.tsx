/** The score of the deck with how complete and how well proved the review is. */
import { memo, useMemo } from 'react';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { quoteCounts } from '../../../domain/decks/review/proof.ts';
import type { JudgedScore } from '../../../domain/decks/verdicts/overlay.ts';
import { formatScore } from '../../format.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import { headerWords } from './words.ts';

/** Every quote of a report. */
const allQuotes = ({ extractions, chapters, specialised }: AnalysisReport) => [
  ...extractions.flatMap(({ evidence }) => evidence),
  ...chapters.flatMap(({ questions }) => questions.flatMap(({ evidence }) => evidence)),
  ...specialised.flatMap(({ evidence }) => evidence),
];

/** The score; only the proofs where nothing was scored yet. */
export const DeckScore = memo(function DeckScore({
  report,
  overall,
}: {
  readonly report: AnalysisReport;
  readonly overall: JudgedScore;
}) {
  const words = useWords(headerWords);
  const language = useLanguage();
  const { verified, total } = useMemo(() => quoteCounts(allQuotes(report)), [report]);
  const isByRules = report.engine?.kind === 'rules';
  return (
    <div className="flex items-center gap-2.5">
      {overall.score === null ? null : (
        <p className="flex items-baseline gap-1 whitespace-nowrap">
          <span className="sr-only">{words.score}</span>
          <span className="text-2xl font-semibold tabular-nums">{formatScore(overall.score, language)}</span>
          <span className="text-sm text-soft">{words.ofSeven}</span>
        </p>
      )}
      <p className="text-xs text-soft">
        {overall.score !== null && (isByRules || overall.overridden > 0) ? (
          <span className="block">
            {[
              ...(isByRules ? [words.byRules] : []),
              ...(overall.overridden > 0 ? [words.machine(formatScore(overall.machine, language))] : []),
            ].join(', ')}
          </span>
        ) : null}
        {overall.asked === 0 ? null : <span className="block">{words.coverage(overall.scored, overall.asked)}</span>}
        {total === 0 ? null : <span className="block">{words.quotes(verified, total)}</span>}
      </p>
    </div>
  );
});
