/**
 * Reads a prompt as text: the fenced slides, question, criteria, answer, offering and sectors of the user message, and the output language.
 *
 * domain/models/prompt-assembly.ts defines the layout and finds the blocks.
 */
import { fencedBlocks, holdsData, readSector, type FenceTag } from '../domain/models/prompt-assembly.ts';
import { toUnits, type TextUnit } from './text.ts';

/** A chat message as the rules need it. */
export interface PromptMessage {
  readonly role: string;
  readonly content: string;
}

/** One slide with its text cut into units that can be quoted. */
export interface ReadSlide {
  readonly number: number;
  readonly text: string;
  /** Non-empty lines, trimmed. */
  readonly lines: readonly string[];
  readonly units: readonly TextUnit[];
}

/** A sector the prompt offers. */
export interface SectorChoice {
  readonly slug: string;
  readonly name: string;
  readonly keywords: readonly string[];
}

/** Everything rules may look at. */
export interface ReadPrompt {
  readonly language: 'en' | 'de';
  readonly slides: readonly ReadSlide[];
  readonly question: { readonly slug: string; readonly text: string } | null;
  readonly focus: string;
  readonly criteria: string;
  readonly answer: string;
  readonly offering: string;
  readonly sectors: readonly SectorChoice[];
}

/** Decks are asked many questions; the last few are kept as read. */
const CACHE_SIZE = 16;
const slideCache = new Map<string, readonly ReadSlide[]>();

/** Reads the last user message that carries data (a retry adds messages after it). */
export function readPrompt(messages: readonly PromptMessage[]): ReadPrompt {
  const user =
    messages.findLast((m) => m.role === 'user' && holdsData(m.content))?.content ??
    messages.findLast((m) => m.role === 'user')?.content ??
    '';
  const system = messages.filter((m) => m.role === 'system').map((m) => m.content);
  const block = (tag: FenceTag): string => fencedBlocks(user, tag)[0]?.text.trim() ?? '';
  const question = fencedBlocks(user, 'question')[0];
  return {
    language: outputLanguage(system.join('\n')),
    slides: readSlides(user),
    question: question === undefined ? null : { slug: question.label, text: question.text },
    focus: block('focus'),
    criteria: block('criteria'),
    answer: block('answer'),
    offering: block('offering'),
    sectors: fencedBlocks(user, 'sector').map(({ label, text }) => {
      const { name, keywords } = readSector(text);
      return { slug: label, name, keywords: keywords.map((word) => word.toLowerCase()) };
    }),
  };
}

function readSlides(user: string): readonly ReadSlide[] {
  const from = user.indexOf('<slide ');
  if (from < 0) return [];
  const key = user.slice(from, user.lastIndexOf('</slide>'));
  const known = slideCache.get(key);
  if (known !== undefined) return known;
  const raw = fencedBlocks(user, 'slide').map(({ label, text: body }) => {
    const text = fencedBlocks(body, 'text')[0]?.text ?? '';
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    return { number: Number(label), text, lines };
  });
  const isRunning = runningLines(raw.map((slide) => slide.lines));
  const slides = raw.map((slide): ReadSlide => ({ ...slide, units: toUnits(slide.text, isRunning, slide === raw[0]) }));
  slideCache.set(key, slides);
  const oldest = slideCache.keys().next().value;
  if (slideCache.size > CACHE_SIZE && oldest !== undefined) slideCache.delete(oldest);
  return slides;
}

/** Lines that at least three slides and a third of the deck carry but for their digits, and bare page numbers. */
function runningLines(slides: readonly (readonly string[])[]): (line: string) => boolean {
  const shape = (line: string): string => line.replaceAll(/\d+/gu, '').replaceAll(/\s+/gu, ' ').trim().toLowerCase();
  const counts = new Map<string, number>();
  for (const lines of slides) {
    for (const form of new Set(lines.map(shape))) counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  const least = Math.max(3, slides.length / 3);
  return (line) => {
    const form = shape(line);
    if (!/\p{L}/u.test(form)) return /^(?:\d{1,3}\s*\/\s*\d{1,3}|(?:page|seite|slide|folie)\s*\d{1,3})$/iu.test(line);
    return form.length >= 4 && (counts.get(form) ?? 0) >= least;
  };
}

/** The language the system message asks for: the last "in English" or "in German" that is not one of several; else English. */
function outputLanguage(system: string): 'en' | 'de' {
  const asked = [...system.matchAll(/\b(?:in|language(?:\s+is)?:?)\s+(English|German)\b(?!\s*(?:or|and|,|\/))/giu)].at(
    -1,
  )?.[1];
  if (asked !== undefined) return asked.toLowerCase() === 'german' ? 'de' : 'en';
  return system.includes('German') && !system.includes('English') ? 'de' : 'en';
}
