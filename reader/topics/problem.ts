/** Cues of the questions on the problem. */
import { anyFigure, MONEY, PERCENT, topic, under, WHO, type Topic } from '../topic.ts';
import { anyOf } from '../words.ts';
import { TROUBLE, NOT_TROUBLE } from './shared.ts';

const CAUSE = anyOf(
  'because|caused? by|causes|reasons?|due to|structural(?:ly)?|root cause|results? (?:from|in)|driven by|fragmented|siloed|incentives?|paid to|as a result|therefore|leads? to|that.s why|stems? from|no one owns|remains?|since',
  'weil|ursachen?|gründe|liegt (?:an|daran)|aufgrund|wegen|strukturell\\p{L}*|entsteht|entstehen|zersplittert|fragmentiert|fehlanreize?|daher|deshalb|denn|führt zu|bleibt|dadurch|bedingt durch',
);
const NUMBERED_TROUBLE = anyOf(
  `${PERCENT} (?:of|der|aller)|\\d[\\d.,]*\\s?(?:m|k|million|billion|bn|mio\\.?|millionen)?\\+? (?:people|patients|cases|adults|women|deaths|hospitals|companies|students|caregivers|households|hours|days|minutes|menschen|patient\\p{L}*|fälle|betroffene|unternehmen|stunden|tage|minuten)`,
  '(?:one|\\d) (?:in|out of|of) (?:\\d+|two|three|four|five|ten)|jede[rs]? (?:zweite|dritte|vierte|fünfte|zehnte)',
  `${MONEY} (?:\\p{L}+ ){0,4}(?:lost|wasted|per (?:year|case|patient)|a year|annually|each year|pro jahr|jährlich|verlust\\p{L}*|schaden)`,
  `(?:costs?|kosten|kostet) (?:\\p{L}+ ){0,6}${MONEY}|prevalence|incidence|prävalenz|inzidenz`,
);

export const PROBLEM_TOPICS: Readonly<Record<string, Topic>> = {
  target_problem: topic({
    at: { problem: 'any', persona: TROUBLE },
    says: TROUBLE,
    with: WHO,
    reach: 'unlabelled',
    not: NOT_TROUBLE,
  }),
  problem_nature: topic({
    at: under('sentence', 'problem'),
    says: CAUSE,
    with: TROUBLE,
    reach: 'unlabelled',
    not: NOT_TROUBLE,
  }),
  pain_points: topic({
    at: { problem: 'any', persona: TROUBLE },
    says: TROUBLE,
    with: WHO,
    reach: 'unlabelled',
    not: NOT_TROUBLE,
  }),
  problem_quantification: topic({
    at: under('figure', 'problem'),
    says: NUMBERED_TROUBLE,
    with: TROUBLE,
    reach: 'unlabelled',
    not: NOT_TROUBLE,
    figure: anyFigure,
    figureOnly: true,
  }),
};
