/**
 * Answers a template question with the deck's own sentences: finds those about it, quotes them and names their slides. If there are none, the
 * answer says so and quotes nothing.
 */
import type { AnswerQuestionOutput, EvidenceItem } from '../domain/models/result-schemas.ts';
import { chooseUnits, hasFigure, type Choice } from './choose.ts';
import type { ReadPrompt } from './prompt.ts';
import { countWords, MIN_QUOTE_WORDS, quoteOf } from './text.ts';
import { topic, type Topic } from './topic.ts';
import { anyOf, has } from './words.ts';
import { PRODUCT_TOPICS } from './topics-product.ts';
import { BUSINESS_TOPICS } from './topics-business.ts';

const TOPICS: ReadonlyMap<string, Topic> = new Map([
  ...Object.entries(PRODUCT_TOPICS),
  ...Object.entries(BUSINESS_TOPICS),
]);

/** True if answers to some question are usually under such a heading. */
export const isKnownHeading = (text: string): boolean =>
  [...TOPICS.values()].some(({ heading }) => heading !== null && has(text, heading));

/** The topic of a slug; null for questions without a topic. */
export const topicOf = (slug: string): Topic | null => TOPICS.get(slug) ?? null;

const LEAST_SCORE = 2.4;
/** For a question without a topic of its own, which has fewer words. */
const LEAST_SCORE_BY_WORDS = 1.8;
const MOST_QUOTES = 4;

/** Words of a question that do not describe its subject. */
const STOP_WORDS = new Set(
  'what which who whom whose when where why how does do did is are was were the a an and or of for to in on at by with from into its it their there this that these those they them company companies deck pitch much many long high large big kind today already be been has have had will would can could not than then each every any some other more most one two about per wie was wer wann wo warum welche welcher welches welchem welchen ist sind war waren der die das den dem des ein eine einen einem einer und oder für von zu im in am an auf bei mit aus nach hat haben wird werden kann können nicht als auch sich es sie ihr ihre unternehmen firma heute viel viele hoch lange groß gibt'.split(
    ' ',
  ),
);

/** For a question without a topic of its own: the question's words, cut to their stems. */
function topicFromWords(text: string): Topic | null {
  const words = (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).filter((word) => !STOP_WORDS.has(word));
  if (words.length === 0) return null;
  const stems = [...new Set(words.map((word) => `${word.slice(0, Math.max(4, word.length - 3))}\\p{L}*`))];
  return topic(anyOf(...stems), {
    figure: /how (?:much|many|large|high|long)|wie (?:viel|viele|hoch|lange|groß)/iu.test(text),
  });
}

/** The best units, at most four, without repeating a quote and with most of them from the slide that says most. */
function pick(choices: readonly Choice[]): Choice[] {
  const [best] = choices;
  if (best === undefined) return [];
  const picked: Choice[] = [];
  const seen = new Set<string>();
  for (const choice of choices) {
    if (picked.length === MOST_QUOTES) break;
    // Units far behind the best one would dilute the answer.
    if (choice.score < best.score * 0.55) continue;
    if (seen.has(choice.unit.lower)) continue;
    seen.add(choice.unit.lower);
    picked.push(choice);
  }
  return picked.toSorted((a, b) => a.slide.number - b.slide.number || a.unit.index - b.unit.index);
}

/** Quotes of the chosen units; a quote that cannot be made long enough is left out. */
function quotes(picked: readonly Choice[]): EvidenceItem[] {
  const items: EvidenceItem[] = [];
  for (const { slide, unit } of picked) {
    const quote = quoteOf(slide.units, unit.index);
    if (countWords(quote) < MIN_QUOTE_WORDS) continue;
    if (items.some((item) => item.slide === slide.number && (item.quote.includes(quote) || quote.includes(item.quote))))
      continue;
    items.push({ slide: slide.number, quote });
  }
  return items;
}

/** The answer, with evidence first. */
export function answerQuestion(prompt: ReadPrompt): AnswerQuestionOutput {
  const slug = prompt.question?.slug ?? '';
  const about = topicOf(slug) ?? topicFromWords(prompt.question?.text ?? '');
  const least = topicOf(slug) === null ? LEAST_SCORE_BY_WORDS : LEAST_SCORE;
  const choices = about === null ? [] : chooseUnits(prompt.slides, about, least, isKnownHeading);
  // Standing under a fitting heading supports a direct sentence, it does not replace it.
  const picked = choices.some((choice) => choice.direct) ? pick(choices) : [];
  const evidence = quotes(picked);
  if (about === null || evidence.length === 0)
    return { evidence: [], covered: 'no', answer: nothingSaid(prompt.language) };
  const figures = evidence.filter((item) => hasFigure(item.quote)).length;
  const strongest = Math.max(...picked.map((choice) => choice.score));
  const full = evidence.length >= 2 && strongest >= 4 && (!about.figure || figures > 0);
  const alone = evidence.length === 1 && strongest >= 6.5 && (!about.figure || figures > 0);
  const covered = full || alone ? 'yes' : 'partly';
  return {
    evidence,
    covered,
    answer: answerText(prompt.language, evidence, covered === 'partly', about.figure && figures === 0),
  };
}

export const nothingSaid = (language: 'en' | 'de'): string =>
  language === 'de' ? 'Das Deck sagt dazu nichts.' : 'The deck does not say anything on this.';

function answerText(
  language: 'en' | 'de',
  evidence: readonly EvidenceItem[],
  partly: boolean,
  figureMissing: boolean,
): string {
  const german = language === 'de';
  const parts = evidence.map((item, index) => {
    const quote = german ? `„${item.quote}“` : `"${item.quote}"`;
    const lead = german
      ? index === 0
        ? `Laut Folie ${item.slide}:`
        : `Folie ${item.slide}:`
      : index === 0
        ? `According to slide ${item.slide}:`
        : `Slide ${item.slide}:`;
    return `${lead} ${quote}`;
  });
  if (figureMissing) parts.push(german ? 'Eine Zahl nennt das Deck dazu nicht.' : 'The deck gives no figure for it.');
  else if (partly) parts.push(german ? 'Mehr sagt das Deck dazu nicht.' : 'The deck says no more on it.');
  let text = '';
  for (const part of parts) {
    const next = text === '' ? part : `${text} ${part}`;
    if (next.length > 1200) break;
    text = next;
  }
  return text;
}
