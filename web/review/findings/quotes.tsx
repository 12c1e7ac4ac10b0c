/** Quotes with their slides. A quote is written out once; later places name its slide and its first words. */
import { memo } from 'react';
import { MARKS, quoteMark } from '../../../domain/decks/review/marks.ts';
import { isProof, isWithdrawn } from '../../../domain/decks/review/proof.ts';
import type { AnsweringLevel } from '../../../domain/evidence/answering.ts';
import { QuoteMarks } from '../../marks/quote-marks.tsx';
import { markWords, rereadText } from '../../marks/words.ts';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import { useStore } from '../../store.ts';
import type { StopQuote } from '../selection/stops.ts';
import { useReviewTools } from '../tools.ts';
import { pageWords } from '../words.ts';
import { mentionOf } from './mention.ts';

/** How a place shows its quotes: written out where they are the first, or only their slides. */
type QuotesLook = 'words' | 'slides';

/** The quotes of a place. */
export const Quotes = memo(function Quotes({
  place,
  quotes,
  look = 'words',
  only,
}: {
  readonly place: string;
  readonly quotes: readonly StopQuote[];
  readonly look?: QuotesLook;
  /** Indices of the quotes that are shown here; all by default. */
  readonly only?: readonly number[];
}) {
  const { selection, level } = useReviewTools();
  const shown = useStore(selection, ({ stop, quote }) => (stop === place ? quote : null));
  const numbered = quotes
    .map((quote, index) => ({ quote, index }))
    .filter(({ index }) => only?.includes(index) ?? true);
  const isWritten = ({ isFirst }: StopQuote): boolean => look === 'words' && isFirst;
  const written = numbered.filter(({ quote }) => isWritten(quote));
  const others = numbered.filter(({ quote }) => !isWritten(quote));
  const short = look === 'slides' ? firstOfSlide(others, level) : others;
  const button = ({ quote, index }: (typeof numbered)[number], as: QuoteLook) => (
    <QuoteButton key={index} place={place} index={index} quote={quote} look={as} isShown={shown === index} />
  );
  return (
    <>
      {written.length === 0 ? null : (
        <div className="flex flex-col items-start gap-1">{written.map((each) => button(each, 'written'))}</div>
      )}
      {short.length === 0 ? null : (
        <div className="flex flex-wrap gap-1">
          {short.map((each) => button(each, look === 'slides' ? 'slide' : 'mention'))}
        </div>
      )}
    </>
  );
});

/** One quote of each slide, that with the best marks: its number stands once. */
function firstOfSlide<Q extends { readonly quote: StopQuote }>(quotes: readonly Q[], level: AnsweringLevel): Q[] {
  const best = new Map<number, Q>();
  for (const each of quotes) {
    const known = best.get(each.quote.slide);
    if (known === undefined || rankOf(each.quote, level) < rankOf(known.quote, level)) best.set(each.quote.slide, each);
  }
  return [...best.values()];
}

const rankOf = ({ verdict, answering }: StopQuote, level: AnsweringLevel): number =>
  verdict === null ? 0 : MARKS.indexOf(quoteMark({ verdict, answering }, { level }));

type QuoteLook = 'written' | 'mention' | 'slide';

const QuoteButton = memo(function QuoteButton({
  place,
  index,
  quote,
  look,
  isShown,
}: {
  readonly place: string;
  readonly index: number;
  readonly quote: StopQuote;
  readonly look: QuoteLook;
  readonly isShown: boolean;
}) {
  const words = useWords(pageWords);
  const { select, level } = useReviewTools();
  const text = quote.quote ?? '';
  return (
    <button
      type="button"
      aria-current={isShown ? 'true' : undefined}
      title={look === 'written' ? undefined : text}
      onClick={() => select(place, index)}
      className={classes(
        'max-w-full rounded text-left text-[0.9375rem] select-text',
        look === 'written' ? 'flex items-baseline gap-2 hover:underline' : 'inline-flex items-baseline gap-1.5',
        look === 'mention' &&
          'border border-line bg-panel px-1.5 text-xs leading-6 text-soft hover:border-edge hover:text-ink',
        isShown && look !== 'written' && 'border-accent',
      )}
    >
      <SlideNumber slide={quote.slide} isShown={isShown} />
      {look === 'slide' ? null : (
        <span className={classes('min-w-0', look === 'mention' && 'truncate')}>
          {look === 'mention' ? mentionOf(text) : words.quoted(text)}
          {look === 'written' ? <Doubt quote={quote} /> : null}
          {look === 'written' ? <Moved quote={quote} /> : null}
        </span>
      )}
      {look === 'written' ? null : <Doubt quote={quote} />}
      {quote.verdict === null ? null : <QuoteMarks quote={{ ...quote, verdict: quote.verdict }} level={level} />}
    </button>
  );
});

/** Number of a slide, as a small mark. */
export const SlideNumber = ({ slide, isShown = false }: { readonly slide: number; readonly isShown?: boolean }) => {
  const words = useWords(pageWords);
  return (
    <span
      className={classes(
        'min-w-14 shrink-0 rounded px-1 text-center text-xs leading-5 font-medium whitespace-nowrap tabular-nums',
        isShown ? 'bg-accent text-on-accent' : 'bg-accent-tint text-accent group-aria-[current]:bg-panel',
      )}
    >
      {words.slide(slide)}
    </span>
  );
};

/** A word on a quote that proves nothing. What is verified has none. */
function Doubt({ quote: { verdict, reread } }: { readonly quote: StopQuote }) {
  const words = useWords(markWords);
  if (verdict === null || isProof({ verdict })) return null;
  return (
    // People who do not see it are told by the mark.
    <span aria-hidden={reread === 'withdrawn' ? undefined : true}>
      <Badge tone="warn" className="ml-1.5">
        {reread === 'withdrawn' ? words.withdrawnMark : words.verdict[verdict]}
      </Badge>
    </span>
  );
}

/** From which slide a quote was moved here, and why one is not verified any more. */
function Moved({ quote: { slide, verdict, citedSlide, reread, rereadReason } }: { readonly quote: StopQuote }) {
  const words = useWords(markWords);
  const language = useLanguage();
  const notes = [
    ...(citedSlide === null || citedSlide === slide ? [] : [words.moved(slide, citedSlide)]),
    ...(verdict !== null && isWithdrawn({ verdict, reread })
      ? [rereadText(words.withdrawn, rereadReason, language)]
      : []),
  ];
  return notes.length === 0 ? null : <span className="block text-sm text-soft">{notes.join(' ')}</span>;
}
