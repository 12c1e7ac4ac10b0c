/**
 * Turns deck content into the messages of a model call, and reads the data of such a message back.
 *
 * A deck is untrusted input: slide text is data inside fences (`<slide>`, `<answer>` …) and never part of the instructions, which are in
 * the system message alone. Anything in the data that looks like one of our fences, or is a control word of a model, is defused first: no
 * slide can close its own fence, end a turn or place a picture. The answer gets the words back as they were (model-output.ts).
 * The layout is a contract: the built-in reader reads it with {@link fencedBlocks}, and content keys hash it.
 */
import { defused } from '../text/control-words.ts';
import type { Language } from './model-tasks.ts';
import type { DescribeSlideOutput } from './result-schemas.ts';

/** Tags used as fences; data can never open or close one of them. */
const FENCE_TAGS = [
  'deck',
  'running',
  'slide',
  'text',
  'picture',
  'question',
  'criteria',
  'focus',
  'answer',
  'offering',
  'sectors',
  'sector',
] as const;
export type FenceTag = (typeof FENCE_TAGS)[number];
const FENCE_PATTERN = new RegExp(`<(?=\\s*/?\\s*(?:${FENCE_TAGS.join('|')})\\b)`, 'giu');

/** Data with another first sign in whatever looks like one of our fences or is a control word of a model. All other text is unchanged. */
export function asPlainWords(data: string): string {
  return defused(data.replace(FENCE_PATTERN, '‹'));
}

/** A fenced block of a message. */
export interface FencedBlock {
  /** Number of a slide, slug of a question or sector; empty for other tags. */
  readonly label: string;
  /** Between the fences, without the line breaks next to them. */
  readonly text: string;
}

/** The blocks with this tag in a message, in order. Fences are at the start of a line; a block that was cut off is left out. */
export function fencedBlocks(message: string, tag: FenceTag): FencedBlock[] {
  const pattern = new RegExp(`^<${tag}(?: [a-z]+="([^"]*)")?>\\n?([\\s\\S]*?)\\n?</${tag}>`, 'gmu');
  return [...message.matchAll(pattern)].map(([, label, text]) => ({ label: label ?? '', text: text ?? '' }));
}

/** Whether a message holds data of a call, also where its last block was cut off. */
export const holdsData = (message: string): boolean => /^<(?:slide|deck|question|offering)\b/mu.test(message);

/** One slide as text calls see it. */
export interface SlideText {
  /** 1-based. */
  readonly number: number;
  /** Text of the page with its marks (`domain/pages/markup.ts`); empty for a page that is only a picture. */
  readonly markup: string;
  /** True when the words were recognised in the picture of the page, not read from the PDF. */
  readonly recognised?: boolean;
  /** What the vision call reported, null when it failed. */
  readonly description: DescribeSlideOutput | null;
  /** Sentences kept by condensation; when set they replace text and picture. */
  readonly condensed?: readonly string[];
}

/** A line that comes back on several pages, such as a footer. */
export interface RunningText {
  readonly text: string;
  /** Numbers of the pages that carry it, ascending. */
  readonly pages: readonly number[];
}

/** True when text calls have something to read on this slide. */
export function isReadable(slide: SlideText): boolean {
  return (
    slide.markup.trim() !== '' || (slide.description?.legible === true && slide.description.visibleText.trim() !== '')
  );
}

/** Text of a slide as prompts carry it: of the page, else what the vision call transcribed. */
export const textOfSlide = (slide: SlideText): string =>
  slide.markup.trim() === '' ? (slide.description?.visibleText ?? '') : slide.markup;

/** The fenced block of one slide: its text (of the page, or a transcription) and what its pictures show. */
export function slideBlock(slide: SlideText): string {
  const lines = [`<slide number="${slide.number}">`];
  if (slide.condensed !== undefined) {
    lines.push('<text>', asPlainWords(slide.condensed.join('\n\n')), '</text>');
  } else {
    const text = textOfSlide(slide).trim();
    const fence = slide.recognised === true && slide.markup.trim() !== '' ? '<text source="ocr">' : '<text>';
    if (text !== '') lines.push(fence, asPlainWords(text), '</text>');
    const figures = slide.description?.figures ?? [];
    if (figures.length > 0) {
      lines.push('<picture>', ...figures.map((f) => asPlainWords(`${f.kind}: ${f.description}`)), '</picture>');
    }
  }
  lines.push('</slide>');
  return lines.join('\n');
}

