/** An evaluation, or two beside each other, as a document for people. */
import {
  type Block,
  type Document,
  type Group,
  groupsOf,
  type Line,
  notice,
  paragraph,
  type Section,
  section,
  type Span,
  tableOf,
} from '../../api/document/blocks.ts';
import type { ComparedValue, EvaluationComparison } from '../../domain/evaluation/compare.ts';
import type { DeckEvaluation } from '../../domain/evaluation/deck-evaluation.ts';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import type { Judgement, Outcome } from '../../domain/evaluation/judge.ts';
import { factsOf, outcomeMark, valueSpan } from './marks.ts';
import { comparedTopicSections, factBlocks, topicSections } from './topic-report.ts';
import { changedNames } from './topic-words.ts';
import {
  agreementWords,
  changedTitle,
  COMPARED_HEAD,
  comparedRows,
  countWords,
  FIELD_HEAD,
  FIELD_NAMES,
  fieldCells,
  figure,
  fraction,
  gradingWords,
  interval,
  makingName,
  noticesOf,
  questionCells,
  quoteWords,
  USAGE_HEAD,
  usageCells,
} from './words.ts';

/** The document. @param comparison of the two evaluations; null for one */
export function evaluationDocument(
  evaluations: readonly Evaluation[],
  comparison: EvaluationComparison | null,
): Document {
  const head = {
    figure: null,
    blocks: comparison === null ? evaluations.flatMap(opening) : comparedOpening(comparison),
  };
  if (comparison === null) {
    return {
      language: 'en',
      title: evaluations.map(titleOf).join(', '),
      head,
      sections: evaluations.flatMap(sectionsOf),
    };
  }
  const sides = evaluations.flatMap((each, side) => [
    ...section(`run-${side}`, titleOf(each), opening(each)),
    ...sectionsOf(each).map((one) => ({ ...one, id: `run-${side}-${one.id}`, title: `${one.title}, ${each.run.id}` })),
  ]);
  return {
    language: 'en',
    title: 'Comparison of two evaluations',
    head,
    sections: [...comparedSections(comparison), ...sides],
  };
}

const titleOf = ({ run }: Evaluation): string => `Evaluation ${run.id}`;

function opening(evaluation: Evaluation): Block[] {
  const { run, making, figures } = evaluation;
  return [
    paragraph(`${countWords(figures)}.`),
    ...noticesOf(evaluation).map((each) => notice(each)),
    ...factsOf(
      ['Folder', run.folder],
      ['Labels', run.labels],
      ['Begun', run.createdAt],
      ['Engine', making.engines.join(', ')],
      ['Templates', making.templates.join(', ')],
      ['Code', making.code === null ? null : `${making.code.commit ?? ''} ${making.code.hash.slice(0, 12)}`],
    ),
  ];
}

function sectionsOf(evaluation: Evaluation): Section[] {
  const { figures, decks, making } = evaluation;
  const { questions, quotes, usage } = figures;
  const deckRows = [
    ...decks.map((deck) => [deck.file, deck.status.replaceAll('_', ' '), ...usageCells(deck.usage)]),
    ['all', '', ...usageCells(usage)],
  ];
  const taskRows = making.tasks.map(({ task, models, promptVersions }) => [
    task,
    models.join(', '),
    promptVersions.join(', '),
  ]);
  return [
    ...section('values', 'Values', tableOf(FIELD_HEAD, figures.fields.map(fieldCells), 1)),
    ...section(
      'questions',
      'Questions and quotes',
      factsOf(
        ['The deck answers it', shareWords('answered', questions.answered)],
        ['The deck does not answer it', shareWords('without an answer', questions.rightlyNone)],
        ['Covered (yes, partly, no) as labelled', shareWords('the same', questions.sameCoverage)],
        ['Scores beside their labels', gradingWords(questions)],
        ['Quotes of answers', quoteWords(quotes.answers)],
        ['Quotes of values and readings', quoteWords(quotes.values)],
      ),
    ),
    ...topicSections(evaluation),
    ...section('decks', 'Decks', tableOf(['deck', 'status', ...USAGE_HEAD], deckRows, 2)),
    ...section(
      'faults',
      'Values that are not right',
      tableOf(['deck', 'value', '', 'found', 'label'], decks.flatMap(faultRows), 5),
    ),
    ...section('each', 'Deck by deck', groupsOf(decks.map(deckGroup), true)),
    ...section('making', 'Models and prompts', tableOf(['task', 'model', 'prompt'], taskRows, 3)),
  ];
}

const shareWords = (what: string, share: Parameters<typeof fraction>[0]): string | null =>
  share.of === 0 ? null : `${fraction(share)} ${what}, ${interval(share)}`;

/** Rows of the values of a deck that are not right. */
const faultRows = ({ file, fields }: DeckEvaluation): Span[][] =>
  fields.filter(({ outcome }) => !isRight(outcome)).map((each) => [file, ...judgementCells(each)]);

