/**
 * Words within pictures: screenshots, mock-ups, maps, menus. They are drawn to show a product or a place and state nothing of the company, so
 * they are blocks of their own and no evidence for anything else.
 *
 * The file tells where pictures are, not what they show, and many slides have one behind their text; so the words have to be small, too. A
 * mock-up that is drawn is no picture in the file: its labels are many, close together, and much smaller than the text of the page.
 */
import { median } from './geometry.ts';
import type { Box, PageLayout, PageWord } from './page.ts';

/** Places of pictures on a page, and its size in points. */
interface Pictures {
  readonly pictures: readonly Box[];
  readonly widthPt: number;
  readonly heightPt: number;
}

/** A picture of a smaller share of the page is a list mark; of a larger one a background or a scan. */
const [MIN_PICTURE_SHARE, MAX_PICTURE_SHARE] = [0.01, 0.8];
/** Fewer words in a picture are a logo or a caption. */
const MIN_WORDS = 5;
/** Fewer small words that stand together, where no picture is known, are a note or the labels of a chart. */
const MIN_CLUSTER_WORDS = 10;
/** Largest size of the letters in a screenshot, as a share of the width of the page: 9.6 points of a slide of 960. */
const MAX_SIZE_SHARE = 0.01;
/** Words of the text layer in a picture are also smaller than the other words of the page by so much. */
const MAX_SHARE_OF_BODY = 0.65;
/** Words of one picture are no further apart, in their sizes. */
const MAX_GAP = 4;
/** With more numbers among them they are a chart or a table. */
const MAX_SHARE_OF_NUMBERS = 0.25;
/** Text that runs on is a note; the labels of a screen have fewer words in a line. */
const MAX_WORDS_IN_LINE = 3.5;

/** Indices of the words of a page that stand within a picture. */
export function picturedWords(words: readonly PageWord[], page: Pictures): ReadonlySet<number> {
  const all = words.map((word, index): Placed => ({ ...word, index }));
  const maxSizePt = MAX_SIZE_SHARE * page.widthPt;
  const pictures = page.pictures.filter((picture) => {
    const share = areaOf(picture) / (page.widthPt * page.heightPt);
    return share >= MIN_PICTURE_SHARE && share <= MAX_PICTURE_SHARE;
  });
  const found = new Set(
    pictures.flatMap((picture) => {
      const recognised = all.filter(({ box, confidence }) => confidence !== null && isWithin(box, picture));
      return recognised.length >= MIN_WORDS && sizeOf(recognised) <= maxSizePt ? recognised : [];
    }),
  );
  const left = all.filter((word) => !found.has(word));
  const smallPt = Math.min(maxSizePt, MAX_SHARE_OF_BODY * bodySize(left));
  for (const together of clustersOf(left.filter(({ sizePt }) => sizePt <= smallPt))) {
    const isInPicture = pictures.some((picture) => together.every(({ box }) => isWithin(box, picture)));
    const isMany = isInPicture
      ? together.length >= MIN_WORDS
      : together.length >= MIN_CLUSTER_WORDS && shareOfNumbers(together) <= MAX_SHARE_OF_NUMBERS;
    if (isMany && wordsInLine(together) <= MAX_WORDS_IN_LINE) for (const word of together) found.add(word);
  }
  return new Set([...found].map(({ index }) => index));
}

/** Indices of the words of a page that is laid out which stand within a picture. */
export const wordsInPictures = ({ blocks }: Pick<PageLayout, 'blocks'>): ReadonlySet<number> =>
  new Set(blocks.flatMap(({ kind, lines }) => (kind === 'picture' ? lines.flat(2) : [])));

/** True when what a quote covers, a box per line, are words within a picture. */
export function coversPicture(layout: PageLayout, boxes: readonly Box[] | null): boolean {
  const words = [...wordsInPictures(layout)].flatMap((index) => layout.words[index] ?? []);
  return boxes !== null && boxes.length > 0 && boxes.every((box) => words.some((word) => isWithin(word.box, box)));
}

type Placed = PageWord & { readonly index: number };

const sizeOf = (words: readonly PageWord[]): number => median(words.map(({ sizePt }) => sizePt));

const shareOfNumbers = (words: readonly PageWord[]): number =>
  words.filter(({ text }) => /\d/u.test(text)).length / words.length;

/** Size of most letters. */
const bodySize = (words: readonly PageWord[]): number =>
  median(words.flatMap(({ text, sizePt }) => Array.from(text, () => sizePt)));

function areaOf([left, top, right, bottom]: Box): number {
  return (right - left) * (bottom - top);
}

function isWithin([left, top, right, bottom]: Box, around: Box): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return x > around[0] && x < around[2] && y > around[1] && y < around[3];
}

/** Words that stand together, each with its neighbours. */
function clustersOf(words: readonly Placed[]): Placed[][] {
  const clusters: Placed[][] = [];
  const left = new Set(words);
  for (const first of words) {
    if (!left.delete(first)) continue;
    const cluster = [first];
    for (const word of cluster)
      for (const other of left)
        if (isNear(word, other)) {
          left.delete(other);
          cluster.push(other);
        }
    clusters.push(cluster);
  }
  return clusters;
}

function isNear({ box: a, sizePt }: PageWord, { box: b }: PageWord): boolean {
  const [x, y] = [Math.max(a[0], b[0]) - Math.min(a[2], b[2]), Math.max(a[1], b[1]) - Math.min(a[3], b[3])];
  return Math.max(x, y) <= MAX_GAP * sizePt;
}

/** Mean number of words that follow each other in a line with a space between. */
function wordsInLine(words: readonly Placed[]): number {
  const follows = words.filter((word) =>
    words.some(({ box, sizePt }) => {
      const gap = word.box[0] - box[2];
      return gap > -0.2 * sizePt && gap < sizePt && Math.abs(word.box[3] - box[3]) < 0.5 * sizePt;
    }),
  );
  return words.length / Math.max(1, words.length - follows.length);
}
