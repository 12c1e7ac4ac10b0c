/**
 * The words of a slide as text that cannot be seen, at their places over the picture: to select, copy, search in the page, and for screen readers.
 */
import { memo } from 'react';
import { around, isUpright, linesOf, type SlideWord } from '../locate/find-quote.ts';
import type { Size } from './zoom.ts';

/** Height of letters by height of their box. */
const FONT_SHARE = 0.8;
const MEASURED_PX = 100;

const canvas = document.createElement('canvas').getContext('2d');

/** Width of a text by height of its font, in the font of the page. */
function widthPerHeight(text: string): number {
  if (canvas === null) return text.length / 2;
  canvas.font = `${MEASURED_PX}px sans-serif`;
  return Math.max(0.1, canvas.measureText(text).width / MEASURED_PX);
}

/** Place and form of a word, in points. */
function styleOf(word: SlideWord): React.CSSProperties {
  const [left, top, right, bottom] = word.box;
  const upright = isUpright(word);
  const [width, height] = upright ? [bottom - top, right - left] : [right - left, bottom - top];
  const fontSize = Math.max(1, height * FONT_SHARE);
  const stretch = width / (fontSize * widthPerHeight(word.text));
  return {
    left: upright ? right : left,
    top,
    height,
    fontSize,
    lineHeight: `${height}px`,
    transform: `${upright ? 'rotate(90deg) ' : ''}scaleX(${stretch})`,
  };
}

/** The layer, as large as the page at this scale. */
export const TextLayer = memo(function TextLayer({
  words,
  page,
  scale,
}: {
  readonly words: readonly SlideWord[];
  readonly page: Size;
  readonly scale: number;
}) {
  return (
    <div
      className="no-print absolute top-0 left-0 origin-top-left font-[sans-serif] text-transparent"
      style={{ width: page.width, height: page.height, transform: `scale(${scale})` }}
      data-text-layer
    >
      <Lines words={words} />
    </div>
  );
});

/** Does not depend on the scale, so that zooming leaves it as it is. */
const Lines = memo(function Lines({ words }: { readonly words: readonly SlideWord[] }) {
  return linesOf(words).map((line) => (
    <p key={around(line.map(({ box }) => box)).join(' ')}>
      {line.map((word) => (
        <span
          key={`${word.text} ${word.box.join(' ')}`}
          className="absolute origin-top-left cursor-text whitespace-pre selection:bg-accent/40 selection:text-transparent"
          style={styleOf(word)}
        >
          {`${word.text} `}
        </span>
      ))}
    </p>
  ));
});
