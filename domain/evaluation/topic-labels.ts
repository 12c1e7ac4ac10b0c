/**
 * Labels of the topics of a deck's profile: for each topic the facts that the deck states, with their places. `docs/label-format.md` says
 * which facts belong to which topic.
 */
import { z } from 'zod';
import { PROFILE_TOPICS, type ProfileTopic } from '../profile/topics.ts';
import { labelAmount, labelCurrency, labelText, placesSchema, type LabelPlace } from './label-values.ts';

const places = placesSchema.optional();
/** Other wordings of the text or the name that are right. */
const also = z.array(labelText).optional();
const amount = labelAmount.nullable().optional();
const currency = labelCurrency.optional();

const statedFact = z.object({ text: labelText, also, places });

/** A fact of each topic. */
export const TOPIC_FACTS = {
  offering: statedFact,
  customers: statedFact,
  ask: z.object({ text: labelText, amount, currency, also, places }),
  use_of_funds: z.object({
    name: labelText,
    share: z.number().min(0).max(100).nullable().optional(),
    amount,
    currency,
    also,
    places,
  }),
  traction: z.object({ text: labelText, plan: z.boolean().optional(), also, places }),
  team: z.object({ name: labelText, role: z.string().optional(), also, places }),
  market: z.object({ name: labelText, text: z.string().optional(), amount, currency, also, places }),
  competition: z.object({ name: labelText, also, places }),
  stage: statedFact,
} as const satisfies Record<ProfileTopic, z.ZodObject>;

/** Of a deck that says itself that there is none. */
export const absentSchema = z.object({ absent: placesSchema.min(1) });

const topicLabel = <T extends z.ZodType>(fact: T) =>
  z
    .union(
      [z.array(fact), absentSchema],
      'write a list of facts, [] where the deck says nothing, or { "absent": [PLACE] }',
    )
    .optional();

export const topicsLabelSchema = z.object({
  offering: topicLabel(TOPIC_FACTS.offering),
  customers: topicLabel(TOPIC_FACTS.customers),
  ask: topicLabel(TOPIC_FACTS.ask),
  use_of_funds: topicLabel(TOPIC_FACTS.use_of_funds),
  traction: topicLabel(TOPIC_FACTS.traction),
  team: topicLabel(TOPIC_FACTS.team),
  market: topicLabel(TOPIC_FACTS.market),
  competition: topicLabel(TOPIC_FACTS.competition),
  stage: topicLabel(TOPIC_FACTS.stage),
});
/** Labels by topic. A topic that is left out is not judged. */
export type TopicsLabel = z.infer<typeof topicsLabelSchema>;

/** A labelled fact of any topic; what its topic does not have is left out. */
export interface FactLabel {
  readonly text?: string | undefined;
  readonly name?: string | undefined;
  readonly role?: string | undefined;
  readonly amount?: number | null | undefined;
  readonly currency?: string | null | undefined;
  /** In percent. */
  readonly share?: number | null | undefined;
  readonly plan?: boolean | undefined;
  readonly also?: readonly string[] | undefined;
  readonly places?: readonly LabelPlace[] | undefined;
}

/** Whether facts of a topic are typed values, of which one too many is wrong; the others are told in words, and no list of them is whole. */
export const isTyped = (topic: ProfileTopic): boolean => TYPED_TOPICS.includes(topic);
const TYPED_TOPICS: readonly ProfileTopic[] = ['ask', 'use_of_funds', 'team', 'market', 'competition'];

/** Topics with a label, in the order of the topics. */
export const labelledTopics = (topics: TopicsLabel): ProfileTopic[] =>
  PROFILE_TOPICS.filter((topic) => topics[topic] !== undefined);

/** The labelled facts of a topic; none where the deck says nothing of it or that there is none. */
export function labelledFacts(topics: TopicsLabel, topic: ProfileTopic): readonly FactLabel[] {
  const label = topics[topic];
  return Array.isArray(label) ? label : [];
}

/** Where the deck says that there is none; null where it does not say so. */
export function absentPlaces(topics: TopicsLabel, topic: ProfileTopic): readonly LabelPlace[] | null {
  const label = topics[topic];
  return label === undefined || Array.isArray(label) ? null : label.absent;
}
