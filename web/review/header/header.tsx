/** The head of the review: whose deck it is, how far its run is, the score, and what people decided. */
import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { memo } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { evidenceFound, leadsWithEvidence } from '../../../domain/decks/review/evidence-found.ts';
import { countsText, missingText, reviewWords } from '../../../domain/decks/review/words.ts';
import type { JudgedReport, JudgedScore } from '../../../domain/decks/verdicts/overlay.ts';
import { DeckStatus } from '../../decks/list/status.tsx';
import { formatScore } from '../../format.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { deckWords } from '../../words/deck.ts';
import { useLanguage, useWords, wordFor } from '../../words/language.ts';
import { Assignee } from '../human/assignee.tsx';
import { Decision } from '../human/decision.tsx';
import { Tags } from '../human/tags.tsx';
import { humanWords } from '../human/words.ts';
import { ReviewMenu, type ReviewPanel } from './menu.tsx';
import { headerWords } from './words.ts';

/** The head. */
export const ReviewHeader = memo(function ReviewHeader({
  deck,
  report,
  judged,
  company,
  onOpen,
}: {
  readonly deck: DeckEntry;
  readonly report: AnalysisReport;
  readonly judged: JudgedReport;
  /** Its name as people corrected it; null where it is not known. */
  readonly company: string | null;
  readonly onOpen: (panel: ReviewPanel) => void;
}) {
  const words = useWords(headerWords);
  return (
    <header className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-panel px-3 py-2 sm:px-5">
      <div className="flex min-w-0 grow basis-56 items-center gap-1">
        <Link
          to="/"
          aria-label={words.allDecks}
          title={words.allDecks}
          className={`${buttonClasses('quiet')} no-print -ml-2 px-1.5`}
        >
          <ChevronLeft size={18} aria-hidden />
        </Link>
        <div className="min-w-0">
          <h1 className="truncate text-lg font-semibold">{company ?? deck.fileName}</h1>
          <FileNames deck={deck} isTitle={company === null} />
        </div>
      </div>
      {deck.status === 'completed' ? null : (
        <div className="max-w-48 min-w-28 max-sm:order-1">
          <DeckStatus deck={deck} />
        </div>
      )}
      <div className="max-sm:order-1">
        {leadsWithEvidence(report) ? (
          <DeckEvidence report={report} overall={judged.overall} />
        ) : (
          <DeckScore report={report} overall={judged.overall} />
        )}
      </div>
      <div className="no-print flex flex-wrap items-center gap-1.5 max-sm:order-1">
        <Decision decision={judged.decision} />
        <Assignee assignee={judged.assignee} />
        <Tags tags={judged.tags} />
      </div>
      <div className="no-print -ml-2">
        <ReviewMenu deck={deck} analysisId={report.analysisId} onOpen={onOpen} />
      </div>
      <Said judged={judged} />
    </header>
  );
});

interface FigureProps {
  readonly report: AnalysisReport;
  readonly overall: JudgedScore;
}

/** Of a review of rules: how many questions have evidence, and which chapters lack it. */
const DeckEvidence = memo(function DeckEvidence({ report, overall }: FigureProps) {
  const words = useWords(headerWords);
  const language = useLanguage();
  const { evidence } = reviewWords[language];
  const { found, asked, chapters } = evidenceFound(report);
  const missing = missingText(chapters, language);
  const counts = countsText(report.marks, language);
  return (
    <div className="flex items-center gap-2.5">
      <p className="flex items-baseline gap-1 whitespace-nowrap">
        <span className="sr-only">{evidence.found}</span>
        <span className="text-2xl font-semibold tabular-nums">{found}</span>
        <span className="text-sm text-soft">{evidence.ofAsked(asked)}</span>
      </p>
      <div className="text-xs text-soft">
        <p className="font-medium text-ink" aria-hidden>
          {evidence.found}
        </p>
        {overall.overridden === 0 ? null : (
          <p>
            {`${words.score} ${formatScore(overall.score, language)} ${words.ofSeven}, ${words.machine(formatScore(overall.machine, language))}`}
          </p>
        )}
        {missing === null ? null : <p className="max-w-96">{missing}</p>}
        {counts === null ? null : <p className="max-w-96">{counts}</p>}
      </div>
    </div>
  );
});

/** The score; only the proofs where nothing was scored yet. */
const DeckScore = memo(function DeckScore({ report, overall }: FigureProps) {
  const words = useWords(headerWords);
  const language = useLanguage();
  const counts = countsText(report.marks, language);
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
              ...(isByRules ? [reviewWords[language].evidence.score] : []),
              ...(overall.overridden > 0 ? [words.machine(formatScore(overall.machine, language))] : []),
            ].join(', ')}
          </span>
        ) : null}
        {overall.asked === 0 ? null : <span className="block">{words.coverage(overall.scored, overall.asked)}</span>}
        {counts === null ? null : <span className="block max-w-80">{counts}</span>}
      </p>
    </div>
  );
});

/** What people decided, on paper, where there are no buttons. */
function Said({ judged: { decision, assignee, tags } }: { readonly judged: JudgedReport }) {
  const words = useWords(humanWords);
  const names = useWords(deckWords).decision;
  const said = [
    ...(decision === null ? [] : [`${words.decision}: ${wordFor(names, decision.text ?? '') ?? ''}`]),
    ...(assignee === null ? [] : [`${words.assignee}: ${assignee.text ?? ''}`]),
    ...(tags.length === 0 ? [] : [`${words.tags}: ${tags.join(', ')}`]),
  ];
  return said.length === 0 ? null : <p className="hidden w-full print:block">{said.join(' · ')}</p>;
}

/** The name of the file, and others that the same PDF was added under. */
function FileNames({
  deck: { fileName, otherNames },
  isTitle,
}: {
  readonly deck: DeckEntry;
  readonly isTitle: boolean;
}) {
  const words = useWords(headerWords);
  const names = [
    ...(isTitle ? [] : [fileName]),
    ...(otherNames.length === 0 ? [] : [words.alsoNamed(otherNames.join(', '))]),
  ].join(', ');
  return names === '' ? null : (
    <p className="truncate text-xs text-soft" title={names}>
      {names}
    </p>
  );
}
