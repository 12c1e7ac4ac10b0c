/** How the newest review of a deck is doing: its state, and while it runs how far it is. */
import type { DeckEntry, EntryStatus } from '../../../domain/decks/list/entry.ts';
import { formatDuration } from '../../format.ts';
import { useProgress } from '../../live/cache.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { ProgressBar } from '../../ui/progress.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { deckWords } from '../../words/deck.ts';
import { useLanguage, useWords, wordFor } from '../../words/language.ts';

const TONES: Readonly<Record<EntryStatus, Tone>> = {
  uploaded: 'neutral',
  queued: 'neutral',
  running: 'accent',
  completed: 'good',
  completed_with_gaps: 'warn',
  failed: 'bad',
  cancelled: 'neutral',
};

/** The state; of a running review its stage with a bar, of a failed one the reason. */
export function DeckStatus({ deck }: { readonly deck: DeckEntry }) {
  const { status, analysis } = deck;
  if (status === 'running' && analysis !== null && analysis.pausedAt === null) return <Running deck={deck} />;
  return <State deck={deck} />;
}

function State({ deck: { status, analysis } }: { readonly deck: DeckEntry }) {
  const words = useWords(deckWords);
  const isPaused = analysis !== null && analysis.pausedAt !== null && (status === 'running' || status === 'queued');
  return (
    <span className="flex min-w-0 flex-col items-start gap-0.5">
      <Badge tone={isPaused ? 'neutral' : TONES[status]}>{isPaused ? words.paused : words.status[status]}</Badge>
      {status === 'failed' && analysis !== null && analysis.failure !== null ? (
        <Failure code={analysis.failure.code} message={analysis.failure.message} />
      ) : null}
    </span>
  );
}

/** Why a review failed, with what to do where that is known. */
function useFailure({ code, message }: { readonly code: string; readonly message: string }) {
  return wordFor(useWords(deckWords).failure, code) ?? { text: message, hint: null };
}

function Failure(failure: { readonly code: string; readonly message: string }) {
  const { text, hint } = useFailure(failure);
  return (
    <Tooltip text={hint ?? text}>
      <span className="max-w-full truncate text-xs text-soft">
        {text}
        {hint === null ? null : <span className="sr-only"> {hint}</span>}
      </span>
    </Tooltip>
  );
}

/** What to do about a failed review, for cards. */
export function FailureHint(failure: { readonly code: string; readonly message: string }) {
  const { hint } = useFailure(failure);
  return hint === null ? null : <p className="text-soft">{hint}</p>;
}

function Running({ deck: { id, analysis } }: { readonly deck: DeckEntry }) {
  const words = useWords(deckWords);
  const language = useLanguage();
  const progress = useProgress(id);
  const stage = progress?.stage ?? analysis?.stage ?? null;
  const isCounted = progress !== undefined && progress.total > 0;
  const place = progress?.place ?? null;
  const text =
    place !== null
      ? words.place(place)
      : stage === null
        ? words.status.running
        : isCounted
          ? words.progress(stage, progress.done, progress.total)
          : words.stage[stage];
  return (
    <span className="flex w-full min-w-0 flex-col gap-1">
      <span className="truncate text-xs font-medium text-accent">{text}</span>
      {place === null ? <ProgressBar share={isCounted ? progress.done / progress.total : null} label={text} /> : null}
      {progress === undefined || progress.expectedSeconds === null ? null : (
        <span className="truncate text-xs text-soft">
          {words.expected(formatDuration(progress.expectedSeconds, language))}
        </span>
      )}
    </span>
  );
}
