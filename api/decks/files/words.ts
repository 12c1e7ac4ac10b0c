/** The words of a page with their places, as the viewer lays them over the image of a slide. */
import { pageNoteOf, type Box, type PageLayout } from '../../../domain/pages/page.ts';
import { pageLayoutSchema } from '../../../domain/pages/page-schemas.ts';
import type { SlideWordsDocument, Wordless } from './schemas.ts';

/** A tenth of a point cannot be seen. */
const rounded = (value: number): number => Math.round(value * 10) / 10;
const roundedBox = ([left, top, right, bottom]: Box): Box => [
  rounded(left),
  rounded(top),
  rounded(right),
  rounded(bottom),
];

function reasonOf(layout: PageLayout): Wordless | null {
  if (layout.words.length > 0) return null;
  const note = pageNoteOf(layout);
  return note === null || note === 'recognised' ? 'no_text' : note;
}

/** The document of a stored slide; one that could not be drawn has no layout. */
export function slideWords(slide: { readonly layout: unknown }): SlideWordsDocument {
  if (slide.layout === null) return { widthPt: null, heightPt: null, words: [], reason: 'failed' };
  const layout = pageLayoutSchema.parse(slide.layout);
  const { widthPt, heightPt, blocks } = layout;
  const words = blocks
    .flatMap((block) => block.lines.flat(2))
    .flatMap((index) => layout.words.slice(index, index + 1))
    .map(({ text, box }) => ({ text, box: roundedBox(box) }));
  return { widthPt: rounded(widthPt), heightPt: rounded(heightPt), words, reason: reasonOf(layout) };
}
