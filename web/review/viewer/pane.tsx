/** The slide side of a review: controls, the slide with the lit words, what the quote is worth, and all slides in small. */
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronLeft, ChevronRight, ChevronUp, Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { useMedia } from '../../ui/media.ts';
import { useWords } from '../../words/language.ts';
import { slideWordsQuery, type SlideFile } from '../queries.ts';
import { useStore } from '../selection/store.ts';
import { useKeys } from '../selection/use-keys.ts';
import type { ReviewModel } from '../selection/stops.ts';
import { useReviewTools } from '../tools.ts';
import { Lens } from './lens.tsx';
import { litOn } from './lit.ts';
import { pageSize, Stage } from './stage.tsx';
import { Strip, type SlideMarks } from './strip.tsx';
import { useZoom, type Zoom } from './use-zoom.ts';
import { viewerWords } from './words.ts';

/** Beside the findings from this width on, above them below it. */
export const IS_WIDE = '(min-width: 1000px)';

/** The pane. `notes` are those on the slide that is shown. */
export function SlidePane({
  report,
  model,
  slides,
  marks,
  notesOf,
}: {
  readonly report: AnalysisReport;
  readonly model: ReviewModel;
  readonly slides: readonly SlideFile[];
  readonly marks: ReadonlyMap<number, SlideMarks>;
  readonly notesOf: (slide: number) => ReactNode;
}) {
  const words = useWords(viewerWords);
  const { deckId, selection, showSlide, select } = useReviewTools();
  const { stop: key, quote, slide: number } = useStore(selection, (value) => value);
  const isWide = useMedia(IS_WIDE);
  const [isOpen, setOpen] = useState(true);
  const at = slides.findIndex((each) => each.number === number);
  const slide = slides[at];
  const page = useMemo(() => pageSize(slide), [slide]);
  const zoom = useZoom(page);
  const { data: layer } = useQuery({ ...slideWordsQuery(deckId, number), enabled: slide !== undefined });
  const stop = key === null ? undefined : model.byKey.get(key);
  const lit = useMemo(() => litOn(number, stop, quote, layer?.words ?? null), [number, stop, quote, layer]);
  const go = (step: 1 | -1): void => {
    const next = slides[at + step];
    if (next !== undefined) showSlide(next.number);
  };
  const goQuote = (step: 1 | -1): void => {
    if (stop !== undefined && stop.quotes[quote + step] !== undefined) select(stop.key, quote + step);
  };
  useKeys({
    ArrowLeft: () => go(-1),
    ArrowRight: () => go(1),
    '+': zoom.zoomIn,
    '=': zoom.zoomIn,
    '-': zoom.zoomOut,
    '0': zoom.actualSize,
    f: zoom.fit,
    ',': () => goQuote(-1),
    '.': () => goQuote(1),
  });
  usePreloaded(slides, at);
  const title = report.slides.find((each) => each.number === number)?.title ?? null;
  const said =
    lit.state === 'missing'
      ? words.notFoundOnSlide(number)
      : lit.boxes.length > 0
        ? words.lit(number)
        : words.shownOnly(number);
  return (
    <section
      aria-label={words.slides}
      className="no-print sticky top-13 z-20 flex min-w-0 flex-col border-b border-line bg-panel min-[1000px]:static min-[1000px]:min-h-0 min-[1000px]:border-b-0 min-[1000px]:border-l"
    >
      <p role="status" className="sr-only">
        {said}
      </p>
      <Controls
        number={number}
        count={slides.length}
        zoom={zoom}
        onPrevious={at > 0 ? () => go(-1) : null}
        onNext={at < slides.length - 1 ? () => go(1) : null}
        isOpen={isOpen}
        onOpen={isWide ? null : setOpen}
      />
      {isWide || isOpen ? (
        <>
          <div
            className={classes('flex min-h-0', isWide ? 'grow' : 'max-h-[42dvh]')}
            style={isWide ? undefined : { aspectRatio: `${page.width} / ${page.height}` }}
          >
            <Stage slide={slide} title={title} page={page} zoom={zoom} lit={lit} words={layer?.words ?? null} />
          </div>
          <Lens report={report} stop={stop} quote={quote} slide={number} lit={lit} onQuote={goQuote} isWide={isWide}>
            {notesOf(number)}
          </Lens>
          {isWide ? <Strip slides={slides} marks={marks} shown={number} onShow={showSlide} /> : null}
        </>
      ) : null}
    </section>
  );
}

/** Loads the pictures of the neighbours, so that the next key shows them at once. */
function usePreloaded(slides: readonly SlideFile[], at: number): void {
  useEffect(() => {
    for (const neighbour of [slides[at + 1], slides[at - 1]]) {
      if (neighbour?.imageUrl === undefined || neighbour.imageUrl === null) continue;
      new Image().src = neighbour.imageUrl;
    }
  }, [slides, at]);
}

function Controls({
  number,
  count,
  zoom,
  onPrevious,
  onNext,
  isOpen,
  onOpen,
}: {
  readonly number: number;
  readonly count: number;
  readonly zoom: Zoom;
  readonly onPrevious: (() => void) | null;
  readonly onNext: (() => void) | null;
  readonly isOpen: boolean;
  /** Null where the slide is always shown. */
  readonly onOpen: ((open: boolean) => void) | null;
}) {
  const words = useWords(viewerWords);
  return (
    <div className="flex shrink-0 items-center gap-0.5 border-b border-line px-2 py-1">
      <IconButton label={words.previousSlide} disabled={onPrevious === null} onClick={() => onPrevious?.()}>
        <ChevronLeft size={18} aria-hidden />
      </IconButton>
      <span className="min-w-28 text-center text-sm tabular-nums">{words.slideOf(number, count)}</span>
      <IconButton label={words.nextSlide} disabled={onNext === null} onClick={() => onNext?.()}>
        <ChevronRight size={18} aria-hidden />
      </IconButton>
      <span className="grow" />
      {isOpen || onOpen === null ? (
        <>
          <IconButton label={words.zoomOut} onClick={zoom.zoomOut}>
            <ZoomOut size={18} aria-hidden />
          </IconButton>
          <button
            type="button"
            onClick={zoom.actualSize}
            title={words.actualSize}
            className="hidden min-w-12 text-center text-xs text-soft tabular-nums hover:text-ink sm:block"
          >
            {`${Math.round((zoom.scale * 72 * 100) / 96)} %`}
          </button>
          <IconButton label={words.zoomIn} onClick={zoom.zoomIn}>
            <ZoomIn size={18} aria-hidden />
          </IconButton>
          <IconButton label={words.fit} aria-pressed={zoom.isFit} onClick={zoom.fit}>
            <Maximize size={17} aria-hidden />
          </IconButton>
        </>
      ) : null}
      {onOpen === null ? null : (
        <IconButton label={isOpen ? words.hide : words.show} aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
          {isOpen ? <ChevronUp size={18} aria-hidden /> : <ChevronDown size={18} aria-hidden />}
        </IconButton>
      )}
    </div>
  );
}
