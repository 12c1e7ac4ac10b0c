/**
 * Reads a prompt as text: the fenced slides, question, criteria, answer, offering and sectors of the user message, and the output language.
 *
 * The layout is the contract of domain/prompt-assembly.ts. Fences stand at the start of a line, and slide text can never hold one, so plain
 * patterns are enough; a block that was cut off is simply not there.
 */
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

const SLIDE = /^<slide number="(\d+)">\n([\s\S]*?)\n?<\/slide>/gmu;
const SLIDE_TEXT = /^<text>\n([\s\S]*?)\n?<\/text>/mu;
const SECTOR = /^<sector slug="([^"]*)">([^:\n]*):([\s\S]*?)<\/sector>/gmu;

/** Decks are asked many questions; the last few are kept as read. */
const CACHE_SIZE = 16;
const slideCache = new Map<string, readonly ReadSlide[]>();

/** Reads the last user message that carries data (a retry adds messages after it). */
export function readPrompt(messages: readonly PromptMessage[]): ReadPrompt {
  const isData = (m: PromptMessage): boolean =>
    m.role === 'user' && /^<(?:slide|deck|question|offering)\b/mu.test(m.content);
  const user = messages.findLast(isData)?.content ?? messages.findLast((m) => m.role === 'user')?.content ?? '';
  const system = messages.filter((m) => m.role === 'system').map((m) => m.content);
  const question = /^<question slug="([^"]*)">([\s\S]*?)<\/question>/mu.exec(user);
  return {
    language: outputLanguage(system.join('\n')),
    slides: readSlides(user),
    question: question === null ? null : { slug: question[1] ?? '', text: question[2] ?? '' },
    focus: block(user, 'focus'),
    criteria: block(user, 'criteria'),
    answer: block(user, 'answer'),
    offering: block(user, 'offering'),
    sectors: [...user.matchAll(SECTOR)].map(([, slug, name, rest]) => ({
      slug: slug ?? '',
      name: name ?? '',
      keywords: keywordsOf(rest ?? ''),
    })),
  };
}

function readSlides(user: string): readonly ReadSlide[] {
  const from = user.search(/^<slide /mu);
  if (from < 0) return [];
  const key = user.slice(from, user.lastIndexOf('</slide>'));
  const known = slideCache.get(key);
  if (known !== undefined) return known;
  const raw = [...user.matchAll(SLIDE)].map(([, number, body]) => {
    const text = SLIDE_TEXT.exec(body ?? '')?.[1] ?? '';
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    return { number: Number(number), text, lines };
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

function block(user: string, tag: string): string {
  return (new RegExp(`^<${tag}>([\\s\\S]*?)</${tag}>`, 'mu').exec(user)?.[1] ?? '').trim();
}

function keywordsOf(text: string): string[] {
  const list = /Keywords:([\s\S]*)$/u.exec(text)?.[1] ?? '';
  return list
    .replace(/\.\s*$/u, '')
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
}

/** The language the system message asks for: the last "in English" or "in German" that is not one of several; else English. */
function outputLanguage(system: string): 'en' | 'de' {
  const asked = [...system.matchAll(/\b(?:in|language(?:\s+is)?:?)\s+(English|German)\b(?!\s*(?:or|and|,|\/))/giu)].at(
    -1,
  )?.[1];
  if (asked !== undefined) return asked.toLowerCase() === 'german' ? 'de' : 'en';
  return system.includes('German') && !system.includes('English') ? 'de' : 'en';
}
