/** Quotes with their slides. A quote is written out once; later places name the one that has it. */
import { memo } from 'react';
import { MARKS, quoteMark } from '../../../domain/decks/review/marks.ts';
import { reviewWords } from '../../../domain/decks/review/words.ts';
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
import { focusPlace } from './place.tsx';

/** How a place shows its quotes: written out where they are the first, or only their slides. */
type QuotesLook = 'words' | 'slides';

/** The quotes of a place. */
export const Quotes = memo(function Quotes({
  place,
  quotes,
  look = 'words',
  only,
  isSameSlide = false,
}: {
  readonly place: string;
  readonly quotes: readonly StopQuote[];
  readonly look?: QuotesLook;
  /** Indices of the quotes that are shown here; all by default. */
  readonly only?: readonly number[];
  /** True where the row above has the same slide: its number is not shown again. */
  readonly isSameSlide?: boolean;
}) {
  const { selection, level } = useReviewTools();
  const shown = useStore(selection, ({ stop, quote }) => (stop === place ? quote : null));
  const numbered = quotes
    .map((quote, index) => ({ quote, index }))
    .filter(({ index }) => only?.includes(index) ?? true);
  const isWritten = ({ writtenAt }: StopQuote): boolean => look === 'words' && writtenAt === null;
  const written = numbered.filter(({ quote }) => isWritten(quote));
  const others = numbered.filter(({ quote }) => !isWritten(quote));
  const short = firstOfSlide(others, level);
  const elsewhere = look === 'slides' ? [] : others.flatMap(({ quote }) => quote.writtenAt ?? []);
  const button = ({ quote, index }: (typeof numbered)[number], as: QuoteLook) => (
    <QuoteButton
      key={index}
      place={place}
      index={index}
      quote={quote}
      look={as}
      isShown={shown === index}
      isSameSlide={isSameSlide}
    />
  );
  return (
    <>
      {written.length === 0 ? null : (
        <div className="flex flex-col items-start gap-1">{written.map((each) => button(each, 'written'))}</div>
      )}
      {short.length === 0 ? null : (
        <div className="flex flex-wrap items-baseline gap-1">
          {elsewhere.length === 0 ? null : <Elsewhere places={[...new Set(elsewhere)]} isAll={written.length === 0} />}
          {short.map((each) => button(each, 'slide'))}
        </div>
      )}
    </>
  );
});

/** Says which earlier places have the quotes, and leads there. @param isAll no other quotes stand here */
function Elsewhere({ places, isAll }: { readonly places: readonly string[]; readonly isAll: boolean }) {
  const { sameEvidence, alsoEvidence } = reviewWords[useLanguage()];
  const { labelOf, select } = useReviewTools();
  return (
    <>
      <span className="text-sm text-soft">{isAll ? sameEvidence : alsoEvidence}</span>
      {places.map((place) => (
        <button
          key={place}
          type="button"
          onClick={() => {
            select(place);
            focusPlace(place);
          }}
          className="mr-1 text-left text-sm text-accent underline-offset-2 hover:underline"
        >
          {labelOf(place)}
        </button>
      ))}
    </>
  );
}

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

type QuoteLook = 'written' | 'slide';

const QuoteButton = memo(function QuoteButton({
  place,
  index,
  quote,
  look,
  isShown,
  isSameSlide,
}: {
  readonly place: string;
  readonly index: number;
  readonly quote: StopQuote;
  readonly look: QuoteLook;
  readonly isShown: boolean;
  readonly isSameSlide: boolean;
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
      )}
    >
      {look === 'slide' && isSameSlide ? (
        <span className="sr-only">{words.slide(quote.slide)}</span>
      ) : (
        <SlideNumber slide={quote.slide} isShown={isShown} />
      )}
      {look === 'slide' ? (
        <Doubt quote={quote} />
      ) : (
        <span className="min-w-0">
          {words.quoted(text)}
          <Doubt quote={quote} />
          <Moved quote={quote} />
        </span>
      )}
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
