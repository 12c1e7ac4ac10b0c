/** The topic of a question: of the review's own by its slug, of any other by the words it is asked in. */
import { anyFigure, topic, type Topic } from './topic.ts';
import { FINANCIAL_TOPICS } from './topics/financials.ts';
import { FUNDS_TOPICS } from './topics/funds.ts';
import { MARKET_FIT_TOPICS } from './topics/market-fit.ts';
import { MONETIZATION_TOPICS } from './topics/monetization.ts';
import { NEAR_TOPICS } from './topics/near.ts';
import { ORGANIZATION_TOPICS } from './topics/organization.ts';
import { PROBLEM_TOPICS } from './topics/problem.ts';
import { SOLUTION_TOPICS } from './topics/solution.ts';
import { anyOf } from './words.ts';

const TOPICS: ReadonlyMap<string, Topic> = new Map(
  Object.entries({
    ...PROBLEM_TOPICS,
    ...SOLUTION_TOPICS,
    ...MARKET_FIT_TOPICS,
    ...MONETIZATION_TOPICS,
    ...FINANCIAL_TOPICS,
    ...FUNDS_TOPICS,
    ...ORGANIZATION_TOPICS,
  }).map(([slug, own]) => [slug, { ...own, near: NEAR_TOPICS[slug] ?? null }]),
);

/** Words of a question that do not describe its subject. */
const STOP_WORDS = new Set(
  'what which who whom whose when where why how does do did is are was were the a an and or of for to in on at by with from into its it their there this that these those they them company companies deck pitch much many long high large big kind today already been be has have had will would can could not than then each every any some other more most one two about per wie was wer wann wo warum welche welcher welches welchem welchen ist sind war waren der die das den dem des ein eine einen einem einer und oder für von zu im in am an auf bei mit aus nach hat haben wird werden kann können nicht als auch sich es sie ihr ihre unternehmen firma heute viel viele hoch lange groß gibt'.split(
    ' ',
  ),
);

/** The topic of a question; one made of its own words, cut to their stems, when the slug has none. Null for a question without words. */
export function topicOf(slug: string, text: string): Topic | null {
  const known = TOPICS.get(slug);
  if (known !== undefined) return known;
  const words = (text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).filter((word) => !STOP_WORDS.has(word));
  const stems = [...new Set(words.map((word) => `${word.slice(0, Math.max(4, word.length - 3))}\\p{L}*`))];
  if (stems.length === 0) return null;
  const figure = /how (?:much|many|large|high|long)|wie (?:viel|viele|hoch|lange|groß)/iu.test(text) ? anyFigure : null;
  return topic({ says: anyOf(...stems), least: Math.min(2, stems.length), figure });
}
