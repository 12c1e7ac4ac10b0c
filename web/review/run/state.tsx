/** What is said of the run above the findings: that it goes on, that it failed, what is missing, and what to do about it. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Info, TriangleAlert } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { outsideHostsOf } from '../../../domain/decks/provenance.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { reviewWords } from '../../../domain/decks/review/words.ts';
import { gapsBesideNotices } from '../../../domain/decks/unread.ts';
import { UNREADABLE_FILE_CODES } from '../../../domain/errors.ts';
import { formatDay, formatDuration, formatMoment } from '../../format.ts';
import { isUnderWay } from '../../decks/actions/perform.ts';
import { showDialog } from '../../decks/actions/store.ts';
import { useProgress } from '../../live/cache.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ToDecks } from '../../ui/states.tsx';
import { deckWords } from '../../words/deck.ts';
import { useLanguage, useWords, wordFor } from '../../words/language.ts';
import { SlideNumber } from '../findings/quotes.tsx';
import { useReviewTools } from '../tools.ts';
import { statusQuery } from '../queries.ts';
import { gapGroups } from './gap-groups.ts';
import { useReplay } from './use-replay.ts';
import { runWords } from './words.ts';

/** A message above the findings. */
function Message({ isBad = false, children }: { readonly isBad?: boolean; readonly children: ReactNode }) {
  const Icon = isBad ? TriangleAlert : Info;
  return (
    <div
      className={classes(
        'mx-3 mb-2 flex items-start gap-2 rounded-md px-3 py-2 text-sm',
        isBad ? 'bg-warn-tint' : 'bg-raised',
      )}
    >
      <Icon size={16} className={classes('mt-0.5 shrink-0', isBad ? 'text-warn' : 'text-soft')} aria-hidden />
      <div className="flex min-w-0 grow flex-col items-start gap-1.5">{children}</div>
    </div>
  );
}

/** Everything that is said of the run. */
export const RunState = memo(function RunState({
  deck,
  report,
}: {
  readonly deck: DeckEntry;
  readonly report: AnalysisReport;
}) {
  const words = useWords(runWords);
  const language = useLanguage();
  const { analysis } = deck;
  const outsideHosts = outsideHostsOf(report);
  const isNewest = analysis === null || analysis.id === report.analysisId;
  const isResult = deck.resultAnalysisId === null || deck.resultAnalysisId === report.analysisId;
  const created = formatMoment(report.createdAt, language);
  return (
    <div className="pt-3 empty:hidden">
      {isUnderWay(deck) ? (
        <Message>
          {isNewest ? <RunningRun deck={deck} /> : <p>{words.runsBeside(formatDay(report.createdAt, language))}</p>}
        </Message>
      ) : null}
      {isNewest && deck.status === 'failed' ? <FailedRun deck={deck} /> : null}
      {isNewest && deck.status === 'cancelled' ? (
        <Message>
          <p>{words.cancelled}</p>
          <ReviewAgain deck={deck} />
        </Message>
      ) : null}
      {isResult || isNewest ? null : (
        <Message>
          <p>{words.otherRun(created)}</p>
          <Link to="/decks/$deckId" params={{ deckId: deck.id }} search={{}} className={buttonClasses()}>
            {words.showNewest}
          </Link>
        </Message>
      )}
      {report.notices.map(({ code, text }) => (
        <Message key={code} isBad>
          <p>{text}</p>
        </Message>
      ))}
      <Gaps report={report} canFill={!isUnderWay(deck)} />
      <Hazards hazards={report.deck.hazards} />
      {report.condensed === null ? null : (
        <Message>
          <p>{words.condensed}</p>
        </Message>
      )}
      {outsideHosts.length === 0 ? null : (
        <Message isBad>
          <p>{reviewWords[language].outside(outsideHosts)}</p>
        </Message>
      )}
      {report.engine?.kind === 'rules' && report.overall.score !== null ? (
        <Message>
          <p>{reviewWords[language].evidence.byRules}</p>
        </Message>
      ) : null}
    </div>
  );
});

/** A run that waits may do so for long, and nothing of the deck changes meanwhile. */
const STATUS_READ_MS = 3000;

