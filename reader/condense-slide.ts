/** Keeps the sentences of one slide with the most facts, word for word and in the order of the slide. */
import type { CondenseSlideOutput } from '../domain/models/result-schemas.ts';
import { isContent } from './choose.ts';
import { findMoney } from './money-words.ts';
import type { ReadPrompt } from './prompt.ts';
import { countWords, MIN_QUOTE_WORDS, quoteOf, type TextUnit } from './text.ts';
import { anyOf, countDistinct } from './words.ts';

const WEIGHTY = anyOf(
  'raising|revenue|customers?|patients?|patents?|approval|certified|founded|competitors?|price|pricing|margin|burn|runway|team|ceo|cto|study|trial|contract|market|churn|pilot|hiring|because|not|no|never|without',
  'umsatz|kunden|patient\\p{L}*|patent\\p{L}*|zulassung|zertifiziert|gegründet|wettbewerb\\p{L}*|preis\\p{L}*|marge|burn\\p{L}*|kapitalbedarf|team|studie\\p{L}*|vertrag|markt|pilot\\p{L}*|suchen|weil|nicht|kein\\p{L}*|ohne',
);
const MOST = 6;

function weight(unit: TextUnit): number {
  const figures = unit.text.match(/\d[\d.,]*/gu)?.length ?? 0;
  const names = unit.text.match(/(?<=\s)\p{Lu}[\p{L}-]{2,}/gu)?.length ?? 0;
  return (
    Math.min(figures, 4) * 1.5 +
    findMoney(unit.text).length +
    Math.min(names, 4) * 0.5 +
    countDistinct(unit.text, WEIGHTY) +
    (unit.heading ? 1.5 : 0) +
    Math.min(unit.words, 20) / 20
  );
}

/** At most six sentences; none for a slide without content. */
export function condenseSlide(prompt: ReadPrompt): CondenseSlideOutput {
  const slide = prompt.slides[0];
  if (slide === undefined) return { keySentences: [] };
  const units = slide.units.filter((unit) => isContent(unit));
  const heaviest = Math.max(0, ...units.map(weight));
  const best = units
    .filter((unit) => weight(unit) >= heaviest / 4)
    .toSorted((a, b) => weight(b) - weight(a) || a.index - b.index)
    .slice(0, MOST)
    .toSorted((a, b) => a.index - b.index);
  const sentences = best
    .map((unit) => quoteOf(slide.units, unit.index))
    .filter((quote) => countWords(quote) >= MIN_QUOTE_WORDS);
  return {
    keySentences: sentences.filter(
      (quote, i) =>
        !sentences.some((other, j) => j !== i && other.includes(quote) && (other.length > quote.length || j < i)),
    ),
  };
}
