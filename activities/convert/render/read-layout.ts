/** From a page as it was read to the layout that is kept of it. */
import { layOutPage } from '../../../domain/pages/layout.ts';
import type { PageLayout } from '../../../domain/pages/page.ts';
import { NOT_RECOGNISED, settleWords, type Recognition } from '../../../domain/pages/settle-words.ts';
import type { Raster, ReadPage } from './renderer.ts';
import { isUniform } from './visibility.ts';

/** A smaller picture is a logo or a list mark. */
const MIN_PICTURE_SHARE = 0.03;

/** Lays out the words of a page. */
export function readLayout(page: ReadPage, recognition: Recognition = NOT_RECOGNISED): PageLayout {
  const { words, doubtful, hidden, widthPt, heightPt, raster, drawing } = page;
  const blank = words.length === 0 && isBlank(raster);
  const settled = settleWords(words, recognition, doubtful);
  const looksAtPictures = recognition.need === 'add' || recognition.need === 'replace';
  const incomplete = settled.incomplete === true || (!looksAtPictures && drawing.pictureShare >= MIN_PICTURE_SHARE);
  return layOutPage({
    ...settled,
    incomplete,
    hidden,
    widthPt,
    heightPt,
    blank,
    pictures: drawing.pictures,
    shapes: drawing.shapes,
  });
}

/** True when nothing is drawn but a background of one colour. */
export function isBlank(raster: Raster): boolean {
  return isUniform(raster, [0, 0, raster.widthPx, raster.heightPx]);
}
