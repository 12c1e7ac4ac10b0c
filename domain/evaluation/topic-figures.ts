/**
 * Figures of topics over all decks: which were found, which facts of them, and whether the right ones cite the right place.
 */
import { PROFILE_TOPICS, type ProfileTopic } from '../profile/topics.ts';
import type { Attribution } from './attribution.ts';
import type { FactOutcome, JudgedFact, JudgedTopic } from './judge-topics.ts';
import { countsOf, shareOf, type Share } from './statistics.ts';

/** How many right values cite the right place. */
export interface AttributionFigures {
  /** Of the right values whose labels have places: those with a quote on a labelled slide. */
  readonly page: Share;
  /** Of those whose labels have boxes: those with a quote in one of them. */
  readonly box: Share;
}

/** Facts of one topic, or of all, over all decks. */
export interface FactFigures {
  readonly counts: Readonly<Partial<Record<FactOutcome, number>>>;
  /** Of the labelled facts: those that the reviews give rightly (recall). */
  readonly found: Share;
  /** Of the facts that the reviews give: those that are right (precision). */
  readonly right: Share;
  readonly attribution: AttributionFigures;
  /** Of the facts that are labelled with a box: those that are right and cited in it (strict attributed accuracy). */
  readonly attributed: Share;
}

/** One topic over all decks. */
export interface TopicFigures {
  readonly topic: ProfileTopic;
  readonly counts: Readonly<Partial<Record<JudgedTopic['outcome'], number>>>;
  /** Of the decks that state it, also those that are not graded. */
  readonly right: Share;
  readonly rightOrPartly: Share;
  /** Of the decks that do not state it: those of which the review gives nothing. */
  readonly rightlyNone: Share;
  /** Of the decks that say that there is none: those of which the review says so. */
  readonly statedAbsent: Share;
  readonly facts: FactFigures;
}

/** Figures of each topic that was judged in a deck. */
export function topicFigures(judged: readonly JudgedTopic[]): TopicFigures[] {
  return PROFILE_TOPICS.flatMap((topic) => {
    const ofTopic = judged.filter((each) => each.topic === topic);
    return ofTopic.length === 0 ? [] : [figuresOfTopic(topic, ofTopic)];
  });
}

function figuresOfTopic(topic: ProfileTopic, judged: readonly JudgedTopic[]): TopicFigures {
  const counts = countsOf(judged.map(({ outcome }) => outcome));
  const { right = 0, partly = 0, rightly_none: none = 0, invented = 0 } = counts;
  const stated = judged.length - none - invented;
  const absent = judged.filter((each) => each.absent.wanted);
  return {
    topic,
    counts,
    right: shareOf(right, stated),
    rightOrPartly: shareOf(right + partly, stated),
    rightlyNone: shareOf(none, none + invented),
    statedAbsent: shareOf(absent.filter((each) => each.absent.found).length, absent.length),
    facts: factFigures(judged.flatMap(({ facts }) => facts)),
  };
}

/** Figures of facts. What repeats another fact and what is marked as a plan counts for nothing. */
export function factFigures(facts: readonly JudgedFact[]): FactFigures {
  const counted = facts.filter(({ outcome }) => outcome !== 'repeated' && outcome !== 'plan');
  const labelled = counted.filter(({ wanted }) => wanted !== null);
  const given = counted.filter(({ found }) => found !== null);
  const right = counted.filter(({ outcome }) => outcome === 'right').length;
  const attributions = counted.flatMap(({ attribution }) => (attribution === null ? [] : [attribution]));
  return {
    counts: countsOf(facts.map(({ outcome }) => outcome)),
    found: shareOf(right, labelled.length),
    right: shareOf(right, given.length),
    attribution: attributionFigures(attributions),
    attributed: shareOf(inBox(attributions), labelled.filter(({ isLocated }) => isLocated).length),
  };
}

/** Facts with a quote in a labelled box. */
export const inBox = (all: readonly Attribution[]): number => all.filter(({ box }) => box === true).length;

export const attributionFigures = (all: readonly Attribution[]): AttributionFigures => ({
  page: shareOf(all.filter(({ page }) => page).length, all.length),
  box: shareOf(inBox(all), all.filter(({ box }) => box !== null).length),
});
