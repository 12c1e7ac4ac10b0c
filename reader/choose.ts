/**
 * Chooses the passages of a deck that answer a topic: those under a headline or heading that belongs to it, and those whose words say it.
 */
import { passagesOf, type Passage } from './passages.ts';
import type { ReadSlide } from './prompt.ts';
import { SILENT, type Subject } from './subject.ts';
import { namedBy } from './subjects.ts';
import { countWords, type TextUnit } from './text.ts';
import { anyFigure } from './figures.ts';
import { type Need, type Topic } from './topic.ts';
import { distinctMatches, has } from './words.ts';

/** In which ways a text bears on a topic; the two are independent of each other. */
export interface Cues {
  /** It stands under a headline or heading that belongs to the topic, and holds what the topic needs there. */
  readonly there: boolean;
  /** Its own words say it. */
  readonly says: boolean;
  /** It has a figure with a unit that belongs to the topic. */
  readonly figure: boolean;
}

/** A passage and how well it fits. */
export interface Choice extends Cues {
  readonly passage: Passage;
  readonly score: number;
}

/** True for a unit that carries a figure: a number that is more than a page or list number. */
export const hasFigure = (text: string): boolean => /\d/u.test(text.replace(/^\d{1,2}[.)]?\s/u, ''));

/** Units that are never an answer: running lines, words to machines, sources, contact lines. */
export function isContent(unit: TextUnit): boolean {
  return (
    !unit.running && unit.words >= 2 && !/^(?:sources?|quellen?)\s*:|@[\w.-]+\.\w+|^https?:|^www\./iu.test(unit.text)
  );
}

/**
 * How a text bears on a topic; null when it does not, or means something else.
 *
 * @param above Headline and headings the text stands under.
 * @param subjects What its part of the deck is about.
 */
export function cuesOf(
  topic: Topic,
  text: string,
  above: readonly string[],
  subjects: ReadonlySet<Subject>,
): Cues | null {
  if ([...subjects].some((subject) => SILENT.has(subject))) return null;
  const needs = [...subjects].flatMap((subject) => (subject in topic.at ? [topic.at[subject] ?? null] : []));
  const home = needs.length > 0;
  const foreign = [...subjects].filter((subject) => topic.notAt.includes(subject));
  // Under a subject of both lists only what is needed there counts, and no other words.
  const elsewhere = foreign.length > 0 && foreign.length === subjects.size;
  if (!home && elsewhere) return null;
  const reached = topic.reach === 'anywhere' || home || (topic.reach === 'unlabelled' && subjects.size === 0);
  if (!home && !reached) return null;
  if (topic.figureOnly && !has(text, topic.figure ?? anyFigure)) return null;
  const withAbove = (pattern: RegExp): boolean => has([...above, text].join('\n'), pattern);
  const says =
    reached &&
    !elsewhere &&
    topic.says !== null &&
    has(text, topic.says) &&
    (topic.least <= 1 || distinctMatches([...above, text].join('\n'), topic.says).size >= topic.least) &&
    (topic.with === null || withAbove(topic.with));
  const there = needs.some((need) => holds(need, topic.figure, text, above.at(-1) ?? ''));
  if ((!says && !there) || (topic.not !== null && has(text, topic.not))) return null;
  return { there, says, figure: topic.figure !== null && (topic.figureOnly || has(text, topic.figure)) };
}

const SENTENCE_WORDS = 6;

function holds(need: Need, figure: RegExp | null, text: string, heading: string): boolean {
  if (need === null) return false;
  if (need === 'any') return true;
  if (need === 'sentence') return countWords(text) >= SENTENCE_WORDS;
  if (need === 'figure') return figure === null ? hasFigure(text) : has(text, figure);
  // The heading of a card belongs to what it says, unless it only names the subject.
  return has(text, need) || (has(heading, need) && namedBy(heading).length === 0);
}

function rate(passage: Passage, topic: Topic): Choice | null {
  const { text, words, kind } = passage;
  const cues = cuesOf(topic, text, passage.above, passage.subjects);
  if (cues === null || (passage.onlyNames && !cues.says)) return null;
  let score = 0;
  if (cues.says && topic.says !== null) score += 3 + Math.min(distinctMatches(text, topic.says).size - 1, 2) * 0.8;
  if (cues.there) score += passage.inPart ? 3.5 : 2.5;
  if (cues.figure) score += 1.2;
  if (words >= 6 && words <= 40) score += 0.8;
  if (kind === 'heading') score -= 0.8;
  if (text.endsWith('?')) score -= 1.5;
  return { passage, ...cues, score };
}

/** Passages far behind the best one would dilute the answer. */
const NEAR_BEST = 0.45;

/** The passages that fit, best first, without repetition; of slides that hold several more than of others. */
export function choosePassages(slides: readonly ReadSlide[], topic: Topic): Choice[] {
  const rated = passagesOf(slides).flatMap((passage) => rate(passage, topic) ?? []);
  // Of a sentence and the same with its neighbour, the sentence.
  const found = rated.filter(
    ({ passage: { quote, slide } }) =>
      !rated.some(
        ({ passage: other }) => other.slide === slide && other.quote !== quote && quote.startsWith(other.quote),
      ),
  );
  const perSlide = Map.groupBy(found, ({ passage }) => passage.slide.number);
  const total = ({ passage, score }: Choice): number =>
    score + Math.min(1.2, ((perSlide.get(passage.slide.number)?.length ?? 1) - 1) * 0.3);
  const sorted = found.toSorted(
    (a, b) =>
      total(b) - total(a) || a.passage.slide.number - b.passage.slide.number || a.passage.index - b.passage.index,
  );
  const [best] = sorted;
  if (best === undefined) return [];
  const chosen: Choice[] = [];
  for (const choice of sorted) {
    const quote = choice.passage.quote.toLowerCase();
    const repeated = chosen.some(({ passage }) => {
      const other = passage.quote.toLowerCase();
      return other.includes(quote) || quote.includes(other);
    });
    if (total(choice) >= total(best) * NEAR_BEST && !repeated) chosen.push(choice);
  }
  return chosen;
}
