/** The topic of each question slug. */
import { PRODUCT_TOPICS } from './topics-product.ts';
import { BUSINESS_TOPICS } from './topics-business.ts';
import type { Topic } from './topic.ts';
import { has } from './words.ts';

const TOPICS: ReadonlyMap<string, Topic> = new Map([
  ...Object.entries(PRODUCT_TOPICS),
  ...Object.entries(BUSINESS_TOPICS),
]);

/** True when some question's answers stand under such a heading. */
export const isKnownHeading = (text: string): boolean =>
  [...TOPICS.values()].some(({ heading }) => heading !== null && has(text, heading));

/** The topic of a slug; null for questions nobody wrote words for. */
export const topicOf = (slug: string): Topic | null => TOPICS.get(slug) ?? null;
