/**
 * A comparison as a person reads it in a terminal: scores with bars, the words of answers that changed, and why at the end.
 *
 * In colour, removed words are red and added ones green; without colour they stand in [-…-] and {+…+}.
 */
import type { Change, ComparedItem, ComparedRun, Comparison } from '../../domain/decks/compare/comparison.ts';
import { compareLabelsOf } from '../../domain/decks/compare/labels.ts';
import { answeringWords, reasonWords } from '../../domain/decks/compare/names.ts';
import type { Part } from '../../domain/decks/compare/parts.ts';
import {
  abridged,
  differingChoices,
  fieldWords,
  isProse,
  isSame,
  scoreLines,
  shownParts,
  shownReasons,
} from '../../domain/decks/compare/reading.ts';
import { changedWords, type WordRun } from '../../domain/decks/compare/words.ts';
import { verdictName } from '../../domain/decks/report.ts';
import { MAX_SCORE } from '../../domain/decks/scoring.ts';
import { clean, cut, painter, type TerminalStyle, wrap } from '../terminal/style.ts';
import { tableLines } from '../terminal/table.ts';

const BAR_WIDTH = 20;
const NAME_WIDTH = 26;
const FIELD_WIDTH = 14;
const WRAP = 100;
const GAPS_SHOWN = 8;

/** A terminal speaks English, in the English words of the documents. */
const WORDS = compareLabelsOf('en');

/** How words are marked on this terminal. */
function marksFor(style: TerminalStyle) {
  const { bold, dim, as } = painter(style);
  const better = (text: string): string => as('green', text);
  const worse = (text: string): string => as('red', text);
  if (!style.colours)
    return {
      bold,
      dim,
      better,
      worse,
      removed: (text: string) => `[-${text}-]`,
      added: (text: string) => `{+${text}+}`,
    };
  return { bold, dim, better, worse, removed: (text: string) => as(['red', 'strikethrough'], text), added: better };
}

type Marks = ReturnType<typeof marksFor>;

/** The comparison, with a trailing newline. */
export function renderComparison(comparison: Comparison, style: TerminalStyle): string {
  const marks = marksFor(style);
  const { a, b, gaps, changed, equal } = comparison;
  const summary = isSame(comparison) ? WORDS.same : WORDS.counts(changed, equal);
  const gapLines = (list: Comparison['gaps']['opened']): string[] => [
    ...list.slice(0, GAPS_SHOWN).map((gap) => `  ${clean(gap.message)}`),
    ...(list.length > GAPS_SHOWN ? [marks.dim(`  … and ${list.length - GAPS_SHOWN} more (--json has all)`)] : []),
  ];
  return `${[
    '',
    marks.bold(clean(b.company ?? a.company ?? b.deck.fileName)),
    runLine('A', a, comparison.sameDeck, marks),
    runLine('B', b, comparison.sameDeck, marks),
    ...(comparison.sameDeck ? [] : [marks.worse(WORDS.otherDecks)]),
    ...unfinished('A', a),
    ...unfinished('B', b),
    '',
    summary,
    ...section(WORDS.scores, scoreTable(comparison, marks), marks),
    ...section(`${WORDS.opened} (${gaps.opened.length})`, gapLines(gaps.opened), marks),
    ...section(`${WORDS.closed} (${gaps.closed.length})`, gapLines(gaps.closed), marks),
    ...section(WORDS.otherReason, itemLines(null, gaps.changed, marks), marks),
    ...shownParts(comparison).flatMap(({ part, items }) =>
      section(WORDS.parts[part], itemLines(part, items, marks), marks),
    ),
    ...section(WORDS.why, reasonLines(comparison), marks),
  ].join('\n')}\n`;
}

const section = (title: string, lines: readonly string[], { bold }: Marks): string[] =>
  lines.length === 0 ? [] : ['', bold(title), ...lines];

function runLine(side: string, run: ComparedRun, sameDeck: boolean, { dim }: Marks): string {
  const { analysisId, createdAt, status, engine, template, deck, replay } = run;
  const facts = [
    createdAt.slice(0, 16).replace('T', ' '),
    status.replaceAll('_', ' '),
    engine ?? 'no model',
    template === null ? 'no template' : `${template.slug} v${template.version ?? '?'}`,
    ...(replay === null ? [] : [`replay (${replay.kind}) of ${replay.of}`]),
    ...(sameDeck ? [] : [clean(deck.fileName)]),
  ];
  return `${side}  ${analysisId}  ${dim(facts.join(' · '))}`;
}

const unfinished = (side: string, { finished, status }: ComparedRun): string[] =>
  finished ? [] : [WORDS.unfinished(side, status)];

