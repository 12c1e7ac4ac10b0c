/** Under the slide: which statement is lit, what its quote is worth and why, and how it was made. */
import { ChevronLeft, ChevronRight, CircleAlert, CircleCheck } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { pageNoteOf } from '../../../domain/pages/page.ts';
import type { AnalysisReport, Provenance } from '../../../domain/decks/report.ts';
import { isProof, isWithdrawn } from '../../../domain/decks/review/proof.ts';
import { reasonText } from '../../../domain/decks/review/reason-words.ts';
import { ANSWERING_ICONS, toneOf } from '../../marks/quote-marks.tsx';
import { markWords, rereadText } from '../../marks/words.ts';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import { stopLabel } from '../labels.ts';
import { ProvenanceFacts } from '../made/provenance.tsx';
import type { Stop, StopQuote } from '../selection/stops.ts';
import { useReviewTools } from '../tools.ts';
import type { Lit } from './lit.ts';
import { viewerWords } from './words.ts';

/** The lens. `children` are the notes on the slide. */
export function Lens({
  report,
  stop,
  quote: index,
  slide,
  lit,
  onQuote,
  isWide,
  children,
}: {
  readonly report: AnalysisReport;
  readonly stop: Stop | undefined;
  /** Index of the quote. */
  readonly quote: number;
  /** Number of the slide that is shown. */
  readonly slide: number;
  readonly lit: Lit;
  readonly onQuote: (step: 1 | -1) => void;
  readonly isWide: boolean;
  readonly children: ReactNode;
}) {
  const words = useWords(viewerWords);
  const language = useLanguage();
  const quote = stop?.quotes[index];
  const note = pageNote(report, slide);
  return (
    <div className="flex max-h-[32dvh] shrink-0 flex-col gap-1.5 max-[1000px]:max-h-[24dvh] max-[1000px]:gap-0.5 overflow-y-auto border-t border-line px-3 py-2 text-sm">
      {note === null ? null : <p className="text-soft">{words.pageNote[note]}</p>}
      {stop === undefined || quote === undefined ? (
        <p className="text-soft">{words.choose}</p>
      ) : (
        <>
          <div className="flex items-start gap-2">
            <p className="min-w-0 grow font-medium max-[1000px]:truncate">{stopLabel(stop, report, language)}</p>
            {stop.quotes.length > 1 ? (
              <span className="-my-1.5 flex shrink-0 items-center text-xs text-soft">
                <IconButton label={words.previousQuote} disabled={index === 0} onClick={() => onQuote(-1)}>
                  <ChevronLeft size={16} aria-hidden />
                </IconButton>
                {words.quoteOf(index + 1, stop.quotes.length)}
                <IconButton
                  label={words.nextQuote}
                  disabled={index === stop.quotes.length - 1}
                  onClick={() => onQuote(1)}
                >
                  <ChevronRight size={16} aria-hidden />
                </IconButton>
              </span>
            ) : null}
          </div>
          <QuoteText quote={quote} shown={slide} isWritten={isWide || lit.boxes.length === 0} />
          <QuoteVerdict quote={quote} lit={lit} />
          {isWide ? <HowMade provenance={provenanceOf(report, stop)} key={stop.key} /> : null}
        </>
      )}
      {children}
    </div>
  );
}

/** The words of the quote; where another slide is shown, the way back to its own. */
function QuoteText({
  quote,
  shown,
  isWritten,
}: {
  readonly quote: StopQuote;
  readonly shown: number;
  /** False where there is little room and the words are lit on the slide. */
  readonly isWritten: boolean;
}) {
  const words = useWords(viewerWords);
  const { showSlide } = useReviewTools();
  return (
    <>
      {quote.quote === null || !isWritten ? null : <q className="line-clamp-3 text-soft">{quote.quote}</q>}
      {quote.slide === shown ? null : (
        <button type="button" className="self-start text-accent underline" onClick={() => showSlide(quote.slide)}>
          {words.onSlide(quote.slide)}
        </button>
      )}
    </>
  );
}

