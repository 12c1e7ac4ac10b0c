/**
 * Describes and condenses one slide. The reader sees no picture: without text it reports that it could read nothing, and it names a figure
 * only where the text looks like one (rows of numbers, labels of an axis).
 */
import { findMoney } from '../domain/evidence/money.ts';
import type { CondenseSlideOutput, DescribeSlideOutput } from '../domain/models/result-schemas.ts';
import { isContent } from './choose.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { countWords, isTabular, MIN_QUOTE_WORDS, quoteOf, type TextUnit } from './text.ts';
import { phrases } from './phrases.ts';
import { countDistinct } from './words.ts';

const NOTHING: DescribeSlideOutput = { legible: false, title: '', visibleText: '', figures: [], summary: '' };

/** The headline of a slide, or its first line that says something where it has none. */
export function titleOf(slide: ReadSlide): string {
  if (slide.title !== '') return slide.title;
  const line = slide.lines.slice(0, 4).find((text) => /\p{L}{2,}/u.test(text) && text.length <= 160);
  return line ?? '';
}

/** Runs of at least three neighbouring lines that hold figures. */
function figureRuns(lines: readonly string[]): string[][] {
  const runs: string[][] = [];
  let run: string[] = [];
  for (const line of lines) {
    const figure =
      isTabular(line) ||
      (/\d/u.test(line) && countWords(line) <= 6 && /\d\s*(?:%|€|\$|£|k|m|mio|tsd)?\s*$/iu.test(line));
    if (figure) run.push(line);
    else {
      if (run.length >= 3) runs.push(run);
      run = [];
    }
  }
  if (run.length >= 3) runs.push(run);
  return runs;
}

/** Figures that the text shows: tables, other rows of numbers, and charts by a series of years or quarters. */
function figuresOf(slide: ReadSlide, language: 'en' | 'de'): DescribeSlideOutput['figures'] {
  const lead = language === 'de' ? 'Zahlen im Text der Folie' : 'Figures in the text of the slide';
  const rowsOf = (table: boolean): string[][] =>
    slide.blocks
      .filter((block) => (block.kind === 'table') === table)
      .map((block) => block.lines.map((line) => line.text.replaceAll('\t', ' ')));
  const tables = rowsOf(true).map((rows) => ({ rows, table: true }));
  const runs = figureRuns(rowsOf(false).flat()).map((rows) => {
    const series = rows.join(' ').match(/\b(?:20\d\d|Q[1-4]|FY\d\d)\b/gu)?.length ?? 0;
    return { rows, table: rows.some(isTabular) || series < 3 };
  });
  return [...tables, ...runs].slice(0, 4).map(({ rows, table }) => ({
    kind: table ? ('table' as const) : ('chart' as const),
    description: `${lead}: ${rows.join(' | ')}`.slice(0, 400),
  }));
}

/** The description; `legible: false` and nothing else for a slide without text. */
export function describeSlide(prompt: ReadPrompt): DescribeSlideOutput {
  const slide = prompt.slides[0];
  if (slide === undefined || slide.text.trim() === '') return NOTHING;
  const title = titleOf(slide);
  const facts = slide.units.find((unit) => unit.text !== title && unit.words >= 5);
  const summary =
    prompt.language === 'de'
      ? `Die Folie „${title}“ zeigt ${slide.units.length} Textstücke${facts === undefined ? '.' : `, darunter: ${facts.text}`}`
      : `The slide "${title}" shows ${slide.units.length} pieces of text${facts === undefined ? '.' : `, among them: ${facts.text}`}`;
  return {
    legible: true,
    title: title.slice(0, 200),
    visibleText: slide.text.replaceAll('\n\n', '\n').slice(0, 1800),
    figures: figuresOf(slide, prompt.language),
    summary: summary.slice(0, 400),
  };
}

const WEIGHTY = phrases('weighty');
const MOST_SENTENCES = 6;

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

/** The sentences of one slide with the most facts, word for word and in their order: at most six, none for a slide without content. */
export function condenseSlide(prompt: ReadPrompt): CondenseSlideOutput {
  const slide = prompt.slides[0];
  if (slide === undefined) return { keySentences: [] };
  const units = slide.units.filter((unit) => isContent(unit));
  const heaviest = Math.max(0, ...units.map(weight));
  const best = units
    .filter((unit) => weight(unit) >= heaviest / 4)
    .toSorted((a, b) => weight(b) - weight(a) || a.index - b.index)
    .slice(0, MOST_SENTENCES)
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
