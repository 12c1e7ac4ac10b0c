/**
 * Reads a prompt as text: the fenced slides, question, criteria, answer, offering and sectors of the user message, and the output language.
 *
 * domain/models/prompt-assembly.ts defines the layout and finds the blocks.
 */
import {
  fencedBlocks,
  holdsData,
  readRunning,
  readSector,
  readTitle,
  type FenceTag,
} from '../domain/models/prompt-assembly.ts';
import { readMarkup, type MarkedBlock } from '../domain/pages/markup.ts';
import { isSteering, withoutSteering } from './steering.ts';
import { runningUnit, toUnits, type TextUnit } from './text.ts';

/** A chat message as the rules need it. */
export interface PromptMessage {
  readonly role: string;
  readonly content: string;
}

/** One slide with its text cut into units that can be quoted. Words that address a machine are no part of it. */
export interface ReadSlide {
  readonly number: number;
  /** Without marks, blocks separated by a blank line. */
  readonly text: string;
  /** True when the words were recognised in the picture of the page. */
  readonly recognised: boolean;
  readonly blocks: readonly MarkedBlock[];
  /** Headline of the page; empty when it has none. */
  readonly title: string;
  /** Lines that it shares with other pages; one may be the name of a part of the deck. */
  readonly sections: readonly string[];
  /** Non-empty lines without marks; none within pictures. */
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
  /** Words of the file's title that the slides say as well, with bars between them. */
  readonly title: string;
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
    title: readTitle(user),
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
  // Rules keep what they found by the slides, and the title is found with them.
  const start = /^<(?:deck|running)\b/mu.exec(user)?.index ?? from;
  const key = user.slice(Math.min(start, from), user.lastIndexOf('</slide>'));
  const known = slideCache.get(key);
  if (known !== undefined) return known;
  const slides = fencedBlocks(user, 'slide').map(({ label, text }) => readSlide(Number(label), text));
  // A line that several pages carry is quoted from the first of them.
  const running = readRunning(user).filter(({ text }) => !isSteering(text));
  const read = slides.map((slide): ReadSlide => {
    const own = running.filter(({ pages }) => pages.includes(slide.number));
    const first = own.filter(({ pages }) => pages[0] === slide.number);
    const units = first.map(({ text }, i) => runningUnit(text, slide.units.length + i));
    // On most pages it is the deck's, not a part's.
    const sections = own.filter(({ pages }) => pages.length * 2 <= slides.length).map(({ text }) => text);
    return { ...slide, sections, units: [...slide.units, ...units] };
  });
  slideCache.set(key, read);
  const oldest = slideCache.keys().next().value;
  if (slideCache.size > CACHE_SIZE && oldest !== undefined) slideCache.delete(oldest);
  return read;
}

function readSlide(number: number, body: string): ReadSlide {
  const [plain] = fencedBlocks(body, 'text');
  const blocks = withoutSteering(readMarkup(plain?.text ?? ''));
  const lines = blocks.flatMap(({ kind, lines: of }) => (kind === 'picture' ? [] : of.map((line) => line.text)));
  return {
    number,
    text: blocks.map((block) => block.lines.map((line) => line.text).join('\n')).join('\n\n'),
    recognised: plain?.label === 'ocr',
    blocks,
    title:
      blocks
        .find((block) => block.kind === 'title')
        ?.lines.map((line) => line.text)
        .join(' ') ?? '',
    sections: [],
    lines,
    units: toUnits(blocks),
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