/** That a run goes on: its place in line, when its review is expected, what it waits for and what was lost. */
function RunningRun({ deck: { id, status, analysis } }: { readonly deck: DeckEntry }) {
  const words = useWords(runWords);
  const language = useLanguage();
  const progress = useProgress(id);
  const place = progress?.place ?? null;
  const isPaused = analysis !== null && analysis.pausedAt !== null;
  const { data: standing } = useQuery({
    ...statusQuery(id, analysis?.id ?? ''),
    refetchInterval: STATUS_READ_MS,
    enabled: analysis !== null && status === 'running' && place === null && !isPaused,
  });
  if (status === 'queued') return <p>{words.waiting}</p>;
  const waitsFor = standing?.progress.waitingFor ?? null;
  const lost = standing?.sends.lost ?? 0;
  const text = [
    place === null ? words.runs : words.held(place),
    ...(progress === undefined || progress.expectedSeconds === null
      ? []
      : [words.expected(formatDuration(progress.expectedSeconds, language))]),
    ...(place !== null || waitsFor === null ? [] : [words.waitsFor(waitsFor)]),
    ...(lost === 0 ? [] : [words.lostSends(lost)]),
  ];
  return text.map((sentence) => <p key={sentence}>{sentence}</p>);
}

/** Why a run failed, and what to do. */
function FailedRun({ deck }: { readonly deck: DeckEntry }) {
  const words = useWords(runWords);
  const failure = deck.analysis?.failure ?? null;
  const known = wordFor(useWords(deckWords).failure, failure?.code ?? '');
  const isUnreadable = UNREADABLE_FILE_CODES.some((code) => code === failure?.code);
  return (
    <Message isBad>
      <p className="font-medium">{words.failed}</p>
      {failure === null ? null : <p>{known === undefined ? failure.message : `${known.text}. ${known.hint}`}</p>}
      {isUnreadable ? (
        // The same file fails again: another one has to be added.
        <ToDecks />
      ) : (
        <ReviewAgain deck={deck} />
      )}
    </Message>
  );
}

/** Opens the choices of a new review. */
function ReviewAgain({ deck }: { readonly deck: DeckEntry }) {
  const words = useWords(runWords);
  return <Button onClick={() => showDialog({ kind: 'review', decks: [deck] })}>{words.reviewAgain}</Button>;
}

/** What could not be computed, by reason, and the way to compute it. */
function Gaps({ report, canFill }: { readonly report: AnalysisReport; readonly canFill: boolean }) {
  const words = useWords(runWords);
  const fill = useReplay('gaps', words.fillStarted);
  const { deckId, analysisId, showSlide } = useReviewTools();
  const gaps = gapsBesideNotices(report);
  const { data: standing } = useQuery({ ...statusQuery(deckId, analysisId), enabled: gaps.length > 0 });
  if (gaps.length === 0) return null;
  const lost = standing?.sends.lost ?? 0;
  return (
    <Message isBad>
      <p className="font-medium">{words.gaps(gaps.length)}</p>
      <ul className="list-disc pl-4">
        {gapGroups(gaps).map(({ code, message, slides, questions, others }) => {
          const reason = wordFor(words.gapReason, code);
          const where = [
            ...(questions.length === 0 ? [] : [words.questions(questions.length)]),
            ...(others === 0 || reason === undefined ? [] : [words.gapValue]),
          ].join(', ');
          return (
            <li key={code}>
              {`${reason ?? message}${where === '' ? '' : `: ${where}`} `}
              {slides.map((slide) => (
                <button key={slide} type="button" onClick={() => showSlide(slide)} className="mr-1">
                  <SlideNumber slide={slide} />
                </button>
              ))}
            </li>
          );
        })}
      </ul>
      {lost === 0 ? null : <p>{words.lostSends(lost)}</p>}
      {canFill ? (
        <>
          <p className="text-soft">{words.gapsHint}</p>
          <Button onClick={fill}>{words.fillGaps}</Button>
        </>
      ) : null}
    </Message>
  );
}

/** What the file has besides its pages. */
function Hazards({ hazards }: { readonly hazards: readonly string[] }) {
  const words = useWords(runWords);
  if (hazards.length === 0) return null;
  const nameOf = (hazard: string): string => {
    const asked = /^(.+)_unknown$/u.exec(hazard)?.[1];
    const name = wordFor(words.hazard, asked ?? hazard) ?? asked ?? hazard;
    return asked === undefined ? name : words.hazardUnknown(name);
  };
  return (
    <Message isBad>
      <p>{`${words.hazards} ${hazards.map(nameOf).join(', ')}.`}</p>
    </Message>
  );
}
