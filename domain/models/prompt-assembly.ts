/**
 * Turns deck content into the messages of a model call, and reads the data of such a message back.
 *
 * A deck is untrusted input: slide text is data inside fences (`<slide>`, `<answer>` …) and never part of the instructions, which are in
 * the system message alone. Anything in the data that looks like one of our fences is defused first, so no slide can close its own fence.
 * The layout is a contract: the built-in reader reads it with {@link fencedBlocks}, and content keys hash it.
 */
import type { Language } from './model-tasks.ts';
import type { DescribeSlideOutput } from './result-schemas.ts';

/** Tags used as fences; data can never open or close one of them. */
const FENCE_TAGS = [
  'deck',
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

/** Replaces the `<` of anything that looks like one of our fences by `‹`. */
export function defuseFences(data: string): string {
  return data.replace(FENCE_PATTERN, '‹');
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
  /** Verbatim text layer of the page; empty for a page that is only a picture. */
  readonly textLayer: string;
  /** What the vision call reported, null when it failed. */
  readonly description: DescribeSlideOutput | null;
  /** Sentences kept by condensation; when set they replace text and picture. */
  readonly condensed?: readonly string[];
}

/** True when text calls have something to read on this slide. */
export function isReadable(slide: SlideText): boolean {
  return (
    slide.textLayer.trim() !== '' ||
    (slide.description?.legible === true && slide.description.visibleText.trim() !== '')
  );
}

/** The fenced block of one slide: its text (layer or transcription) and what its pictures show. */
export function slideBlock(slide: SlideText): string {
  const lines = [`<slide number="${slide.number}">`];
  if (slide.condensed !== undefined) {
    lines.push('<text>', defuseFences(slide.condensed.join('\n')), '</text>');
  } else {
    const text = slide.textLayer.trim() === '' ? (slide.description?.visibleText ?? '') : slide.textLayer;
    if (text.trim() !== '') lines.push('<text>', defuseFences(text.trim()), '</text>');
    const figures = slide.description?.figures ?? [];
    if (figures.length > 0) {
      lines.push('<picture>', ...figures.map((f) => defuseFences(`${f.kind}: ${f.description}`)), '</picture>');
    }
  }
  lines.push('</slide>');
  return lines.join('\n');
}

/** The whole deck as one fenced block, slides in order; slides without anything readable are left out. */
export function deckBlock(slides: readonly SlideText[]): string {
  return ['<deck>', ...slides.filter(isReadable).map(slideBlock), '</deck>'].join('\n');
}

/** User message of a call over one slide image (describe, feedback). */
export function slideUserMessage(slide: { readonly number: number; readonly textLayer: string }): string {
  return slideBlock({ number: slide.number, textLayer: slide.textLayer, description: null });
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
  return [`<offering>${defuseFences(offering)}</offering>`, '<sectors>', ...options, '</sectors>', deck].join('\n');
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
    defuseFences(answer),
    ...quotes.map((q) => defuseFences(`Quote from slide ${q.slide}: "${q.quote}"`)),
    '</answer>',
  ].join('\n');
}

const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'German' };

/** The system message: prompt body with its one placeholder, `{{output_language}}`, filled. Deck text never passes through here. */
export function systemMessage(body: string, language: Language): string {
  return body.replaceAll(/\{\{\s*output_language\s*\}\}/gu, LANGUAGE_NAMES[language]);
}
