/**
 * Judges the topics of a review's profile by the labels: each labelled fact has at most one fact of the review, and the other way round.
 */
import type { AnalysisReport, ReportFact, ReportTopic } from '../decks/report.ts';
import { answeringOf } from '../decks/review/marks.ts';
import type { Answering } from '../evidence/answering.ts';
import { statementOfFact } from '../profile/statement.ts';
import type { ProfileTopic } from '../profile/topics.ts';
import { attributionOf, type Attribution, type PageSizes } from './attribution.ts';
import type { Outcome } from './judge.ts';
import { hasBox } from './label-values.ts';
import { matchOneToOne } from './one-to-one.ts';
import { pairOf, PAIR_OUTCOMES, type PairOutcome } from './same-fact.ts';
import {
  absentPlaces,
  isTyped,
  labelledFacts,
  labelledTopics,
  type FactLabel,
  type TopicsLabel,
} from './topic-labels.ts';

/**
 * Outcome of a fact. `right`, `partly`, `wrong`: as of a pair; a typed fact that no label has is wrong, too. `missed`: labelled and not
 * found. `unlabelled`: found, told in words, and in no label. `invented`: found, though the deck says nothing of the topic. `repeated`: says again
 * what another fact says. `plan`: marked as a plan, which labels leave out. The last two count for nothing.
 */
export const FACT_OUTCOMES = [...PAIR_OUTCOMES, 'missed', 'unlabelled', 'invented', 'repeated', 'plan'] as const;
export type FactOutcome = (typeof FACT_OUTCOMES)[number];

/** A labelled fact, a found one, or both as a pair. */
export interface JudgedFact {
  readonly outcome: FactOutcome;
  /** As people write it; null = no label, or not found. */
  readonly wanted: string | null;
  readonly found: string | null;
  /** How well its best quote answers; null where that was not judged, and for a fact that was not found. */
  readonly answering: Answering | null;
  /** Its label has a box. */
  readonly isLocated: boolean;
  /** Of a right fact whose label has places. */
  readonly attribution: Attribution | null;
}

/** One topic of one deck. */
export interface JudgedTopic {
  readonly topic: ProfileTopic;
  /** `not_graded`: everything that the review gives is told in words of no label. */
  readonly outcome: Outcome;
  /** Whether the deck says, by its label, that there is none; and whether the review says that the deck does. */
  readonly absent: { readonly wanted: boolean; readonly found: boolean };
  readonly facts: readonly JudgedFact[];
}

/** Topics of which the deck lists everything: one fact missed is a list that is not whole. */
const LISTS: readonly ProfileTopic[] = ['use_of_funds', 'team', 'competition'];

/**
 * Judges every labelled topic.
 *
 * @param report null for a deck that could not be read: nothing is found in it
 * @returns null where the review was not asked for a profile, so that nothing can be judged
 */
export function judgeTopics(
  topics: TopicsLabel,
  report: Pick<AnalysisReport, 'profile' | 'slides'> | null,
): JudgedTopic[] | null {
  if (report?.profile.status === 'not_asked') return null;
  const sizeOf = pageSizesOf(report);
  return labelledTopics(topics).map((topic) => {
    const found = report?.profile.topics.find((each) => each.topic === topic);
    return judgeTopic(topics, topic, found, sizeOf);
  });
}

/** Sizes of the pages of a review. */
export function pageSizesOf(report: Pick<AnalysisReport, 'slides'> | null): PageSizes {
  const pages = new Map((report?.slides ?? []).map(({ number, page }) => [number, page]));
  return (slide) => pages.get(slide) ?? null;
}

function judgeTopic(
  topics: TopicsLabel,
  topic: ProfileTopic,
  found: Pick<ReportTopic, 'facts' | 'status'> | undefined,
  sizeOf: PageSizes,
): JudgedTopic {
  const labels = labelledFacts(topics, topic);
  const facts = judgeFacts(topic, labels, found?.facts ?? [], sizeOf);
  const absent = { wanted: absentPlaces(topics, topic) !== null, found: found?.status === 'stated_absent' };
  return { topic, outcome: outcomeOfTopic(topic, labels, facts, absent), absent, facts };
}

