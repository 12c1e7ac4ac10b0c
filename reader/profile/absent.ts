/** Topics of which a deck says itself that there is nothing: it seeks no money, it knows no competitor. */
import { hasNegation } from '../../domain/evidence/changed-meaning.ts';
import type { ProfileOutput } from '../../domain/profile/schema.ts';
import type { ProfileTopic } from '../../domain/profile/topics.ts';
import { phrases } from '../phrases.ts';
import type { ReadPrompt } from '../prompt.ts';
import { VOICE } from '../slide-traits.ts';
import { has } from '../words.ts';

/** Words that deny each topic, as the answers of its question have them. */
const DENIED: readonly (readonly [ProfileTopic, RegExp])[] = [
  ['ask', phrases('funding_requirements absent')],
  ['competition', phrases('competitive_landscape absent')],
];

const MOST_QUOTE = 80;

/** The first words of the deck that deny each of these topics. */
export function absentTopics({ slides }: ReadPrompt, topics: readonly ProfileTopic[]): ProfileOutput['absent'] {
  return DENIED.filter(([topic]) => topics.includes(topic)).flatMap(([topic, words]) =>
    slides
      .flatMap((slide) => slide.units.map((unit) => ({ slide: slide.number, unit })))
      .filter(
        ({ unit: { text, quote, kind, running } }) =>
          kind !== 'row' &&
          !running &&
          quote.length <= MOST_QUOTE &&
          !VOICE.test(text) &&
          has(text, words) &&
          hasNegation(quote),
      )
      .slice(0, 1)
      .map(({ slide, unit }) => ({ slide, quote: unit.quote, topic })),
  );
}
