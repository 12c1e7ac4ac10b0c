/** A comparison as Markdown. Words of the decks are untrusted and are escaped like those of a report. */
import type { Change, ComparedItem, Comparison } from '../../../domain/decks/compare/comparison.ts';
import { compareLabelsOf, type CompareLabels } from '../../../domain/decks/compare/labels.ts';
import { changeName, itemName, reasonWords, replayWords, templateWords } from '../../../domain/decks/compare/names.ts';
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
import { labelsOf, type Labels } from '../report/labels.ts';
import { escaped } from '../../document/markdown.ts';

interface Words {
  readonly language: Language;
  readonly own: CompareLabels;
  readonly labels: Labels;
}

/** The comparison as one Markdown text. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const { a, b, gaps } = comparison;
  const language = a.language === b.language ? a.language : 'en';
  const [own, labels] = [compareLabelsOf(language), labelsOf(language)];
  const words: Words = { language, own, labels };
  const runs = [
    [own.first, a],
    [own.second, b],
  ] as const;
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
  const { reasons, otherSeeds } = shownReasons(comparison);
  const why = [
    ...differingChoices(comparison).map((c) => `- ${escaped(fieldWords(c.field))} ${pair(c.a, c.b, own)}`),
    ...reasons.map((r) => {
      const what = reasonWords(r, own) ?? `${escaped(fieldWords(r.field))} ${pair(r.a, r.b, own)}`;
      return `- ${own.results(r.results)} ${escaped(r.task)}: ${what}`;
    }),
    ...(otherSeeds === 0 ? [] : [`- ${own.otherSeeds(otherSeeds)}`]),
  ];
  const score = (value: number | null): string => (value === null ? labels.noScore : value.toFixed(1));
  return [
    `# ${own.comparison}: ${escaped(b.company ?? a.company ?? b.deck.fileName)}`,
    '',
    isSame(comparison) ? own.same : own.counts(comparison.changed, comparison.equal),
    '',
    ...(comparison.sameDeck ? [] : [`> ${own.otherDecks}`, '']),
    ...runs.flatMap(([side, run]) => (run.finished ? [] : [`> ${own.unfinished(side, run.status)}`, ''])),
    ...runs.map(([side, run]) => {
      const replay = replayWords(run);
      const facts = [
        run.analysisId,
        replay === null ? null : `${labels.replayOf} ${replay}`,
        run.deck.fileName,
        run.createdAt,
        run.status,
        run.engine,
        templateWords(run),
      ];
      return `- **${side}:** ${facts.flatMap((fact) => (fact === null ? [] : [escaped(fact)])).join(' · ')}`;
    }),
    '',
    ...section(own.scores, [
      `| | ${own.first} | ${own.second} | |`,
      '|---|---|---|---|',
      ...scoreLines(comparison).map((line) => {
        const delta = line.a === null || line.b === null ? '' : signed(line.b - line.a);
        return `| ${line.chapter === null ? labels.overall : escaped(line.chapter)} | ${score(line.a)} | ${score(line.b)} | ${delta} |`;
      }),
    ]),
    ...section(
      own.opened,
      gaps.opened.map((gap) => `- ${escaped(gap.message)}`),
    ),
    ...section(
      own.closed,
      gaps.closed.map((gap) => `- ${escaped(gap.message)}`),
    ),
    ...section(own.otherReason, itemLines('gaps', gaps.changed, words)),
    ...shownParts(comparison).flatMap(({ part, items }) => section(own.parts[part], itemLines(part, items, words))),
    ...section(own.why, why.length === 0 ? [own.whyNothing] : why),
  ]
    .join('\n')
    .replaceAll(/\n{3,}/gu, '\n\n');
}

const signed = (delta: number): string => (delta === 0 ? '' : `${delta > 0 ? '▲' : '▼'} ${Math.abs(delta).toFixed(1)}`);

function itemLines(part: Part | 'gaps', items: readonly ComparedItem[], words: Words): string[] {
  const { language, labels, own } = words;
  return items.flatMap((item) => {
    const name = itemName(part, item, language);
    const side = item.presence === 'both' ? '' : ` (${own.onlyIn(item.presence === 'a' ? own.first : own.second)})`;
    const indent = name === null ? '' : '  ';
    return [
      ...(name === null ? [] : [`- **${escaped(name)}**${side}`]),
      ...item.changes.map((c) => `${indent}- ${escaped(changeName(c, own))}: ${changeText(c, labels, own)}`),
    ];
  });
}

function changeText(change: Change, labels: Labels, own: CompareLabels): string {
  const { quote, a, b } = change;
  if (quote !== null) {
    return `„${escaped(quote.text)}“ ${pair(verdictWords(a, labels, own), verdictWords(b, labels, own), own)}`;
  }
  if (isProse(change)) return abridged(changedWords(change.a, change.b)).map(wordRun).join(' ');
  return pair(a, b, own);
}

function wordRun({ kind, text }: WordRun): string {
  switch (kind) {
    case 'same':
      return escaped(text);
    case 'removed':
      return `~~${escaped(text)}~~`;
    case 'added':
      return `**${escaped(text)}**`;
  }
}

const pair = (a: Change['a'], b: Change['a'], own: CompareLabels): string => `${value(a, own)} → ${value(b, own)}`;

const value = (of: Change['a'], own: CompareLabels): string => (of === null ? `_${own.nothing}_` : escaped(String(of)));

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
