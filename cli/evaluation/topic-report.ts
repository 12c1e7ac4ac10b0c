/** Topics, attribution and calibration of an evaluation, and of two beside each other, as parts of its page. */
import { type Block, type Section, section, type Span, tableOf, type Tone } from '../../api/document/blocks.ts';
import type { ComparedTopicSide, EvaluationComparison } from '../../domain/evaluation/compare.ts';
import type { DeckEvaluation } from '../../domain/evaluation/deck-evaluation.ts';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import type { FactOutcome, JudgedFact } from '../../domain/evaluation/judge-topics.ts';
import { factsOf, outcomeMark, valueSpan } from './marks.ts';
import {
  attributionLines,
  CALIBRATION_HEAD,
  calibrationCells,
  changedTopicTitle,
  COMPARED_TOPIC_HEAD,
  comparedTopicRows,
  FACT_HEAD,
  FACT_OUTCOME_NAMES,
  factRows,
  isFault,
  otherFacts,
  TOPIC_HEAD,
  TOPIC_NAMES,
  topicCells,
  unanswerableWords,
} from './topic-words.ts';

const TONES: Readonly<Record<FactOutcome, Tone>> = {
  right: 'good',
  partly: 'medium',
  missed: 'medium',
  unlabelled: 'medium',
  repeated: 'medium',
  plan: 'medium',
  wrong: 'weak',
  invented: 'weak',
};

/** Sections of one evaluation; none without labels for them. */
export function topicSections({ figures, decks }: Evaluation): Section[] {
  const { topics, calibration } = figures;
  const faults = decks.flatMap((deck) => factRowsOf(deck, isFault).map((row) => [deck.file, ...row]));
  return [
    ...section('topics', 'Topics', tableOf(TOPIC_HEAD, topics.map(topicCells), 1)),
    ...section('facts', 'Facts of topics', topics.length === 0 ? [] : tableOf(FACT_HEAD, factRows(figures), 1)),
    ...section(
      'attribution',
      'Cited places, and what decks do not say',
      factsOf(...attributionLines(figures), ['Given though the deck does not say it', unanswerableWords(figures)]),
    ),
    ...section('topic-faults', 'Facts that are not right', tableOf(['deck', ...FACT_COLUMNS], faults, 5)),
    ...section(
      'calibration',
      'Right values by the level of their answering mark',
      tableOf(CALIBRATION_HEAD, calibration.map(calibrationCells), 1),
    ),
  ];
}

const FACT_COLUMNS = ['topic', '', 'found', 'label'];

/** The judged facts of a deck. */
export const factBlocks = (deck: DeckEvaluation): Block[] =>
  tableOf(
    [...FACT_COLUMNS, 'cited place'],
    factRowsOf(deck, () => true, true),
    5,
  );

function factRowsOf({ topics }: DeckEvaluation, isShown: (fact: JudgedFact) => boolean, withPlace = false): Span[][] {
  return topics.flatMap(({ topic, outcome, facts }) => {
    const shown = facts.filter(isShown);
    const of = (fact: JudgedFact): Span[] => [
      TOPIC_NAMES[topic],
      { mark: FACT_OUTCOME_NAMES[fact.outcome], tone: TONES[fact.outcome] },
      valueSpan(fact.found),
      valueSpan(fact.wanted),
      ...(withPlace ? [placeWords(fact)] : []),
    ];
    if (facts.length > 0 || !withPlace) return shown.map(of);
    return [[TOPIC_NAMES[topic], outcomeMark(outcome), valueSpan(null), valueSpan(null), '']];
  });
}

function placeWords({ attribution }: JudgedFact): string {
  if (attribution === null) return '';
  if (attribution.box === true) return 'right box';
  return attribution.page ? 'right page' : 'another page';
}

/** Sections of two evaluations beside each other. */
export function comparedTopicSections(comparison: EvaluationComparison): Section[] {
  return [
    ...section('topics', 'Topics', tableOf(COMPARED_TOPIC_HEAD, comparedTopicRows(comparison), 1)),
    ...comparison.topics.flatMap((topic) => {
      const rows = topic.changed.map(({ file, a, b }) => [file, ...sideCells(a, b), ...sideCells(b, a)]);
      return section(
        `topic-${topic.topic}`,
        changedTopicTitle(topic),
        tableOf(['deck', 'A says', '', 'B says', ''], rows, 5),
      );
    }),
  ];
}

const sideCells = (side: ComparedTopicSide, other: ComparedTopicSide): Span[] => [
  otherFacts(side, other),
  side.outcome === null ? '' : outcomeMark(side.outcome),
];