function reasonLines(comparison: Comparison): string[] {
  const { reasons, otherSeeds } = shownReasons(comparison);
  return [
    ...differingChoices(comparison).map((change) => `  ${fieldWords(change.field)}: ${valuesOf(change)}`),
    ...reasons.map((r) => {
      const what = reasonWords(r, WORDS) ?? `${fieldWords(r.field)} ${valuesOf(r)}`;
      return `  ${String(r.results).padStart(3)} × ${r.task}: ${what}`;
    }),
    ...(otherSeeds === 0 ? [] : [`  ${WORDS.otherSeeds(otherSeeds)}`]),
  ];
}

function scoreTable(comparison: Comparison, marks: Marks): string[] {
  const lines = scoreLines(comparison);
  if (lines.every((line) => line.a === null && line.b === null)) return [];
  const score = (value: number | null): string => (value === null ? '–' : value.toFixed(1)).padStart(5);
  const rows = lines.map(({ chapter, a, b }) => [
    cut(clean(chapter ?? 'Overall'), NAME_WIDTH),
    score(a),
    score(b),
    move(a, b, marks),
  ]);
  const [head = '', ...others] = tableLines([['', 'A', 'B', ''], ...rows], {
    indent: '  ',
    right: [1, 2],
    least: [NAME_WIDTH],
  });
  return [marks.dim(head), ...others];
}

/** `▲ 0.5 ██`: the bar is as long as the difference on the scale of scores. */
function move(a: number | null, b: number | null, marks: Marks): string {
  if (a === null || b === null || a === b) return '';
  const delta = Math.abs(b - a);
  const bar = '█'.repeat(Math.max(1, Math.round((delta / MAX_SCORE) * BAR_WIDTH)));
  return b > a ? marks.better(`▲ +${delta.toFixed(1)} ${bar}`) : marks.worse(`▼ −${delta.toFixed(1)} ${bar}`);
}

function itemLines(part: Part | null, items: readonly ComparedItem[], marks: Marks): string[] {
  return items.flatMap((item) => {
    const side = item.presence === 'both' ? '' : marks.dim(` (${WORDS.onlyIn(item.presence.toUpperCase())})`);
    const named = part !== 'run' && part !== 'overall' && part !== 'classification' && part !== 'deck';
    const indent = named ? '    ' : '  ';
    // What only one of the two has is named; its values are in the report, and in --json.
    const changes = item.presence === 'both' ? item.changes : item.changes.filter((c) => c.field === 'score');
    return [
      ...(named ? [`  ${clean(item.name).replaceAll('_', ' ')}${side}`] : []),
      ...changes.map((change) => changeLine(change, indent, marks)),
    ];
  });
}

function changeLine(change: Change, indent: string, marks: Marks): string {
  const { quote, field, a, b } = change;
  const hang = `${indent}${' '.repeat(FIELD_WIDTH)}`;
  const name = quote === null ? fieldWords(field) : `quote, slide ${quote.slide}`;
  const head = `${indent}${marks.dim(name.padEnd(FIELD_WIDTH - 1))} `;
  if (quote !== null) {
    const short = clean(quote.text).slice(0, 60);
    const said = (value: Change['a']): Change['a'] => answeringWords(change, value, 'en') ?? verdictWords(value);
    return `${head}"${short}${short.length < quote.text.length ? '…' : ''}": ${valuesOf({ a: said(a), b: said(b) }, WORDS.notQuoted)}`;
  }
  if (isProse(change)) return head + wrapWords(abridged(changedWords(change.a, change.b)), hang, marks);
  const isScore = field === 'score' && typeof a === 'number' && typeof b === 'number';
  return `${head}${valuesOf(change)}${isScore ? `  ${move(a, b, marks)}` : ''}`;
}

/** Of a quote: its verdict as people call it; the reason of a verdict as it is. */
const verdictWords = (value: Change['a']): Change['a'] => (typeof value === 'string' ? verdictName(value) : value);

const valuesOf = ({ a, b }: { readonly a: Change['a']; readonly b: Change['a'] }, absent = WORDS.nothing): string => {
  const value = (of: Change['a']): string => (of === null ? absent : clean(String(of)));
  return `${value(a)} → ${value(b)}`;
};

/** Marked words on lines of at most `WRAP` columns. */
function wrapWords(runs: readonly WordRun[], hang: string, marks: Marks): string {
  const marked = runs.map(({ kind, text }) => (kind === 'same' ? clean(text) : marks[kind](clean(text))));
  return wrap(marked.join(' '), WRAP).join(`\n${hang}`);
}
