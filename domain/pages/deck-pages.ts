/**
 * The text of a deck's pages as prompts carry it. Lines that come back on several pages are told apart by looking at all of them.
 */
import type { PageLayout } from './page.ts';
import { pageMarkup } from './page-text.ts';
import { layOutWithout } from './layout.ts';
import { findRunning, type NumberedPage, type RunningLine } from './running.ts';
import { withoutSpreadSteering, type SpreadAttempt } from './without-spread-steering.ts';

/** Text of one page. */
export interface PageText {
  readonly number: number;
  /** With marks (`markup.ts`). */
  readonly markup: string;
  /** True when the words were recognised in the picture of the page. */
  readonly recognised: boolean;
}

/** Text of all pages of a deck. */
export interface DeckPages {
  /** In order; without the lines that come back. */
  readonly pages: readonly PageText[];
  readonly running: readonly RunningLine[];
  /** Attempts to steer a score that only several pages together make; their words are not in the text. */
  readonly steering: readonly SpreadAttempt[];
}

/** Text of one page; without the blocks of the given indices. */
export function textOfPage(number: number, layout: PageLayout, running?: ReadonlySet<number>): PageText {
  return { number, markup: pageMarkup(layout, running), recognised: layout.source === 'ocr' };
}

/** Text of all pages, which are given in order. */
export function textOfPages(given: readonly NumberedPage[]): DeckPages {
  const { pages, steering } = withoutSpreadSteering(given);
  const { lines, blocks } = findRunning(pages);
  return {
    pages: pages.map(({ number, layout }) => textWithoutRunning(number, layout, blocks.get(number) ?? new Set())),
    running: lines,
    steering,
  };
}

/** A line that comes back must not have the place of the title: then the page is laid out without it. */
function textWithoutRunning(number: number, layout: PageLayout, running: ReadonlySet<number>): PageText {
  const displaces = [...running].some((index) => layout.blocks[index]?.kind !== 'margin');
  if (!displaces) return textOfPage(number, layout, running);
  const words = [...running].flatMap((index) => layout.blocks[index]?.lines.flat(2) ?? []);
  return textOfPage(number, layOutWithout(layout, new Set(words)));
}
