/**
 * What a slide or a part of it is about, as its headline, its headings and its labels say: problem, market, team and so on. English and German.
 */
import type { ReadSlide } from './prompt.ts';
import type { TextUnit } from './text.ts';
import { SILENT, SUBJECTS, type Subject } from './subject.ts';
import {
  isBuying,
  isComparison,
  isMeasured,
  isPeople,
  isPriceList,
  isPriceTable,
  isReached,
  isRound,
  isSchedule,
  isVoices,
} from './slide-traits.ts';
import { phrases, phrasesOf } from './phrases.ts';
import { countDistinct, has } from './words.ts';

/** The words that name each subject in a short headline, and those by which a headline that is a sentence belongs to it. */
const WORDINGS = SUBJECTS.map((subject) => ({
  subject,
  label: phrases(`${subject} label`),
  statement: phrasesOf(`${subject} statement`),
}));

/** Longest headline that is read as a label; a longer one is a sentence. */
const LABEL_WORDS = 6;
const ARTICLES = /^(?:(?:the|our|a|an|my|key|main|core|der|die|das|den|unser|unsere|unseren|ein|eine)\s+)*/iu;

/** Numbering, bullets and closing punctuation of a label go: "01Problem", "3. Team:". */
export const bare = (text: string): string =>
  text
    .replace(/^(?:(?:slide|folie|page|seite)\s\d+)?[\s\d.)(#/|•·–—-]+/iu, '')
    .replace(/\s\([^)]*\)$/u, '')
    .replace(/[\s:.!–—|/-]+$/u, '')
    .trim();

/** The subjects a headline or heading names; none for a headline that tells nothing of them. */
export function subjectsOf(headline: string): Subject[] {
  const named = namedBy(headline);
  return named.length > 0 ? named : statedBy(headline);
}

/** The subjects by which a headline is called. */
export function namedBy(headline: string): Subject[] {
  const text = bare(headline);
  const short = text.split(/\s+/u).length <= LABEL_WORDS;
  const lead = /^(?<label>.{2,40}?)\s*(?:[:|]|\s[–—-])\s/u.exec(`${text} `)?.groups?.['label'] ?? '';
  // A subtitle often stands in the same line: "Roadmap Where we are going".
  const firstWord = /^(?<label>\p{Lu}[\p{L}-]+)\s\p{Lu}/u.exec(text)?.groups?.['label'] ?? '';
  return WORDINGS.filter(({ subject, label }) =>
    SILENT.has(subject)
      ? isOnly(text, label)
      : short
        ? has(text, label)
        : (lead !== '' && has(lead, label)) || isOnly(firstWord, label),
  ).map(({ subject }) => subject);
}

/** The subjects of a headline that is a sentence. */
const statedBy = (headline: string): Subject[] =>
  WORDINGS.filter(({ statement }) => statement !== null && has(headline, statement)).map(({ subject }) => subject);

/** The subjects of words that are nothing but a label, such as a line over a column: "Use of funds", "Team & traction". */
export function subjectsOfLabel(label: string): Subject[] {
  const text = bare(label);
  if (text.split(/\s+/u).length > LABEL_WORDS) return [];
  const whole = WORDINGS.filter(({ label: words }) => isOnly(text, words)).map(({ subject }) => subject);
  if (whole.length > 0) return whole;
  const parts = text.split(/\s*(?:[&/,+]|(?<=\s)(?:and|und)(?=\s))\s*/iu).filter((part) => part !== '');
  const found = parts.length < 2 ? [] : parts.map((part) => subjectsOfLabel(part));
  return found.some((subjects) => subjects.length === 0) ? [] : [...new Set(found.flat())];
}

/** The subjects of a heading that ends with a label, after a name or another word or two: "Acme USPs", "Seed round use of funds". */
export function subjectsAtEnd(heading: string): Subject[] {
  const words = bare(heading).split(/\s+/u);
  if (words.length > LABEL_WORDS || words.some((word) => /^(?:to|of|for|in|with|and|und|&|für|von)$/iu.test(word)))
    return [];
  const found = [1, 2].flatMap((before) =>
    words.length > before ? subjectsOfLabel(words.slice(before).join(' ')) : [],
  );
  return found.filter((subject) => CERTAIN.has(subject));
}

/** Subjects whose labels name nothing else behind another word; "token distribution" is no sales channel. */
const CERTAIN: ReadonlySet<Subject> = new Set<Subject>([
  'problem',
  'benefit',
  'market',
  'competition',
  'advantage',
  'pricing',
  'financials',
  'ask',
  'funds',
  'team',
  'roadmap',
]);

/** True when the text holds the label and nothing beside it but articles. */
function isOnly(text: string, label: RegExp): boolean {
  const rest = text.replace(ARTICLES, '');
  return has(rest, label) && rest.replace(label, '').trim().length <= 1;
}

/** Words that only slides of one kind carry. */
const REACHED = phrases('reached so far');
const MARKET_SIZES = phrases('market sizes');

/** The subjects of a whole slide: by its headline or the label above it, by words that only such slides carry, by what its headline states. */
export function subjectsOfSlide(slide: ReadSlide): ReadonlySet<Subject> {
  const units = slide.units.filter((unit) => !unit.running);
  if (isContents(units)) return new Set<Subject>(['contents']);
  const headlines = headlinesOf(units);
  const named = namedOf(slide, headlines);
  // Milestones that were reached are no plan.
  if (named.has('roadmap') && units.some((unit) => has(unit.text, REACHED))) return new Set<Subject>(['traction']);
  if (named.size > 0) return withForm(named, units);
  const text = units.map((unit) => unit.text).join('\n');
  const headline = headlines.at(-1) ?? '';
  if (isBuying(units)) return new Set<Subject>(['model']);
  if (isRound(headline, units)) return new Set<Subject>(['ask']);
  if (isPeople(units)) return new Set<Subject>(['team']);
  if (countDistinct(text, MARKET_SIZES) >= 2) return new Set<Subject>(['market']);
  if (isComparison(units)) return new Set<Subject>(['competition']);
  const stated = new Set(statedBy(headline));
  if (stated.size > 0) return stated;
  return new Set<Subject>(byForm(headline, units));
}

/** The subject of a slide that nothing but its form tells. */
function byForm(headline: string, units: readonly TextUnit[]): Subject[] {
  if (isPriceList(units) || isPriceTable(units)) return ['pricing'];
  if (isReached(units) && !has(headline, phrases('trouble'))) return ['traction'];
  if (isVoices(units)) return ['voices'];
  if (isSchedule(units)) return ['roadmap'];
  return isMeasured(units) ? ['evidence'] : [];
}

/** The subjects that the headline and the labels above it name. A label tells it; then the headline is free to be a sentence. */
function namedOf(slide: ReadSlide, headlines: readonly string[]): Set<Subject> {
  const headline = headlines.at(-1) ?? '';
  const sections = slide.sections.flatMap((text) => subjectsOfLabel(text)).filter((subject) => !SILENT.has(subject));
  const labelled = new Set([...sections, ...headlines.slice(0, -1).flatMap((text) => subjectsAtStart(text))]);
  if (labelled.size === 0) return new Set(namedBy(headline));
  // The budget beside the amount that is asked for is what it is spent on.
  const budget = subjectsOfLabel(headline).filter((subject) => subject === 'funds' || subject === 'financials');
  if (labelled.has('ask') && budget.length > 0) labelled.add('funds');
  if (isRound(headline, slide.units)) labelled.add('ask');
  return labelled;
}

/** A comparison with marks belongs to the competition, whatever its headline is called; numbers beside voices to what was reached. */
function withForm(named: Set<Subject>, units: readonly TextUnit[]): Set<Subject> {
  const all = [...named];
  if (all.every((subject) => subject === 'advantage' || subject === 'today') && isComparison(units))
    return named.add('competition');
  return named.has('voices') && isReached(units) ? named.add('traction') : named;
}

/** The subjects of a label that goes on after its first word: "Traction since January". */
function subjectsAtStart(label: string): Subject[] {
  const whole = subjectsOfLabel(label);
  const [, first] = /^(\p{L}+) (?:since|in|so|to|until|as|for|seit|bis|im|in)(?!\p{L})/iu.exec(bare(label)) ?? [];
  return whole.length > 0 || first === undefined ? whole : subjectsOfLabel(first);
}

/** True for subjects of a slide that lists, thanks, warns or cites: it answers no question. */
export const isSilent = (subjects: ReadonlySet<Subject>): boolean =>
  [...subjects].some((subject) => SILENT.has(subject));

/** Position of the cover: the first slide with words that is no notice, contents or thanks; the first of all where there is none. */
export function coverAt(slides: readonly ReadSlide[]): number {
  const found = slides.findIndex((slide) => slide.units.some(isWorded) && !isSilent(subjectsOfSlide(slide)));
  return Math.max(0, found);
}

/** True for words of the slide's own. */
export const isWorded = (unit: TextUnit): boolean => !unit.running && /\p{L}{2}/u.test(unit.text);

/** Labels above the headline, and the headline, last; a slide without one begins with it. */
export function headlinesOf(units: readonly TextUnit[]): string[] {
  const worded = units.filter((unit) => /\p{L}{2}/u.test(unit.text));
  const title = worded.findIndex((unit) => unit.kind === 'title');
  const labels = worded
    .slice(0, Math.max(0, title))
    .filter((unit) => unit.words <= 4 && subjectsAtStart(unit.text).length > 0);
  const [first, second] = worded;
  if (title >= 0) return [...labels, worded[title]].flatMap((unit) => (unit === undefined ? [] : [unit.text]));
  if (first !== undefined && namedBy(first.text).length === 0 && second !== undefined && second.words <= 3) {
    if (subjectsOfLabel(second.text).length > 0) return [second.text];
  }
  return first === undefined ? [] : [first.text];
}

/** True for a list of the deck's own parts. */
function isContents(units: readonly TextUnit[]): boolean {
  const words = units.filter((unit) => /\p{L}/u.test(unit.text));
  const labels = words.filter((unit) => unit.words <= 5 && subjectsOfLabel(unit.text).length > 0);
  return labels.length >= 5 && labels.length >= words.length * 0.6;
}
