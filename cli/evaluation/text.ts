/** An evaluation, a list of them and a comparison as a terminal shows them. */
import type { EvaluationComparison } from '../../domain/evaluation/compare.ts';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import { counted } from '../../domain/text/words.ts';
import type { EvaluationRun } from '../../platform/evaluation-files.ts';
import { clean, minute, painter, type TerminalStyle } from '../terminal/style.ts';
import { tableLines } from '../terminal/table.ts';
import {
  attributionLines,
  CALIBRATION_HEAD,
  calibrationCells,
  changedNames,
  changedTopicTitle,
  COMPARED_TOPIC_HEAD,
  comparedTopicRows,
  FACT_HEAD,
  factRows,
  otherFacts,
  shareCell,
  TOPIC_HEAD,
  topicCells,
  topicFaults,
  unanswerableWords,
} from './topic-words.ts';
import {
  agreementWords,
  changedTitle,
  COMPARED_HEAD,
  comparedRows,
  countWords,
  FIELD_FIGURES,
  FIELD_HEAD,
  faultsOf,
  fieldCells,
  figure,
  fraction,
  gradingWords,
  interval,
  makingName,
  noticesOf,
  OUTCOME_NAMES,
  questionCells,
  quoteWords,
  USAGE_HEAD,
  usageCells,
} from './words.ts';

const INDENT = '  ';
const QUESTIONS_SHOWN = 10;
const DECKS_SHOWN = 10;

/** A run. */
export function renderEvaluation(evaluation: Evaluation, style: TerminalStyle): string {
  const { bold, dim, as } = painter(style);
  const { run, figures, decks, making } = evaluation;
  const { questions, quotes } = figures;
  const graded = gradingWords(questions);
  const faulty = decks
    .map((deck) => [deck.file, [...faultsOf(deck), ...topicFaults(deck.topics)]] as const)
    .filter(([, faults]) => faults.length > 0);
  const code =
    making.code === null
      ? 'the code of another machine'
      : `code ${making.code.commit ?? making.code.hash.slice(0, 12)}`;
  return [
    bold(`Evaluation ${run.id}`),
    dim(`${clean(run.folder)} · ${making.engines.map(clean).join(', ') || run.models} · ${code}`),
    countWords(figures),
    ...noticesOf(evaluation).map((notice) => as('yellow', clean(notice))),
    ...(figures.fields.length === 0
      ? []
      : ['', ...tableLines(figures.fields.map(fieldCells), { head: FIELD_HEAD, right: FIELD_FIGURES, style })]),
    ...(questions.answered.of + questions.rightlyNone.of === 0
      ? []
      : [
          '',
          `Questions that the deck answers: ${fraction(questions.answered)} answered, ${interval(questions.answered)}; that it does not answer: ${fraction(questions.rightlyNone)} without an answer, ${interval(questions.rightlyNone)}`,
        ]),
    ...(questions.sameCoverage.of === 0
      ? []
      : [`Covered (yes, partly, no) as labelled: ${shareCell(questions.sameCoverage)}`]),
    ...(graded === null ? [] : [`Scores beside their labels: ${graded}`]),
    ...topicLines(figures, style),
    '',
    `Quotes of answers: ${quoteWords(quotes.answers)}`,
    `Quotes of values and readings: ${quoteWords(quotes.values)}`,
    '',
    ...tableLines([usageCells(figures.usage)], { head: USAGE_HEAD, right: USAGE_HEAD.map((_, i) => i), style }),
    ...(faulty.length === 0 ? [] : ['', bold('Decks that are not fully right')]),
    ...faulty.flatMap(([file, faults]) => [
      `${INDENT}${clean(file)}`,
      ...faults.map((fault) => `${INDENT}${INDENT}${clean(fault)}`),
    ]),
  ].join('\n');
}