/** Judges the facts of one topic. A labelled plan that the review does not give is left out: no review has to list plans. */
export function judgeFacts(
  topic: ProfileTopic,
  labels: readonly FactLabel[],
  found: readonly ReportFact[],
  sizeOf: PageSizes,
): JudgedFact[] {
  const pairs = pairFacts(topic, labels, found);
  const isStated = labels.some(({ plan }) => plan !== true);
  const judged = found.map((fact, i): JudgedFact => {
    const pair = pairs.get(i);
    const label = pair === undefined ? undefined : labels[pair.wanted];
    const outcome = pair?.outcome ?? outcomeWithoutPair(topic, labels, fact, isStated);
    return {
      outcome,
      wanted: label === undefined ? null : wordsOfLabel(topic, label),
      found: statementOfFact(topic, fact),
      answering: answeringOf(fact.evidence),
      isLocated: hasBox(label?.places ?? []),
      attribution:
        outcome === 'right' && label?.places !== undefined && label.places.length > 0
          ? attributionOf(fact.evidence, label.places, sizeOf)
          : null,
    };
  });
  const paired = new Set([...pairs.values()].map(({ wanted }) => wanted));
  const missed = labels.filter(({ plan }, i) => !paired.has(i) && plan !== true);
  return [
    ...judged,
    ...missed.map((label): JudgedFact => ({
      outcome: 'missed',
      wanted: wordsOfLabel(topic, label),
      found: null,
      answering: null,
      isLocated: hasBox(label.places ?? []),
      attribution: null,
    })),
  ];
}

/** Pairs by the index of the found fact: as many right ones as possible, then partly right ones, then wrong ones. */
function pairFacts(
  topic: ProfileTopic,
  labels: readonly FactLabel[],
  found: readonly ReportFact[],
): ReadonlyMap<number, { readonly wanted: number; readonly outcome: PairOutcome }> {
  const possible = found.flatMap((fact, i) =>
    labels.flatMap((label, wanted) => {
      const pair = pairOf(topic, label, fact);
      return pair === null ? [] : [{ ...pair, wanted, found: i }];
    }),
  );
  const pairs = new Map<number, { readonly wanted: number; readonly outcome: PairOutcome }>();
  for (const outcome of PAIR_OUTCOMES) {
    const taken = new Set([...pairs.values()].map(({ wanted }) => wanted));
    const free = possible.filter(
      (each) => each.outcome === outcome && !pairs.has(each.found) && !taken.has(each.wanted),
    );
    for (const [i, wanted] of matchOneToOne(free)) pairs.set(i, { wanted, outcome });
  }
  return pairs;
}

function outcomeWithoutPair(
  topic: ProfileTopic,
  labels: readonly FactLabel[],
  fact: ReportFact,
  isStated: boolean,
): FactOutcome {
  // Its label has another fact already: said twice.
  if (labels.some((label) => isRepeated(pairOf(topic, label, fact)?.outcome))) return 'repeated';
  if (fact.isPlan) return 'plan';
  if (!isStated) return 'invented';
  return isTyped(topic) ? 'wrong' : 'unlabelled';
}

const isRepeated = (outcome: PairOutcome | undefined): boolean => outcome === 'right' || outcome === 'partly';

function outcomeOfTopic(
  topic: ProfileTopic,
  labels: readonly FactLabel[],
  facts: readonly JudgedFact[],
  absent: JudgedTopic['absent'],
): JudgedTopic['outcome'] {
  const has = (...outcomes: readonly FactOutcome[]): boolean => facts.some(({ outcome }) => outcomes.includes(outcome));
  if (!labels.some(({ plan }) => plan !== true)) {
    if (has('wrong', 'invented')) return 'invented';
    return absent.found && !absent.wanted ? 'invented' : 'rightly_none';
  }
  if (absent.found) return 'wrong';
  if (!has('right', 'partly')) {
    if (has('wrong')) return 'wrong';
    return has('unlabelled') ? 'not_graded' : 'missed';
  }
  const isWhole = !LISTS.includes(topic) || !has('missed');
  return has('right') && !has('wrong') && isWhole && isMainRight(topic, labels, facts) ? 'right' : 'partly';
}

/** Of the ask, the first labelled fact is the money sought: terms alone are half of it. */
function isMainRight(topic: ProfileTopic, [main]: readonly FactLabel[], facts: readonly JudgedFact[]): boolean {
  if (topic !== 'ask' || main === undefined) return true;
  return facts.some(({ outcome, wanted }) => outcome === 'right' && wanted === wordsOfLabel(topic, main));
}

/** A labelled fact as people write it. */
function wordsOfLabel(
  topic: ProfileTopic,
  { name = '', text = '', role = '', share, amount, currency }: FactLabel,
): string {
  switch (topic) {
    case 'offering':
    case 'customers':
    case 'ask':
    case 'traction':
    case 'stage':
      return text;
    case 'competition':
      return name;
    case 'team':
      return role === '' ? name : `${name} (${role})`;
    case 'market':
      return text === '' || text.includes(name) ? text || name : `${name}: ${text}`;
    case 'use_of_funds': {
      const values = [
        typeof share === 'number' ? `${share} %` : '',
        typeof amount === 'number' ? `${amount.toLocaleString('en-US')} ${currency ?? ''}`.trim() : '',
      ];
      return [name, ...values].filter((part) => part !== '').join(' ');
    }
  }
}
