/** Small pictures of all slides, with marks for those that the review refers to. */
import { MessageSquareText, StickyNote, TriangleAlert } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { classes } from '../../ui/classes.ts';
import { useWords } from '../../words/language.ts';
import { NO_MARKS, type SlideMarks } from '../marks.ts';
import type { SlideFile } from '../queries.ts';
import { pageSize } from './page-size.ts';
import { viewerWords } from './words.ts';

/** The strip. */
export const Strip = memo(function Strip({
  slides,
  marks,
  shown,
  onShow,
}: {
  readonly slides: readonly SlideFile[];
  readonly marks: ReadonlyMap<number, SlideMarks>;
  /** Number of the slide that is shown. */
  readonly shown: number;
  readonly onShow: (slide: number) => void;
}) {
  const words = useWords(viewerWords);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (list.current === null || current === null || current === undefined) return;
    const { offsetLeft, offsetWidth } = current;
    const { scrollLeft, clientWidth } = list.current;
    if (offsetLeft < scrollLeft || offsetLeft + offsetWidth > scrollLeft + clientWidth) {
      list.current.scrollTo({ left: offsetLeft - clientWidth / 2 + offsetWidth / 2 });
    }
  }, [shown]);
  return (
    <ol ref={list} aria-label={words.slides} className="relative flex shrink-0 gap-2 overflow-x-auto p-2">
      {slides.map((slide) => (
        <li key={slide.number} className="shrink-0">
          <Thumbnail
            slide={slide}
            marks={marks.get(slide.number) ?? NO_MARKS}
            isShown={slide.number === shown}
            onShow={onShow}
          />
        </li>
      ))}
    </ol>
  );
});

const Thumbnail = memo(function Thumbnail({
  slide,
  marks,
  isShown,
  onShow,
}: {
  readonly slide: SlideFile;
  readonly marks: SlideMarks;
  readonly isShown: boolean;
  readonly onShow: (slide: number) => void;
}) {
  const words = useWords(viewerWords);
  const { number, thumbnailUrl } = slide;
  // Its place is kept before it is loaded.
  const { width, height } = pageSize(slide);
  const { proofs, hasFeedback, hasWarning, notes } = marks;
  const said = [
    words.slide(number),
    ...(proofs > 0 ? [words.marks.proofs(proofs)] : []),
    ...(hasFeedback ? [words.marks.feedback] : []),
    ...(hasWarning ? [words.marks.warning] : []),
    ...(notes > 0 ? [words.marks.notes(notes)] : []),
  ].join(', ');
  return (
    <button
      type="button"
      aria-label={said}
      title={said}
      aria-current={isShown ? 'true' : undefined}
      onClick={() => onShow(number)}
      className={classes(
        'relative block overflow-hidden rounded border-2 bg-panel',
        isShown ? 'border-accent' : 'border-line hover:border-edge',
      )}
    >
      <span className="block h-14 min-w-10" style={{ aspectRatio: `${width} / ${height}` }}>
        {thumbnailUrl === null ? null : <img src={thumbnailUrl} alt="" loading="lazy" className="size-full" />}
      </span>
      <span className="absolute right-0 bottom-0 flex items-center gap-1 rounded-tl bg-panel/90 px-1 text-xs leading-5 text-ink">
        {hasWarning ? <TriangleAlert size={11} className="text-warn" aria-hidden /> : null}
        {hasFeedback ? <MessageSquareText size={11} className="text-soft" aria-hidden /> : null}
        {notes > 0 ? <StickyNote size={11} className="text-accent" aria-hidden /> : null}
        {proofs > 0 ? <span className="size-1.5 rounded-full bg-accent" aria-hidden /> : null}
        {number}
      </span>
    </button>
  );
});
