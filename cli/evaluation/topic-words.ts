/** Figures of topics, attribution and calibration as people read them. */
import type { EvaluationComparison, ComparedTopicSide } from '../../domain/evaluation/compare.ts';
import { LEVELS, type CalibrationFigures } from '../../domain/evaluation/calibration.ts';
import type { Figures } from '../../domain/evaluation/figures.ts';
import type { FactOutcome, JudgedFact, JudgedTopic } from '../../domain/evaluation/judge-topics.ts';
import type { Share } from '../../domain/evaluation/statistics.ts';
import type { AttributionFigures, FactFigures, TopicFigures } from '../../domain/evaluation/topic-figures.ts';
import type { ProfileTopic } from '../../domain/profile/topics.ts';
import { counted } from '../../domain/text/words.ts';
import { FIELD_NAMES, fraction, interval, OUTCOME_NAMES } from './words.ts';

export const TOPIC_NAMES: Readonly<Record<ProfileTopic, string>> = {
  offering: 'what they do',
  customers: 'for whom',
  ask: 'ask and terms',
  use_of_funds: 'use of funds',
  traction: 'traction',
  team: 'team',
  market: 'market size',
  competition: 'competition',
  stage: 'stage',
};

export const FACT_OUTCOME_NAMES: Readonly<Record<FactOutcome, string>> = {
  right: 'right',
  partly: 'partly right',
  wrong: 'wrong',
  missed: 'missed',
  unlabelled: 'in no label',
  invented: 'invented',
  repeated: 'repeated',
  plan: 'a plan',
};

/** `3/4 75 % (30–95 %)`; – where nothing was counted. */
export const shareCell = (share: Share): string => `${fraction(share)} ${interval(share)}`.trim();

/** Columns of topics over decks. */
export const TOPIC_HEAD = [
  'topic',
  'right (95 %)',
  'right or partly',
  'wrong',
  'missed',
  'not graded',
  'rightly none',
  'invented',
];

/** Cells under `TOPIC_HEAD`. */
export const topicCells = ({ topic, counts, right, rightOrPartly, rightlyNone }: TopicFigures): string[] => [
  TOPIC_NAMES[topic],
  shareCell(right),
  fraction(rightOrPartly),
  String(counts.wrong ?? 0),
  String(counts.missed ?? 0),
  String(counts.not_graded ?? 0),
  fraction(rightlyNone),
  String(counts.invented ?? 0),
];

/** Columns of the facts of topics. */
export const FACT_HEAD = [
  'facts',
  'labelled ones found (95 %)',
  'given ones right (95 %)',
  'partly',
  'wrong',
  'in no label',
  'invented',
  'right page',
  'right box',
];

/** Rows under `FACT_HEAD`: each topic, and all of them. */
export const factRows = ({ topics, facts }: Figures): string[][] => [
  ...topics.map((each) => factCells(TOPIC_NAMES[each.topic], each.facts)),
  factCells('all topics', facts),
];

const factCells = (name: string, { counts, found, right, attribution }: FactFigures): string[] => [
  name,
  shareCell(found),
  shareCell(right),
  String(counts.partly ?? 0),
  String(counts.wrong ?? 0),
  String(counts.unlabelled ?? 0),
  String(counts.invented ?? 0),
  fraction(attribution.page),
  fraction(attribution.box),
];

/** `12/14 on the right page, 86 % (60–96 %); 9/14 in the right box, …`; null where nothing was right. */
export const attributionWords = ({ page, box }: AttributionFigures): string | null =>
  page.of === 0
    ? null
    : `${fraction(page)} on the right page, ${interval(page)}${box.of === 0 ? '' : `; ${fraction(box)} in the right box, ${interval(box)}`}`;

/** Lines of attribution: name and words. */
export function attributionLines({ facts, questions }: Figures): [name: string, words: string][] {
  const attributed = (share: Share): string =>
    `; right and in the right box, of all that are labelled with one: ${shareCell(share)}`;
  const [ofFacts, ofAnswers] = [attributionWords(facts.attribution), attributionWords(questions.attribution)];
  return [
    ...(ofFacts === null
      ? []
      : [['Right facts of topics', `${ofFacts}${attributed(facts.attributed)}`] as [string, string]]),
    ...(ofAnswers === null
      ? []
      : [['Right answers', `${ofAnswers}${attributed(questions.attributed)}`] as [string, string]]),
  ];
}

