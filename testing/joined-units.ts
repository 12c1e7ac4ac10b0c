/** Which units of a drawn page the built-in reader joined with others or cut, told by its passages. */
import { deckBlock } from '../domain/models/prompt-assembly.ts';
import { pageMarkup } from '../domain/pages/page-text.ts';
import type { PageLayout } from '../domain/pages/page.ts';
import { passagesOf, type Passage } from '../reader/passages.ts';
import { readPrompt } from '../reader/prompt.ts';
import { wordsOfText, type DrawnPage, type DrawnUnit } from './drawn-units.ts';

/** A unit that is no passage of its own. */
export interface FaultyUnit {
  readonly unit: DrawnUnit;
  /** `joined`: with words of another unit; `cut`: no passage has all of its words. */
  readonly fault: 'joined' | 'cut';
  readonly quotes: readonly string[];
}

const tokensOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
/** Words that join others; they come more than once. */
const JOINING = new Set(['in', 'for', 'with', 'of', 'and', 'für', 'mit', 'von', 'und', 'mio', 'm', '000']);

const tokensOfTexts = (texts: DrawnUnit['texts']): string[] =>
  texts.flatMap(wordsOfText).flatMap(({ text }) => tokensOf(text).filter((token) => !JOINING.has(token)));

/** The passages of a page, by its layout alone. */
export function passagesOfPage(layout: PageLayout): readonly Passage[] {
  const deck = deckBlock([{ number: 1, markup: pageMarkup(layout), description: null }]);
  return passagesOf(readPrompt([{ role: 'user', content: deck }]).slides);
}

/** Units that are joined with others, or that no passage holds as a whole. */
export function faultyUnits(page: DrawnPage, layout: PageLayout): FaultyUnit[] {
  const passages = passagesOfPage(layout).map(({ quote }) => ({ quote, tokens: new Set(tokensOf(quote)) }));
  const owned = page.units.map((unit) => ({ unit, tokens: tokensOfTexts(unit.texts) }));
  return owned.flatMap(({ unit, tokens }): FaultyUnit[] => {
    const touching = passages.filter((passage) => tokens.some((token) => passage.tokens.has(token)));
    const foreign = owned.filter((other) => other.unit !== unit).flatMap((other) => other.tokens);
    const quotes = touching.map(({ quote }) => quote);
    if (touching.some((passage) => foreign.some((token) => passage.tokens.has(token))))
      return [{ unit, fault: 'joined', quotes }];
    const isWhole = touching.some((passage) => tokens.every((token) => passage.tokens.has(token)));
    // Two words state nothing by themselves: they may be left out.
    const isShort = touching.length === 0 && tokens.length < 3 && !tokens.some((token) => /\d/u.test(token));
    return isWhole || isShort ? [] : [{ unit, fault: 'cut', quotes }];
  });
}
