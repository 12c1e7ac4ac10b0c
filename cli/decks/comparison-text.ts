/**
 * A comparison as a person reads it in a terminal: scores with bars, the words of answers that changed, and why at the end.
 *
 * In colour, removed words are red and added ones green; without colour they stand in [-…-] and {+…+}.
 */
import { compareLabelsOf } from '../../api/decks/compare/labels.ts';
import { reasonWords } from '../../api/decks/compare/names.ts';
import {
  isSame,
  type Change,
  type ComparedItem,
  type ComparedRun,
  type Comparison,
  type Part,
} from '../../domain/decks/compare/comparison.ts';
import {
  abridged,
  differingChoices,
  fieldWords,
  isProse,
  scoreLines,
  shownParts,
  shownReasons,
  type ScoreLine,
} from '../../domain/decks/compare/reading.ts';
import { changedWords, type WordRun } from '../../domain/decks/compare/words.ts';
import { MAX_SCORE } from '../../domain/decks/scoring.ts';
import { clean } from '../terminal-text.ts';

const BAR_WIDTH = 20;
const NAME_WIDTH = 26;
const FIELD_WIDTH = 14;
const WRAP = 100;
const GAPS_SHOWN = 8;

/** A terminal speaks English, in the words of the English page. */
const WORDS = compareLabelsOf('en');

/** How words are marked on this terminal. */
interface Marks {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly better: (text: string) => string;
  readonly worse: (text: string) => string;
  readonly removed: (text: string) => string;
  readonly added: (text: string) => string;
}

const ansi = (open: number, close: number) => (text: string) => `\u001B[${open}m${text}\u001B[${close}m`;
const same = (text: string): string => text;

function marksFor(colours: boolean): Marks {
  if (!colours) {
    const [removed, added] = [(text: string) => `[-${text}-]`, (text: string) => `{+${text}+}`];
    return { bold: same, dim: same, better: same, worse: same, removed, added };
  }
  const [red, green, struck] = [ansi(31, 39), ansi(32, 39), ansi(9, 29)];
  const removed = (text: string): string => red(struck(text));
  return { bold: ansi(1, 22), dim: ansi(2, 22), better: green, worse: red, removed, added: green };
}

/**
 * The comparison, with a trailing newline.
 *
 * @param colours whether the terminal shows colours and wants them
 */
export function renderComparison(comparison: Comparison, colours: boolean): string {
  const marks = marksFor(colours);
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
  return [marks.dim(`  ${' '.repeat(NAME_WIDTH)}    A      B`), ...lines.map((line) => scoreLine(line, marks))];
}

function scoreLine({ chapter, a, b }: ScoreLine, marks: Marks): string {
  const score = (value: number | null): string => (value === null ? '–' : value.toFixed(1)).padStart(5);
  const name = clean(chapter ?? 'Overall')
    .padEnd(NAME_WIDTH)
    .slice(0, NAME_WIDTH);
  return `  ${name}${score(a)}  ${score(b)}  ${move(a, b, marks)}`.trimEnd();
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
    return `${head}"${short}${short.length < quote.text.length ? '…' : ''}": ${valuesOf(change, WORDS.notQuoted)}`;
  }
  if (isProse(change)) return head + wrapWords(abridged(changedWords(change.a, change.b)), hang, marks);
  const isScore = field === 'score' && typeof a === 'number' && typeof b === 'number';
  return `${head}${valuesOf(change)}${isScore ? `  ${move(a, b, marks)}` : ''}`;
}

const valuesOf = ({ a, b }: { readonly a: Change['a']; readonly b: Change['a'] }, absent = WORDS.nothing): string => {
  const value = (of: Change['a']): string => (of === null ? absent : clean(String(of)));
  return `${value(a)} → ${value(b)}`;
};

/** Marked words on lines of bearable length. A mark that is broken goes on in the next line. */
function wrapWords(runs: readonly WordRun[], hang: string, marks: Marks): string {
  const lines: string[] = [];
  let line: string[] = [];
  let width = 0;
  for (const { kind, text } of runs) {
    const mark = kind === 'same' ? same : marks[kind];
    let piece: string[] = [];
    const flush = (): void => {
      if (piece.length > 0) line.push(mark(piece.join(' ')));
      piece = [];
    };
    for (const word of clean(text).split(/\s+/u)) {
      if (width + word.length + 1 > WRAP && width > 0) {
        flush();
        lines.push(line.join(' '));
        line = [];
        width = 0;
      }
      piece.push(word);
      width += word.length + 1;
    }
    flush();
  }
  return [...lines, line.join(' ')].join(`\n${hang}`);
}
