/** The differences of two analyses as a document for people. */
import type { Change, ComparedItem, Comparison } from '../../../domain/decks/compare/comparison.ts';
import { compareLabelsOf, type CompareLabels } from '../../../domain/decks/compare/labels.ts';
import {
  answeringWords,
  changeName,
  itemName,
  reasonWords,
  replayWords,
  templateWords,
} from '../../../domain/decks/compare/names.ts';
import type { Part } from '../../../domain/decks/compare/parts.ts';
import {
  abridged,
  differingChoices,
  fieldWords,
  isProse,
  isSame,
  scoreLines,
  shownParts,
  shownReasons,
} from '../../../domain/decks/compare/reading.ts';
import { changedWords, type WordRun } from '../../../domain/decks/compare/words.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import {
  type Block,
  type Document,
  type Entry,
  entry,
  fact,
  type Line,
  listOf,
  notice,
  paragraph,
  section,
  type Span,
  tableOf,
} from '../../document/blocks.ts';
import { labelsOf, type Labels } from '../report/labels.ts';

interface Words {
  readonly language: Language;
  readonly own: CompareLabels;
  readonly labels: Labels;
}

export function comparisonDocument(comparison: Comparison): Document {
  const { a, b, gaps } = comparison;
  const language = a.language === b.language ? a.language : 'en';
  const words: Words = { language, own: compareLabelsOf(language), labels: labelsOf(language) };
  const { own } = words;
  const missing = (id: string, title: string, list: readonly { readonly message: string }[]) =>
    section(id, title, listOf(list.map(({ message }) => entry(message))));
  return {
    language,
    title: `${own.comparison}: ${b.company ?? a.company ?? b.deck.fileName}`,
    head: { figure: null, blocks: opening(comparison, words) },
    sections: [
      ...section('scores', own.scores, scores(comparison, words)),
      ...missing('opened', own.opened, gaps.opened),
      ...missing('closed', own.closed, gaps.closed),
      ...section('other-reason', own.otherReason, itemList('gaps', gaps.changed, words)),
      ...shownParts(comparison).flatMap(({ part, items }) =>
        section(part, own.parts[part], itemList(part, items, words)),
      ),
      ...section('why', own.why, reasons(comparison, words)),
    ],
  };
}

function opening(comparison: Comparison, { own, labels }: Words): Block[] {
  const runs = [
    [own.first, comparison.a],
    [own.second, comparison.b],
  ] as const;
  const facts = runs.flatMap(([side, run]) => {
    const replay = replayWords(run);
    const said = [
      run.analysisId,
      replay === null ? null : `${labels.replayOf} ${replay}`,
      run.deck.fileName,
      run.createdAt,
      run.status,
      run.engine,
      templateWords(run),
    ];
    return fact(side, said.filter((each) => each !== null).join(' · '));
  });
  return [
    paragraph(isSame(comparison) ? own.same : own.counts(comparison.changed, comparison.equal)),
    ...(comparison.sameDeck ? [] : [notice(own.otherDecks)]),
    ...runs.flatMap(([side, run]) => (run.finished ? [] : [notice(own.unfinished(side, run.status))])),
    { is: 'facts', facts },
  ];
}

function scores(comparison: Comparison, { own, labels }: Words): Block[] {
  const score = (value: number | null): string => (value === null ? labels.noScore : value.toFixed(1));
  const rows = scoreLines(comparison).map(({ chapter, a, b }) => [
    chapter ?? labels.overall,
    score(a),
    score(b),
    a === null || b === null ? '' : signed(b - a),
  ]);
  return tableOf(['', own.first, own.second, ''], rows, 1);
}

const signed = (delta: number): string => (delta === 0 ? '' : `${delta > 0 ? '▲' : '▼'} ${Math.abs(delta).toFixed(1)}`);

function reasons(comparison: Comparison, { own }: Words): Block[] {
  const { reasons: all, otherSeeds } = shownReasons(comparison);
  const changed = ({ field, a, b }: Pick<Change, 'field' | 'a' | 'b'>): Line => [
    `${fieldWords(field)} `,
    ...pair(a, b, own),
  ];
  const why = [
    ...differingChoices(comparison).map((choice) => entry(...changed(choice))),
    ...all.map((reason) => {
      const words = reasonWords(reason, own);
      return entry(`${own.results(reason.results)} ${reason.task}: `, ...(words === null ? changed(reason) : [words]));
    }),
    ...(otherSeeds === 0 ? [] : [entry(own.otherSeeds(otherSeeds))]),
  ];
  return why.length === 0 ? [paragraph(own.whyNothing)] : listOf(why);
}

/** The changes of each item; those of an item without a name of its own stand by themselves. */
function itemList(part: Part | 'gaps', items: readonly ComparedItem[], words: Words): Block[] {
  const { language, own } = words;
  const entries = items.flatMap((item): Entry[] => {
    const name = itemName(part, item, language);
    const lines = item.changes.map((change): Line => [`${changeName(change, own)}: `, ...changeLine(change, words)]);
    if (name === null) return lines.map((line) => entry(...line));
    const side = item.presence === 'both' ? '' : ` (${own.onlyIn(item.presence === 'a' ? own.first : own.second)})`;
    return [{ head: [{ strong: name }, side], lines }];
  });
  return listOf(entries);
}

function changeLine(change: Change, { own, labels, language }: Words): Line {
  const { quote, a, b } = change;
  if (quote !== null) {
    const said = (value: Change['a']): string =>
      answeringWords(change, value, language) ?? verdictWords(value, labels, own);
    return [{ quote: quote.text }, ' ', ...pair(said(a), said(b), own)];
  }
  if (isProse(change)) {
    return abridged(changedWords(change.a, change.b)).flatMap((run, i) => [...(i === 0 ? [] : [' ']), wordRun(run)]);
  }
  return pair(a, b, own);
}

function wordRun({ kind, text }: WordRun): Span {
  switch (kind) {
    case 'same':
      return text;
    case 'removed':
      return { removed: text };
    case 'added':
      return { strong: text };
  }
}

const pair = (a: Change['a'], b: Change['a'], own: CompareLabels): Line => [value(a, own), ' → ', value(b, own)];

const value = (of: Change['a'], own: CompareLabels): Span => (of === null ? { absent: own.nothing } : String(of));

/** A verdict in words; the reason of a verdict is in words already. */
function verdictWords(verdict: Change['a'], labels: Labels, own: CompareLabels): string {
  switch (verdict) {
    case 'verified':
    case 'verified_ocr':
    case 'unverified':
    case 'glued':
    case 'contradicted':
      return labels[verdict];
    case null:
      return own.notQuoted;
    default:
      return String(verdict);
  }
}
