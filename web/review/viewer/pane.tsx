/** The slide side of a review: controls, the slide with the lit words, what the quote is worth, and all slides in small. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import type { JudgedReport } from '../../../domain/decks/verdicts/overlay.ts';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';
import { classes } from '../../ui/classes.ts';
import { useElementSize } from '../../ui/element-size.ts';
import { useMedia } from '../../ui/media.ts';
import { useWords } from '../../words/language.ts';
import { placeId } from '../findings/place.tsx';
import { Notes } from '../human/notes.tsx';
import type { SlideMarks } from '../marks.ts';
import { slidesQuery, slideWordsQuery, type SlideFile } from '../queries.ts';
import { IS_WIDE } from '../width.ts';
import { useValue } from '../../store.ts';
import { useKeys } from '../selection/use-keys.ts';
import type { ReviewModel } from '../selection/stops.ts';
import { useReviewTools } from '../tools.ts';
import { Controls } from './controls.tsx';
import { Lens } from './lens.tsx';
import { litOn, type Lit } from './lit.ts';
import { pageSize } from './page-size.ts';
import { Stage } from './stage.tsx';
import { Strip } from './strip.tsx';
import { useZoom } from './use-zoom.ts';
import { viewerWords } from './words.ts';

const NO_SLIDES: readonly SlideFile[] = [];

/** The pane. */
export function SlidePane({
  report,
  model,
  marks,
  judged,
}: {
  readonly report: AnalysisReport;
  readonly model: ReviewModel;
  readonly marks: ReadonlyMap<number, SlideMarks>;
  readonly judged: Pick<JudgedReport, 'notes'>;
}) {
  const words = useWords(viewerWords);
  const { deckId, selection, showSlide, select } = useReviewTools();
  const { stop: key, quote, slide: number } = useValue(selection);
  const isWide = useMedia(IS_WIDE);
  const [isOpen, setOpen] = useState(true);
  const paneRef = usePaneHeight(isWide);
  const { data: slides = NO_SLIDES, isPending } = useQuery(slidesQuery(deckId));
  const at = slides.findIndex((each) => each.number === number);
  const slide = slides[at];
  const page = useMemo(() => pageSize(slide ?? slides[0]), [slide, slides]);
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
  const subject = subjectOf({ of: 'slide', number });
  const title = report.slides.find((each) => each.number === number)?.title ?? null;
  return (
    <section
      ref={paneRef}
      aria-label={words.slides}
      className="no-print sticky top-13 z-20 flex min-w-0 flex-col border-b border-line bg-panel min-[1000px]:relative min-[1000px]:top-0 min-[1000px]:min-h-0 min-[1000px]:border-b-0 min-[1000px]:border-l"
    >
      <p role="status" className="sr-only">
        {liveText(lit, number, words)}
      </p>
      <Controls
        number={number}
        count={Math.max(report.deck.slides ?? 0, slides.length)}
        zoom={zoom}
        onPrevious={at > 0 ? () => go(-1) : null}
        onNext={at < slides.length - 1 ? () => go(1) : null}
        isOpen={isOpen}
        onOpen={isWide ? null : setOpen}
      />
      {isWide || isOpen ? (
        <>
          <div
            className={classes('flex min-h-0', isWide ? 'grow' : 'max-h-[38dvh]')}
            style={isWide ? undefined : { aspectRatio: `${page.width} / ${page.height}` }}
          >
            <Stage
              slide={slide}
              missing={isPending ? null : report.finishedAt === null ? words.notDrawn : words.noPicture}
              title={title}
              page={page}
              zoom={zoom}
              lit={lit}
              words={layer?.words ?? null}
            />
          </div>
          <Lens report={report} stop={stop} quote={quote} slide={number} lit={lit} onQuote={goQuote} isWide={isWide}>
            <Notes subject={subject} place={subject} judged={judged} />
          </Lens>
          {isWide ? <Strip slides={slides} marks={marks} shown={number} onShow={showSlide} /> : null}
        </>
      ) : null}
    </section>
  );
}

/** What is said of the slide to those who do not see it. */
function liveText({ state, boxes }: Lit, slide: number, words: (typeof viewerWords)['en']): string {
  if (state === 'missing') return words.notFoundOnSlide(slide);
  return boxes.length > 0 ? words.lit(slide) : words.slide(slide);
}

/**
 * Tells the rows of the findings how much of the window the pane above them covers. Once that is known, the place that the address leads to is
 * brought into view.
 */
function usePaneHeight(isWide: boolean): ReturnType<typeof useElementSize<HTMLElement>>[0] {
  const { selection } = useReviewTools();
  const [ref, { height }] = useElementSize<HTMLElement>();
  const isKnown = height > 0;
  useEffect(() => {
    if (isWide) return undefined;
    document.documentElement.style.setProperty('--covered', `calc(3.25rem + ${height}px)`);
    return () => void document.documentElement.style.removeProperty('--covered');
  }, [height, isWide]);
  useEffect(() => {
    const { stop } = selection.get();
    if (!isKnown || stop === null) return undefined;
    const frame = requestAnimationFrame(() =>
      document.getElementById(placeId(stop))?.scrollIntoView({ block: 'start' }),
    );
    return () => cancelAnimationFrame(frame);
  }, [isKnown, selection]);
  return ref;
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
