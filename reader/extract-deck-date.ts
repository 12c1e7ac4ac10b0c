/**
 * Finds the date on which the deck was prepared: on the title slide, in a footer, or labelled as such at the end. Founding years,
 * milestones, dates of studies and of figures are not meant; when only those are there the deck does not say it.
 */
import type { ExtractValueOutput } from '../domain/models/result-schemas.ts';
import { findDates, mostPrecise } from '../domain/decks/deck-date.ts';
import { NOT_STATED, quoteAround } from './extract-funding.ts';
import { phrases } from './phrases.ts';
import type { ReadPrompt, ReadSlide } from './prompt.ts';
import { coverAt } from './subjects.ts';
import { countWords, MIN_QUOTE_WORDS, splitSentences, type TextUnit } from './text.ts';
import { has } from './words.ts';

/** Says that the date is the deck's own; on the cover, when the deck was shown; that the date is something else's. */
const [LABEL, SHOWN, FOREIGN] = [phrases('label of a date'), phrases('shown'), phrases('other dates')];
const DECK_WORD = phrases('words of a deck');
/** On a title or in a footer these stand beside the deck's own date as well: "Seed round, March 2026", "by Anna Berg, May 2026". */
const USUAL_BESIDE = phrases('beside a date');
/** Before a year that says who owns the rights since when, or before the second year of a span. */
const COPYRIGHT = /(?:©|\(c\)|copyright)\D{0,40}?(?:(?:19|20)\d{2}\s?[-–]\s?)?$/iu;
/** Between the parts of a footer. */
const BETWEEN = /\s[|·•–—/-]\s|\s?[|·•]\s?|\s{2,}/u;

/** Says that the line names what it cites, whichever part the date stands in. */
const CITES = phrases('cites');

interface Candidate {
  readonly slide: ReadSlide;
  readonly unit: TextUnit;
  /** The line of the date, which says it whole however short it is, else what a footer says around it. */
  readonly quote: string;
  readonly date: WrittenDate;
  readonly score: number;
}

interface WrittenDate {
  readonly raw: string;
  readonly iso: string;
}

/** The most precise date of a text, as written; null where two of them are equally precise. */
function dateIn(text: string): WrittenDate | null {
  const best = mostPrecise(
    findDates(text).filter(({ precision, start }) => precision !== 'year' || !COPYRIGHT.test(text.slice(0, start))),
  );
  return best === null ? null : { raw: text.slice(best.start, best.end), iso: best.iso };
}

function rate(prompt: ReadPrompt, slide: ReadSlide, unit: TextUnit, raw: string): number {
  const cover = slide === prompt.slides[coverAt(prompt.slides)];
  // What stands in another part of a footer says nothing of the date.
  const part = unit.running ? unit.text.split(BETWEEN).find((each) => each.includes(raw)) : undefined;
  const beside = (part ?? unit.text).replace(raw, ' ');
  const rest = cover || unit.running ? beside.replaceAll(USUAL_BESIDE, ' ') : beside;
  const last = slide === prompt.slides.at(-1);
  const labelled = has(rest, LABEL) || (cover && has(rest, SHOWN));
  if (has(unit.text, CITES)) return 0;
  if (has(rest, FOREIGN) && !(labelled && has(rest, DECK_WORD))) return 0;
  const bare = unit.words <= 10;
  const year = /^\d{4}$/u.test(raw);
  if (year && cover && unit.text.trim() === raw) return 3;
  if (year) return (cover || unit.running) && bare && (has(unit.text, DECK_WORD) || labelled) ? 3 : 0;
  if (cover) return bare || labelled || has(rest, DECK_WORD) ? 8 + (labelled ? 2 : 0) : 0;
  if (unit.running) return 7 + (labelled ? 2 : 0);
  if (labelled && bare && last) return 6;
  // Near the edge of any slide a label and a date alone are a version note; figures may be dated the same way, so only words of a deck count.
  if (labelled && bare && has(rest, DECK_WORD)) return 5;
  // At the end a date alone, or with a place before it, as in a letter.
  if (last && isOnlyDate(slide) && /^\s*(?:\p{Lu}[\p{L} -]+,?)?\s*$/u.test(rest) && unit.text.endsWith(raw)) return 4;
  return 0;
}

/** True for a slide with one date, and no label of another: a road map has several, a form says "Founded" in another place. */
const isOnlyDate = (slide: ReadSlide): boolean =>
  slide.lines.reduce((sum, line) => sum + findDates(line).length, 0) === 1 &&
  !slide.units.some((unit) => unit.words <= MAX_LABEL_WORDS && has(unit.text, FOREIGN));
const MAX_LABEL_WORDS = 4;

/** Lines of a slide with the unit each belongs to; a date stands on one line, and what shares a unit with it may not belong to it. */
function datedLines(slide: ReadSlide): { line: string; unit: TextUnit }[] {
  const running = slide.units.filter((unit) => unit.running);
  const own = slide.lines.flatMap((line) => {
    if (!/\d/u.test(line)) return [];
    const clean = line.replace(/^[-–—•·▪►▸●○*]\s+/u, '');
    const [first = '', ...others] = splitSentences(clean);
    // "As of May 2026. This is no offer": what follows says nothing of the date.
    const labelled = others.length > 0 && has(first, LABEL) && findDates(first).length > 0;
    const alone = labelled ? slide.units.find((candidate) => candidate.text === first) : undefined;
    if (alone !== undefined) return [{ line: first, unit: alone }];
    const unit =
      slide.units.find((candidate) => candidate.text.includes(clean)) ??
      slide.units.find((candidate) => clean.includes(candidate.text) && /\d/u.test(candidate.text));
    return unit === undefined ? [] : [{ line: clean, unit }];
  });
  return [...own, ...running.map((unit) => ({ line: unit.text, unit }))];
}

/** True for "Founded", not for "Series A investor presentation", nor for "Seed round" on the cover. */
const isForeignLabel = (label: string, onCover: boolean): boolean =>
  has(onCover ? label.replaceAll(USUAL_BESIDE, ' ') : label, FOREIGN) && !has(label, DECK_WORD);

/** The deck's date, as written, or not stated. */
export function extractDeckDate(prompt: ReadPrompt): ExtractValueOutput {
  const candidates: Candidate[] = [];
  const cover = prompt.slides[coverAt(prompt.slides)];
  for (const slide of prompt.slides) {
    for (const { line, unit } of datedLines(slide)) {
      const date = dateIn(line);
      if (date === null) continue;
      const before = slide.units[unit.index - 1];
      // "Founded" over "2019": a label of its own line.
      const labelled =
        before !== undefined &&
        !unit.running &&
        before.block === unit.block &&
        before.words <= 4 &&
        isForeignLabel(before.text, slide === cover);
      const score = labelled ? 0 : rate(prompt, slide, { ...unit, text: line, words: countWords(line) }, date.raw);
      const isLine = !unit.running && unit.kind !== 'row' && countWords(line) < MIN_QUOTE_WORDS;
      const quote = isLine ? line.trim() : quoteAround(slide, unit, date.raw);
      if (score > 0) candidates.push({ slide, unit, quote, date, score });
    }
  }
  const strength = Math.max(0, ...candidates.map((c) => c.score));
  const strong = candidates.filter((c) => c.score >= strength - 3);
  const best = strong.toSorted(
    (a, b) => b.date.iso.localeCompare(a.date.iso) || b.score - a.score || a.slide.number - b.slide.number,
  )[0];
  if (best === undefined) return NOT_STATED;
  return {
    evidence: [{ slide: best.slide.number, quote: best.quote }],
    stated: true,
    value: best.date.raw,
  };
}