const isRight = (outcome: Outcome): boolean => outcome === 'right' || outcome === 'rightly_none';

const judgementCells = ({ field, outcome, found, wanted }: Judgement): Span[] => [
  FIELD_NAMES[field],
  outcomeMark(outcome),
  valueSpan(found),
  valueSpan(wanted),
];

/** Every field of a deck, and the questions in which it differs from its labels. */
function deckGroup(deck: DeckEvaluation): Group {
  const { file, fields, judgedQuestions, questions, failure, labelled, quotes } = deck;
  const differing = judgedQuestions.filter(
    ({ outcome, score, wantedAnswer }) =>
      outcome === 'missed' ||
      outcome === 'invented' ||
      wantedAnswer !== null ||
      (score.wanted !== null && score.wanted !== score.found),
  );
  const rows = differing.map(({ slug, outcome, score, wantedAnswer }) => [
    slug,
    outcome === null ? '' : outcomeMark(outcome),
    figure(score.found, 0),
    figure(score.wanted, 0),
    valueSpan(questions.find((each) => each.slug === slug)?.answer ?? null),
    wantedAnswer ?? '',
  ]);
  const right = fields.filter(({ outcome }) => isRight(outcome)).length;
  return {
    title: file,
    aside: [{ soft: labelled ? `${right} of ${fields.length} values right` : 'not labelled' }],
    bar: null,
    blocks: [
      ...(failure === null ? [] : [notice(`${failure.message} (${failure.code})`, true)]),
      ...tableOf(['value', '', 'found', 'label'], fields.map(judgementCells), 4),
      ...factBlocks(deck),
      ...tableOf(['question', '', 'score', 'labelled score', 'answer', 'labelled answer'], rows, 6),
      paragraph({
        soft: `Quotes of answers: ${quoteWords(quotes.answers)}. Of values and readings: ${quoteWords(quotes.values)}.`,
      }),
    ],
  };
}

function comparedOpening(comparison: EvaluationComparison): Block[] {
  const { a, b, making, allQuestions: all, sameDecks, onlyInA, onlyInB } = comparison;
  const only = (side: string, files: readonly string[]): Block[] =>
    files.length === 0 ? [] : [notice(`Only in ${side}: ${files.join(', ')}.`)];
  return [
    ...factsOf(
      ['A', a.run.id],
      ['B', b.run.id],
      ['Scores', agreementWords(all)],
      ['Decks without a difference', String(sameDecks)],
      ['Quotes of answers, A', quoteWords(a.figures.quotes.answers)],
      ['Quotes of answers, B', quoteWords(b.figures.quotes.answers)],
    ),
    ...only('A', onlyInA),
    ...only('B', onlyInB),
    ...(making.length === 0 ? [paragraph('Both were made in the same way.')] : []),
  ];
}

function comparedSections(comparison: EvaluationComparison): Section[] {
  const { a, b, making, fields, questions, decks } = comparison;
  const usage = [
    ['A', ...usageCells(a.figures.usage)],
    ['B', ...usageCells(b.figures.usage)],
  ];
  const makingRows = making.map((change) => [makingName(change), valueSpan(change.a), valueSpan(change.b)]);
  const deckRows = decks.map((deck) => [
    deck.file,
    figure(deck.meanDistance),
    changedNames(deck).join(', '),
    deck.changedScores.map((each) => `${each.slug} ${each.a ?? '–'} → ${each.b ?? '–'}`).join(', '),
  ]);
  return [
    ...section('values', 'Values', tableOf(COMPARED_HEAD, comparedRows(comparison), 1)),
    ...comparedTopicSections(comparison),
    ...section('usage', 'What the reviews took', tableOf(['', ...USAGE_HEAD], usage, 1)),
    ...section('making', 'What differs in how they were made', tableOf(['', 'A', 'B'], makingRows, 3)),
    ...fields.flatMap(({ field, changed }) => {
      const rows = changed.map((deck) => [deck.file, comparedLine(deck.a), comparedLine(deck.b), deck.wanted ?? '']);
      return section(`field-${field}`, changedTitle(field, changed), tableOf(['deck', 'A', 'B', 'label'], rows, 4));
    }),
    ...section(
      'agreement',
      'Agreement by question',
      tableOf(['question', 'decks', 'same', 'mean distance', 'mean change', 'kappa'], questions.map(questionCells), 1),
    ),
    ...section(
      'decks',
      'Decks that differ, most first',
      tableOf(['deck', 'mean distance of scores', 'other values', 'other scores (A → B)'], deckRows, 4),
    ),
  ];
}

const comparedLine = ({ found, outcome }: ComparedValue): Line => [
  valueSpan(found),
  ...(outcome === null ? [] : [' ', outcomeMark(outcome)]),
];