/**
 * The whole deck as one fenced block: lines that several pages carry once, then the slides in order; slides without anything readable are
 * left out.
 *
 * @param title words of the file's title that its pages say as well (`domain/decks/document-title.ts`); empty without any
 */
export function deckBlock(slides: readonly SlideText[], running: readonly RunningText[] = [], title = ''): string {
  const lines = running.map(({ text, pages }) => asPlainWords(`${pageRanges(pages)}: ${text}`));
  const said = lines.length === 0 ? [] : ['<running>', ...lines, '</running>'];
  const named = title === '' ? '<deck>' : `<deck title="${asPlainWords(title).replaceAll(/["<>\n]/gu, ' ')}">`;
  return [named, ...said, ...slides.filter(isReadable).map(slideBlock), '</deck>'].join('\n');
}

/** The title of the deck block, as {@link deckBlock} writes it; empty without one. */
export const readTitle = (message: string): string => fencedBlocks(message, 'deck')[0]?.label ?? '';

/** @example pageRanges([2, 3, 4, 7]) // '2-4, 7' */
function pageRanges(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last !== undefined && page === last[1] + 1) last[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}

/** The pages that {@link pageRanges} wrote. */
const pagesOfRanges = (ranges: string): number[] =>
  ranges.split(', ').flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  });

/** Lines of the deck block that several pages carry, as {@link deckBlock} writes them. */
export function readRunning(message: string): RunningText[] {
  const lines = fencedBlocks(message, 'running')[0]?.text.split('\n') ?? [];
  return lines.flatMap((line) => {
    const match = /^(\d[\d, -]*): (.*)$/u.exec(line);
    return match === null ? [] : [{ pages: pagesOfRanges(match[1] ?? ''), text: match[2] ?? '' }];
  });
}

/** User message of a call over one slide image (describe, feedback). */
export function slideUserMessage(slide: Pick<SlideText, 'number' | 'markup' | 'recognised'>): string {
  return slideBlock({ ...slide, description: null });
}

/** A sector as the classification prompt lists it. */
export interface SectorOption {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
}

/** User message of the sector classification: the offering, the sectors to choose from, the deck. */
export function classifyUserMessage(offering: string, sectors: readonly SectorOption[], deck: string): string {
  const options = sectors.map(
    (s) => `<sector slug="${s.slug}">${s.name}: ${s.description} Keywords: ${s.keywords.join(', ')}.</sector>`,
  );
  return [`<offering>${asPlainWords(offering)}</offering>`, '<sectors>', ...options, '</sectors>', deck].join('\n');
}

/** Name and keywords of a sector's block, as {@link classifyUserMessage} writes them. */
export function readSector(text: string): Pick<SectorOption, 'name' | 'keywords'> {
  const keywords = /Keywords:([\s\S]*)$/u.exec(text)?.[1] ?? '';
  return {
    name: text.split(':', 1)[0] ?? '',
    keywords: keywords
      .replace(/\.\s*$/u, '')
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  };
}

/** A template question as prompts carry it. */
export interface QuestionText {
  readonly slug: string;
  readonly text: string;
  readonly criteria: string;
  /** Health angle of the question; empty when it has none or the deck is not about health. */
  readonly healthFocus: string;
}

/** User message for answering one question. The deck comes first so that the server's prompt cache serves all questions of a deck. */
export function answerUserMessage(question: QuestionText, deck: string): string {
  return [
    deck,
    `<question slug="${question.slug}">${question.text}</question>`,
    ...(question.healthFocus === '' ? [] : [`<focus>${question.healthFocus}</focus>`]),
  ].join('\n');
}

/** User message for scoring one answer: question, criteria, the answer and its quotes. The whole deck is not repeated. */
export function scoreUserMessage(
  question: QuestionText,
  answer: string,
  quotes: readonly { slide: number; quote: string }[],
): string {
  return [
    `<question slug="${question.slug}">${question.text}</question>`,
    `<criteria>${question.criteria}</criteria>`,
    '<answer>',
    asPlainWords(answer),
    ...quotes.map((q) => asPlainWords(`Quote from slide ${q.slide}: "${q.quote}"`)),
    '</answer>',
  ].join('\n');
}

const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'German' };

/** The system message: prompt body with its one placeholder, `{{output_language}}`, filled. Deck text never passes through here. */
export function systemMessage(body: string, language: Language): string {
  return body.replaceAll(/\{\{\s*output_language\s*\}\}/gu, LANGUAGE_NAMES[language]);
}
