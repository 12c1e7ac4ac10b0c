/** The topic of a question: of the review's own by its slug, of any other by the words it is asked in. */
import { anyFigure } from './figures.ts';
import { wordsOf } from './phrases.ts';
import { QUESTION_TOPICS } from './question-topics.ts';
import { topic, type Topic } from './topic.ts';
import { anyOf } from './words.ts';

const STOP_WORDS = wordsOf('stop words');

/** The topic of a question; one made of its own words, cut to their stems, when the slug has none. Null for a question without words. */
export function topicOf(slug: string, text: string): Topic | null {
  const known = QUESTION_TOPICS.get(slug);
  if (known !== undefined) return known;
  const words = (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).filter((word) => !STOP_WORDS.has(word));
  const stems = [...new Set(words.map((word) => `${word.slice(0, Math.max(4, word.length - 3))}\\p{L}*`))];
  if (stems.length === 0) return null;
  const figure = /how (?:much|many|large|high|long)|wie (?:viel|viele|hoch|lange|groß)/iu.test(text) ? anyFigure : null;
  return topic('', { says: anyOf(...stems), least: Math.min(2, stems.length), figure });
}