/** The verdict with its reason, in plain words, and what could not be lit. */
function QuoteVerdict({ quote, lit }: { readonly quote: StopQuote; readonly lit: Lit }) {
  const words = useWords(viewerWords);
  const language = useLanguage();
  const { level } = useReviewTools();
  const { verdict, answering, reread } = quote;
  // The second reading says the same of a withdrawn quote, below.
  const isSaidBelow = verdict !== null && isWithdrawn({ verdict, reread });
  const reason = isSaidBelow ? null : reasonText(quote.reason, language);
  const isProved = verdict !== null && isProof({ verdict });
  const Icon = isProved ? CircleCheck : CircleAlert;
  return (
    <>
      {verdict === null ? null : (
        <p className="flex items-start gap-1.5">
          <Icon
            size={16}
            className={classes('mt-0.5 shrink-0', toneOf({ verdict, answering }, level, !isProved))}
            aria-hidden
          />
          <span>
            {words.verdict[verdict]}
            {reason === null ? null : <span className="text-soft"> {`(${reason})`}</span>}
          </span>
        </p>
      )}
      <QuoteAnswering quote={quote} />
      {lit.state === 'parts' ? <p className="text-soft">{words.inParts}</p> : null}
      {lit.state === 'missing' ? <p className="text-warn">{words.notLocated}</p> : null}
    </>
  );
}

/** Whether the quote answers its question, by whom that was judged, from where it was moved, and what its second reading said. */
function QuoteAnswering({ quote }: { readonly quote: StopQuote }) {
  const words = useWords(markWords);
  const language = useLanguage();
  const { level } = useReviewTools();
  const { verdict, slide, answering, answeringBy, citedSlide, reread, rereadReason } = quote;
  if (verdict === null) return null;
  const Icon = ANSWERING_ICONS[answering ?? 'not_judged'];
  const tone = toneOf({ verdict, answering }, level, answering === 'doubtful');
  return (
    <>
      <p className="flex items-start gap-1.5">
        <Icon size={16} className={classes('mt-0.5 shrink-0', tone)} aria-hidden />
        <span>
          {words.answeringLong[answering ?? 'not_judged']}
          {answeringBy === null ? null : <span className="text-soft"> {`(${words.answeringBy[answeringBy]})`}</span>}
        </span>
      </p>
      {citedSlide === null || citedSlide === slide ? null : (
        <p className="text-soft">{words.moved(slide, citedSlide)}</p>
      )}
      {isWithdrawn({ verdict, reread }) ? (
        <p className="text-warn">{rereadText(words.withdrawn, rereadReason, language)}</p>
      ) : reread === 'withdrawn' ? (
        <p className="text-soft">{words.calledRight}</p>
      ) : reread === 'not_read' ? (
        <p className="text-soft">{rereadText(words.notRead, rereadReason, language)}</p>
      ) : null}
    </>
  );
}

function HowMade({ provenance }: { readonly provenance: Provenance | null }) {
  const words = useWords(viewerWords);
  const [isOpen, setOpen] = useState(false);
  if (provenance === null) return null;
  return (
    <details className="text-xs text-soft" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit cursor-pointer hover:text-ink">{words.howMade}</summary>
      {isOpen ? <ProvenanceFacts provenance={provenance} /> : null}
    </details>
  );
}

function pageNote({ slides }: AnalysisReport, number: number): ReturnType<typeof pageNoteOf> {
  const page = slides.find((slide) => slide.number === number)?.page ?? null;
  return page === null ? null : pageNoteOf(page);
}

/** How the statement of a place was made; null for what the program read off the slides itself. */
function provenanceOf(report: AnalysisReport, { subject }: Stop): Provenance | null {
  const [of, name] = subject?.split('/') ?? [];
  switch (of) {
    case 'value':
      return report.extractions.find(({ field }) => field === name)?.provenance ?? null;
    case 'question':
      return (
        report.chapters.flatMap(({ questions }) => questions).find(({ slug }) => slug === name)?.answerProvenance ??
        null
      );
    case 'reading':
      return report.specialised.find(({ kind }) => kind === name)?.provenance ?? null;
    case 'profile':
      return report.profile.provenance;
    default:
      return null;
  }
}