/** Values that reviews give though the deck does not say them; null where no label says so of anything. */
export function unanswerableWords({ unanswerable: { typed, questions } }: Figures): string | null {
  const parts = [
    ...(typed.of === 0 ? [] : [`typed values ${fraction(typed)} (to be 0)`]),
    ...(questions.of === 0 ? [] : [`questions ${fraction(questions)}, ${interval(questions)}`]),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

/** Columns of the calibration. */
export const CALIBRATION_HEAD = ['right, by level of the mark', ...LEVELS.map((level) => level.replace('_', ' '))];

/** Cells under `CALIBRATION_HEAD`. */
export const calibrationCells = ({ kind, levels }: CalibrationFigures): string[] => [
  kind.replaceAll('_', ' '),
  ...LEVELS.map((level) => {
    const figures = levels.find((each) => each.level === level);
    return figures === undefined ? '–' : shareCell(figures.right);
  }),
];

const FACTS_NAMED = 4;

/** `team partly right: missed: Ada Example (CEO)`, a sentence for each topic of a deck that is not right. */
export const topicFaults = (topics: readonly JudgedTopic[]): string[] =>
  topics
    .filter(({ outcome }) => outcome !== 'right' && outcome !== 'rightly_none')
    .map(({ topic, outcome, facts, absent }) => {
      const faults = facts.filter(isFault).map((fact) => factFault(fact, outcome));
      const more = faults.length > FACTS_NAMED ? [`and ${faults.length - FACTS_NAMED} more`] : [];
      const said = absent.found ? ['stated as absent'] : [];
      return `${TOPIC_NAMES[topic]} ${OUTCOME_NAMES[outcome]}: ${[...said, ...faults.slice(0, FACTS_NAMED), ...more].join('; ')}`;
    });

/** Whether a fact is not as labels say. */
export const isFault = ({ outcome }: JudgedFact): boolean =>
  outcome !== 'right' && outcome !== 'repeated' && outcome !== 'plan';

function factFault({ outcome, wanted, found }: JudgedFact, ofTopic: JudgedTopic['outcome']): string {
  // `missed: Ada, Ben` needs no other word for each.
  const name = outcome === ofTopic ? '' : `${FACT_OUTCOME_NAMES[outcome]} `;
  if (wanted === null || found === null) return `${name}${found ?? wanted ?? ''}`;
  return `${name}${found} instead of ${wanted}`;
}

/** Columns of the topics of two runs. */
export const COMPARED_TOPIC_HEAD = [
  'topic',
  'A right (95 %)',
  'B right (95 %)',
  'A invented',
  'B invented',
  'A facts found',
  'B facts found',
  'A facts right',
  'B facts right',
];

/** A row under `COMPARED_TOPIC_HEAD` for each topic that one of them judged. */
export function comparedTopicRows({ a, b }: EvaluationComparison): string[][] {
  const topics = [...new Set([...a.figures.topics, ...b.figures.topics].map(({ topic }) => topic))];
  return topics.map((topic) => {
    const of = [a, b].map(({ figures }) => figures.topics.find((each) => each.topic === topic));
    return [
      TOPIC_NAMES[topic],
      ...of.map((each) => (each === undefined ? '–' : shareCell(each.right))),
      ...of.map((each) => String(each?.counts.invented ?? 0)),
      ...of.map((each) => (each === undefined ? '–' : fraction(each.facts.found))),
      ...of.map((each) => (each === undefined ? '–' : fraction(each.facts.right))),
    ];
  });
}

/** `team: 2 decks with other facts`. */
export const changedTopicTitle = ({ topic, changed }: EvaluationComparison['topics'][number]): string =>
  `${TOPIC_NAMES[topic]}: ${counted(changed.length, 'deck')} with other facts`;

/** Words of one side that the other lacks; `none` where it has no others. */
export function otherFacts(side: ComparedTopicSide, other: ComparedTopicSide): string {
  const own = side.found.filter((fact) => !other.found.includes(fact));
  if (own.length > 0) return own.join(' · ');
  return side.found.length === 0 ? 'none' : 'nothing else';
}

/** Values and topics of a deck in which the two differ. */
export const changedNames = ({ changedFields, changedTopics }: EvaluationComparison['decks'][number]): string[] => [
  ...changedFields.map((field) => FIELD_NAMES[field]),
  ...changedTopics.map((topic) => TOPIC_NAMES[topic]),
];
