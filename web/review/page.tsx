/** A review beside its slides: reads the deck, chooses the run that is shown, and says so where there is none. */
import { usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { DeckEntry } from '../../domain/decks/list/entry.ts';
import { isUnderWay } from '../decks/actions/perform.ts';
import { OpenDialog } from '../decks/actions/open-dialog.tsx';
import { showDialog } from '../decks/actions/store.ts';
import { deckName } from '../decks/list/names.ts';
import { deckQuery } from '../decks/queries.ts';
import { RequestError } from '../request.ts';
import { KEYS, useProgress } from '../live/cache.ts';
import { Button } from '../ui/button.tsx';
import { Empty, NotRead, ToDecks } from '../ui/states.tsx';
import { useWords } from '../words/language.ts';
import { reportQuery, slidesQuery, verdictsQuery } from './queries.ts';
import { Review } from './review.tsx';
import { runWords } from './run/words.ts';

/** The page. */
export function ReviewPage() {
  const { deckId } = useParams({ from: '/decks/$deckId' });
  const words = useWords(runWords);
  // Known by the deck alone: read beside it, not after it.
  usePrefetchQuery(verdictsQuery(deckId));
  usePrefetchQuery(slidesQuery(deckId));
  const { data: deck, error, refetch } = useQuery(deckQuery(deckId));
  const isGone = error instanceof RequestError && error.status === 404;
  if (isGone) return <Gone text={words.deleted} />;
  if (deck === undefined) return <NotRead error={error} refetch={refetch} />;
  if (deck.deletingAt !== null) return <Gone text={words.deleting} />;
  return <DeckReview deck={deck} />;
}

/** The run that is shown of a deck: the one of the address, else the newest with results, else the newest. */
function DeckReview({ deck }: { readonly deck: DeckEntry }) {
  const asked = useSearch({ from: '/decks/$deckId', select: ({ analysis }) => analysis });
  const analysisId = asked ?? deck.resultAnalysisId ?? deck.analysis?.id ?? null;
  if (analysisId === null) return <NotReviewed deck={deck} />;
  return <Run key={`${deck.id} ${analysisId}`} deck={deck} analysisId={analysisId} />;
}

function Run({ deck, analysisId }: { readonly deck: DeckEntry; readonly analysisId: string }) {
  const search = useSearch({ from: '/decks/$deckId', structuralSharing: true });
  const { data: report, error, refetch } = useQuery(reportQuery(deck.id, analysisId));
  const { data: history, error: historyError } = useQuery(verdictsQuery(deck.id));
  useLiveReport(deck.id, isUnderWay(deck) && deck.analysis?.id === analysisId);
  if (report === undefined || history === undefined) return <NotRead error={error ?? historyError} refetch={refetch} />;
  return <Review deck={deck} report={report} history={history} search={search} />;
}

const REPORT_STEP_MS = 1000;

/** Reads the report again while its run goes on: when the run is further, and at most once a second. */
function useLiveReport(deckId: string, isRunning: boolean): void {
  const queries = useQueryClient();
  const progress = useProgress(deckId);
  const readMs = useRef(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const wait = Math.max(0, readMs.current + REPORT_STEP_MS - performance.now());
    const timer = setTimeout(() => {
      readMs.current = performance.now();
      void queries.invalidateQueries({
        queryKey: KEYS.ofDeck(deckId),
        predicate: ({ queryKey }) => queryKey[2] === 'report' || queryKey[2] === 'slides',
      });
    }, wait);
    return () => clearTimeout(timer);
  }, [queries, deckId, isRunning, progress]);
}

/** A deck without a review. */
function NotReviewed({ deck }: { readonly deck: DeckEntry }) {
  const words = useWords(runWords);
  return (
    <>
      <title>{`${deckName(deck)} · Deckhand`}</title>
      <Empty title={words.notReviewed}>
        <p className="text-soft">{words.notReviewedHint}</p>
        <Button look="primary" onClick={() => showDialog({ kind: 'review', decks: [deck] })}>
          {words.start}
        </Button>
        <p className="text-sm text-soft">{deckName(deck)}</p>
      </Empty>
      <OpenDialog />
    </>
  );
}

/** A deck that is not there any more. */
const Gone = ({ text }: { readonly text: string }) => (
  <Empty title={text}>
    <ToDecks />
  </Empty>
);