/** Topics, attribution, unanswerable ones and calibration, as far as there are labels for them. */
function topicLines(figures: Evaluation['figures'], style: TerminalStyle): string[] {
  const { topics, calibration } = figures;
  const unanswerable = unanswerableWords(figures);
  const afterBlank = (lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', ...lines]);
  const table = (rows: readonly string[][], head: string[]): string[] =>
    rows.length === 0 ? [] : ['', ...tableLines(rows, { head, right: head.map((_, i) => i).slice(1), style })];
  return [
    ...table(topics.map(topicCells), TOPIC_HEAD),
    ...(topics.length === 0 ? [] : table(factRows(figures), FACT_HEAD)),
    ...afterBlank([
      ...attributionLines(figures).map(([name, words]) => `${name}: ${words}`),
      ...(unanswerable === null ? [] : [`Given though the deck does not say it: ${unanswerable}`]),
    ]),
    ...table(calibration.map(calibrationCells), CALIBRATION_HEAD),
  ];
}

/** Runs, newest first. */
export function renderRunList(runs: readonly EvaluationRun[], style: TerminalStyle): string {
  if (runs.length === 0) return 'There are no evaluations yet. Make one with: deckhand evaluate DIR';
  const summary = ({ shares, invented }: EvaluationRun): string => {
    const judged = shares.filter(({ of }) => of > 0);
    const topics = judged.filter(({ field }) => field.startsWith('topic_'));
    const sum = (key: 'right' | 'of'): number => topics.reduce((total, each) => total + each[key], 0);
    const parts = judged
      .filter((share) => !topics.includes(share))
      .map(({ field, right, of }) => `${field.replaceAll('_', ' ')} ${right}/${of}`);
    const all = [...parts, ...(topics.length === 0 ? [] : [`topics ${sum('right')}/${sum('of')}`])];
    return [...(all.length === 0 ? [] : [all.join(', ')]), `${invented} invented`].join('; ');
  };
  const rows = runs.map((run) => [
    run.id,
    minute(run.createdAt),
    run.code?.commit ?? run.code?.hash.slice(0, 10) ?? '–',
    String(run.decks.length),
    run.finishedAt === null ? `interrupted at ${run.decks.filter(({ done }) => done).length}` : summary(run),
    clean(run.folder),
  ]);
  return tableLines(rows, { head: ['RUN', 'BEGUN (UTC)', 'CODE', 'DECKS', 'RIGHT', 'FOLDER'], right: [3], style }).join(
    '\n',
  );
}

/** Two runs beside each other. */
export function renderEvaluationComparison(comparison: EvaluationComparison, style: TerminalStyle): string {
  const { bold, dim, as } = painter(style);
  const { a, b, making, fields, topics, questions, allQuestions: all, decks, sameDecks, onlyInA, onlyInB } = comparison;
  const disagreeing = questions.filter(({ scored, same }) => same < scored).slice(0, QUESTIONS_SHOWN);
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', bold(title), ...lines];
  const value = (of: { readonly found: string | null; readonly outcome: keyof typeof OUTCOME_NAMES | null }): string =>
    `${of.found === null ? 'none' : clean(of.found)}${of.outcome === null ? '' : ` (${OUTCOME_NAMES[of.outcome]})`}`;
  return [
    bold('Comparison of two evaluations'),
    `A  ${a.run.id}  ${dim(clean(a.run.folder))}`,
    `B  ${b.run.id}  ${dim(clean(b.run.folder))}`,
    '',
    ...tableLines(comparedRows(comparison), {
      head: COMPARED_HEAD,
      right: COMPARED_HEAD.map((_, i) => i).slice(1),
      style,
    }),
    ...comparedTopicLines(comparison, style),
    '',
    `Quotes of answers  A: ${quoteWords(a.figures.quotes.answers)}`,
    `                   B: ${quoteWords(b.figures.quotes.answers)}`,
    '',
    ...tableLines(
      [
        ['A', ...usageCells(a.figures.usage)],
        ['B', ...usageCells(b.figures.usage)],
      ],
      { head: ['', ...USAGE_HEAD], right: USAGE_HEAD.map((_, i) => i + 1), style },
    ),
    ...section(
      'What differs in how they were made',
      making.map(
        (change) => `${INDENT}${makingName(change)}: ${clean(change.a ?? 'none')} → ${clean(change.b ?? 'none')}`,
      ),
    ),
    ...(making.length === 0 ? ['', 'Both were made in the same way.'] : []),
    ...fields.flatMap(({ field, changed }) =>
      section(
        changedTitle(field, changed),
        changed.map(
          (deck) =>
            `${INDENT}${clean(deck.file)}: ${value(deck.a)} → ${value(deck.b)}${deck.wanted === null ? '' : dim(`, wanted ${clean(deck.wanted)}`)}`,
        ),
      ),
    ),
    ...topics.flatMap((topic) =>
      section(
        changedTopicTitle(topic),
        topic.changed.map(
          (deck) => `${INDENT}${clean(deck.file)}: ${topicSide(deck.a, deck.b)} → ${topicSide(deck.b, deck.a)}`,
        ),
      ),
    ),
    '',
    `Scores: ${agreementWords(all)}`,
    ...(disagreeing.length === 0
      ? []
      : section(
          'Questions with the least agreement',
          tableLines(disagreeing.map(questionCells), {
            head: ['', 'decks', 'same', 'distance', 'change', 'kappa'],
            right: [1, 2, 3, 4, 5],
            indent: INDENT,
            style,
          }),
        )),
    ...section(
      'Decks that differ most',
      decks
        .slice(0, DECKS_SHOWN)
        .map(
          (deck) =>
            `${INDENT}${clean(deck.file)}: mean distance ${figure(deck.meanDistance)}, ${counted(deck.changedScores.length, 'other score')}${changedNames(deck).length === 0 ? '' : `; ${changedNames(deck).join(', ')}`}`,
        ),
    ),
    '',
    `${counted(sameDecks, 'deck')} without a difference.${decks.length > DECKS_SHOWN ? ` ${decks.length - DECKS_SHOWN} more differ (--json has all).` : ''}`,
    ...(onlyInA.length === 0 ? [] : [as('yellow', `Only in A: ${onlyInA.map(clean).join(', ')}`)]),
    ...(onlyInB.length === 0 ? [] : [as('yellow', `Only in B: ${onlyInB.map(clean).join(', ')}`)]),
  ].join('\n');
}

function comparedTopicLines(comparison: EvaluationComparison, style: TerminalStyle): string[] {
  const rows = comparedTopicRows(comparison);
  const head = COMPARED_TOPIC_HEAD;
  return rows.length === 0 ? [] : ['', ...tableLines(rows, { head, right: head.map((_, i) => i).slice(1), style })];
}

type TopicSide = EvaluationComparison['topics'][number]['changed'][number]['a'];

const topicSide = (side: TopicSide, other: TopicSide): string =>
  `${clean(otherFacts(side, other))}${side.outcome === null ? '' : ` (${OUTCOME_NAMES[side.outcome]})`}`;
