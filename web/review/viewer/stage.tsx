/** One slide: its picture, the lit words over it, and its text to select. */
import { useEffect, useRef } from 'react';
import { around } from '../locate/find-quote.ts';
import type { SlideFile } from '../queries.ts';
import type { SlideWordsDocument } from '../../../api/decks/files/schemas.ts';
import { classes } from '../../ui/classes.ts';
import { useWords } from '../../words/language.ts';
import type { Lit } from './lit.ts';
import { Overlay } from './overlay.tsx';
import { TextLayer } from './text-layer.tsx';
import type { Zoom } from './use-zoom.ts';
import { viewerWords } from './words.ts';
import type { Size } from './zoom.ts';

/** The slide in its view. */
export function Stage({
  slide,
  missing,
  title,
  page,
  zoom,
  lit,
  words,
}: {
  readonly slide: SlideFile | undefined;
  /** What is said in place of a picture; null while it is not known whether there is one. */
  readonly missing: string | null;
  /** Of the slide; null where it has none. */
  readonly title: string | null;
  readonly page: Size;
  readonly zoom: Zoom;
  readonly lit: Lit;
  readonly words: SlideWordsDocument['words'] | null;
}) {
  const text = useWords(viewerWords);
  const { scale, reveal } = zoom;
  const isPlaceKnown = slide?.widthPt !== null;
  useRevealed(lit, reveal);
  return (
    <div
      ref={zoom.viewRef}
      className={classes(
        'flex min-h-0 grow touch-pan-x touch-pan-y bg-raised',
        zoom.isFit ? 'overflow-hidden' : 'cursor-grab overflow-auto active:cursor-grabbing',
      )}
      data-stage
    >
      <div
        className="relative m-auto shrink-0 bg-panel shadow-sm"
        style={{ width: Math.floor(page.width * scale), height: Math.floor(page.height * scale) }}
      >
        {slide === undefined || slide.imageUrl === null ? (
          <p className="grid size-full place-items-center p-4 text-center text-soft">{missing}</p>
        ) : (
          <>
            <img
              // A new element per slide: the picture before does not stay under the words of this one.
              key={slide.imageUrl}
              src={slide.imageUrl}
              alt={title === null ? text.slide(slide.number) : `${text.slide(slide.number)}: ${title}`}
              className="absolute inset-0 size-full"
              draggable={false}
            />
            {isPlaceKnown ? <Overlay page={page} lit={lit.boxes} others={lit.others} /> : null}
            {isPlaceKnown && words !== null ? <TextLayer words={words} page={page} scale={scale} /> : null}
          </>
        )}
      </div>
    </div>
  );
}

/** Brings the lit words into view when they change, not when the reader has scrolled since. */
function useRevealed({ boxes }: Lit, reveal: Zoom['reveal']): void {
  const shown = useRef('');
  const key = boxes.join(' ');
  useEffect(() => {
    if (key === shown.current) return;
    shown.current = key;
    if (boxes.length > 0) reveal(around(boxes));
  }, [key, boxes, reveal]);
}
