/** The bar over the slide: which slide, zoom, note, and on narrow windows whether the slide is shown at all. */
import { ChevronDown, ChevronLeft, ChevronRight, ChevronUp, Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';
import { IconButton } from '../../ui/button.tsx';
import { useWords } from '../../words/language.ts';
import { NoteButton } from '../human/notes.tsx';
import type { Zoom } from './use-zoom.ts';
import { viewerWords } from './words.ts';
import { ACTUAL_SCALE } from './zoom.ts';

/** The bar. */
export function Controls({
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
  /** Null on the first slide. */
  readonly onPrevious: (() => void) | null;
  /** Null on the last slide. */
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
      <span className="text-center text-sm whitespace-nowrap tabular-nums sm:min-w-28">
        {count === 0 ? words.slide(number) : words.slideOf(number, count)}
      </span>
      <IconButton label={words.nextSlide} disabled={onNext === null} onClick={() => onNext?.()}>
        <ChevronRight size={18} aria-hidden />
      </IconButton>
      <NoteButton place={subjectOf({ of: 'slide', number })} label={words.slide(number)} />
      <span className="grow" />
      {isOpen || onOpen === null ? <ZoomButtons zoom={zoom} /> : null}
      {onOpen === null ? null : (
        <IconButton label={isOpen ? words.hide : words.show} aria-expanded={isOpen} onClick={() => onOpen(!isOpen)}>
          {isOpen ? <ChevronUp size={18} aria-hidden /> : <ChevronDown size={18} aria-hidden />}
        </IconButton>
      )}
    </div>
  );
}

function ZoomButtons({ zoom }: { readonly zoom: Zoom }) {
  const words = useWords(viewerWords);
  return (
    <>
      <IconButton label={words.zoomOut} onClick={zoom.zoomOut}>
        <ZoomOut size={18} aria-hidden />
      </IconButton>
      <button
        type="button"
        onClick={zoom.actualSize}
        title={words.actualSize}
        className="hidden min-h-9 min-w-12 rounded text-center text-xs text-soft tabular-nums hover:bg-raised hover:text-ink sm:block"
      >
        {`${Math.round((100 * zoom.scale) / ACTUAL_SCALE)} %`}
      </button>
      <IconButton label={words.zoomIn} onClick={zoom.zoomIn}>
        <ZoomIn size={18} aria-hidden />
      </IconButton>
      <IconButton label={words.fit} aria-pressed={zoom.isFit} onClick={zoom.fit}>
        <Maximize size={17} aria-hidden />
      </IconButton>
    </>
  );
}
