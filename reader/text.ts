/**
 * Cuts the text of a slide into units that can be quoted: sentences, list items, table rows.
 *
 * A unit is always one unbroken run of the slide's text, so that a quote made of it can be found there again. Lines that a sentence wraps
 * over are one unit; a heading, a bullet, a figure with its label stay separate.
 */

/** One quotable piece of a slide. */
export interface TextUnit {
  /** With single spaces instead of line breaks. */
  readonly text: string;
  readonly lower: string;
  /** Position among the units of its slide. */
  readonly index: number;
  /** First unit of the slide and short: its headline. */
  readonly heading: boolean;
  readonly words: number;
  /** A line that most slides carry: footer, page number, confidentiality note. */
  readonly running: boolean;
  /** Words on the slide that address a machine instead of a reader; nothing is ever quoted from them. */
  readonly steering: boolean;
}

/** A quote is at most this long (the schema's limit with room to spare). */
export const MAX_QUOTE = 280;
/** A quote of fewer words proves nothing. */
export const MIN_QUOTE_WORDS = 4;

const BULLET = /^(?:[-–—•·▪►▸●○*✓✔→]|\d{1,2}[.)](?!\s+(?:Quartal|Halbjahr|\p{Lu}\p{Ll}+\s+\d{4})))\s+/u;
const CONTINUES_WITH = /^[\p{Ll}(&+]/u;
const OPEN_END =
  /(?:[,&–-]|(?<!\p{L})(?:and|or|of|the|a|an|to|for|in|on|with|by|from|at|per|und|oder|der|die|das|den|dem|des|für|mit|von|zu|im|in|am|an|auf|bei|pro|ein|eine|einer|eines|einem|einen|aus|als|wie|than|that|which|is|are|not|nicht|about|over|under|rund|über|unter|(?<!\d\S*\s(?:\S{1,9}\s)?)(?:CHF|EUR|USD|GBP))|(?<!\d\S*\s(?:\S{1,9}\s)?)[€$£])$/iu;
/** Lines of a title slide that begin something new. */
const STANDS_ALONE =
  /(?:19|20)\d{2}|present|präsentation|deck|confidential|vertraulich|invest|partner|pitch|GmbH|\b(?:AG|UG|Inc|Ltd|Corp)\b|@|\.(?:com|de|io)\b/iu;
const SENTENCE_END = /[.!?…:]["”'’)]?$/u;
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|z\.\s?b|d\.\s?h|u\.\s?a|bzw|ca|inkl|mio|mrd|tsd|nr|st|dr|prof|ing|vs|e\.g|i\.e|approx|no|fig|inc|ltd|co|corp|max|min|etc|usw|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez|abs|art|evtl|ggf|rd|mind|dipl|med|rer|nat|phil|habil|univ|hr|fr)\.$/iu;

/** Number of words of a text as a quote check counts them. */
export function countWords(text: string): number {
  return text.match(/\d+(?:[.,:'’/]\d+)*|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu)?.length ?? 0;
}

interface Paragraph {
  readonly lines: string[];
  readonly running: boolean;
}

/** Lines that belong to one sentence. */
function paragraphs(lines: readonly string[], isRunning: (line: string) => boolean, isTitle: boolean): Paragraph[] {
  const result: Paragraph[] = [];
  for (const [index, line] of lines.entries()) {
    const current = result.at(-1);
    const previous = current?.lines.at(-1);
    const running = isRunning(line);
    if (
      current !== undefined &&
      previous !== undefined &&
      !running &&
      !current.running &&
      (index === 1 && !isTitle ? CONTINUES_WITH.test(line) : continues(previous, line, isTitle))
    ) {
      current.lines.push(line);
    } else result.push({ lines: [line], running });
  }
  return result;
}

/** True when `line` goes on with the sentence of `previous`. `isTitle`: on a title slide most lines stand for themselves. */
function continues(previous: string, line: string, isTitle: boolean): boolean {
  if (BULLET.test(line)) return false;
  if (/(?<=\p{Ll})-$/u.test(previous) && /^\p{Ll}/u.test(line)) return true;
  if (SENTENCE_END.test(previous) && !ABBREVIATION.test(previous)) return false;
  if (CONTINUES_WITH.test(line)) return true;
  if (OPEN_END.test(previous)) return true;
  if (isTabular(previous) || isTabular(line)) return false;
  const words = countWords(previous);
  if (isTitle && (words < 5 || STANDS_ALONE.test(line))) return false;
  // A long line without a stop is wrapped prose even where the next word is a noun or a number.
  if (/^\p{Lu}/u.test(line)) return words >= 5 && previous.length >= 28 && !/^\d/u.test(previous);
  return words >= 8 && previous.length >= 50 && countWords(line) >= 2 && /^[\d€$£]/u.test(line);
}

/** True for a row of a table or the labels of an axis: mostly numbers and very short words. */
export function isTabular(line: string): boolean {
  const parts = line.split(/\s+/u);
  const numbers = parts.filter((part) => /\d/u.test(part)).length;
  return parts.length >= 3 && numbers / parts.length >= 0.5;
}

/** Splits a paragraph after sentence ends, not after abbreviations, ordinals or initials. */
export function splitSentences(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const match of text.matchAll(/[.!?…]["”'’)]?\s+(?=["“„(]?[\p{Lu}\d€$£])/gu)) {
    const end = match.index + match[0].trimEnd().length;
    const piece = text.slice(start, end);
    const ordinal =
      /(?:^|\s)\d{1,2}\.$/u.test(piece) &&
      /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Quartal|Halbjahr|Platz)/u.test(
        text.slice(end).trimStart(),
      );
    if (ABBREVIATION.test(piece) || ordinal || /^\d{1,2}\.$/u.test(piece)) continue;
    parts.push(piece);
    start = end + (match[0].length - match[0].trimEnd().length);
  }
  const rest = text.slice(start);
  if (rest.trim() !== '') parts.push(rest);
  return parts.map((part) => part.trim());
}

/** Words that address a model: an attempt to steer it. */
const STEERING =
  /\b(?:ignore|disregard|forget|override|ignorier\p{L}*|vergiss|missachte\p{L}*)\b.{0,60}\b(?:instructions?|prompts?|rules?|guidelines?|criteria|anweisung\p{L}*|instruktion\p{L}*|regeln?|vorgaben?)\b|\b(?:give|assign|award|rate|score|grade|answer|output|respond|gib|vergib|bewerte\p{L}*|antworte\p{L}*)\b.{0,60}\b(?:score|scores|rating|marks?|points?|punkte?|punktzahl|bewertung|7\s*(?:\/|out of|of|von)\s*7|covered|verified)\b|\b(?:system|developer)\s+(?:prompt|message)\b|\b(?:note|message|instructions?|hinweis)\s+(?:to|for|an|für)\s+(?:the\s+|die\s+|das\s+)?(?:ai|llm|model|assistant|reviewer|ki|sprachmodell)\b|\byou are an? (?:ai|llm|language model|assistant)\b/iu;

/** True for words that address a model instead of an investor. */
export const isSteering = (text: string): boolean => STEERING.test(text);

/** The units of a slide, in order. `isRunning` tells the lines that most slides carry. */
export function toUnits(text: string, isRunning: (line: string) => boolean = () => false, isTitle = false): TextUnit[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const units: TextUnit[] = [];
  for (const paragraph of paragraphs(lines, isRunning, isTitle)) {
    const whole = joinLines(paragraph.lines);
    const steering = isSteering(whole);
    for (const sentence of splitSentences(whole)) {
      const clean = sentence.replace(BULLET, '').trim();
      if (clean === '') continue;
      const words = countWords(clean);
      units.push({
        text: clean,
        lower: clean.toLowerCase(),
        index: units.length,
        heading: units.length === 0 && words <= 16,
        words,
        running: paragraph.running,
        steering,
      });
    }
  }
  return units;
}

/** Joins wrapped lines; a word broken by a hyphen keeps its hyphen and gets no space, as the quote check joins it too. */
function joinLines(lines: readonly string[]): string {
  return lines.reduce((text, line) =>
    /\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(line) ? `${text.slice(0, -1)}${line}` : `${text} ${line}`,
  );
}

/**
 * A quote of the unit that is long enough to prove something and short enough for the schema: the unit itself, with its neighbours when
 * it is too short, cut at the end of a clause when it is too long.
 */
export function quoteOf(units: readonly TextUnit[], index: number): string {
  const unit = units[index];
  if (unit === undefined) return '';
  let first = index;
  let last = index;
  let text = unit.text;
  while (countWords(text) < MIN_QUOTE_WORDS && (last + 1 < units.length || first > 0)) {
    const after = usable(units[last + 1]);
    const before = usable(units[first - 1]);
    if (after === undefined && before === undefined) break;
    if (after !== undefined) {
      text = `${text} ${after.text}`;
      last += 1;
    } else if (before !== undefined) {
      text = `${before.text} ${text}`;
      first -= 1;
    }
  }
  return cutQuote(text);
}

const usable = (unit: TextUnit | undefined): TextUnit | undefined =>
  unit === undefined || unit.steering ? undefined : unit;

/** At most {@link MAX_QUOTE} characters, ending where a clause ends if one does in the second half, else between words. */
export function cutQuote(text: string): string {
  if (text.length <= MAX_QUOTE) return text;
  const head = text.slice(0, MAX_QUOTE);
  const clause = [...head.matchAll(/[.!?;,:](?=\s)/gu)].at(-1);
  if (clause !== undefined && clause.index > MAX_QUOTE / 2) return head.slice(0, clause.index);
  const space = head.lastIndexOf(' ');
  return head.slice(0, space > 0 ? space : MAX_QUOTE);
}
