/**
 * Compares two reports, value by value.
 */
import { isFinished, type AnalysisReport } from '../report.ts';
import type {
  Change,
  ComparedItem,
  ComparedRun,
  Comparison,
  ComparisonReason,
  ProvenanceChange,
} from './comparison.ts';
import { ambiguousQuestions, itemsOf, type Item } from './items.ts';
import { leavesOf, madeWith, provenancesOf, type Leaf } from './leaves.ts';
import { orderedKeys } from './ordered-keys.ts';
import { PARTS, type Part } from './parts.ts';

/** Result of comparing one part. */
interface Compared {
  readonly items: readonly ComparedItem[];
  readonly equal: number;
}

/** Two matched items; one of them may be missing. */
interface Pair {
  readonly key: string;
  readonly a: Item | undefined;
  readonly b: Item | undefined;
}

/**
 * The differences between two reports. Unfinished analyses are compared as far as they are.
 *
 * @param anew tasks whose results are of different editions: a replay computed them anew although results were stored
 */
export function compareReports(
  a: AnalysisReport,
  b: AnalysisReport,
  anew: ReadonlySet<string> = new Set(),
): Comparison {
  const ambiguous = ambiguousQuestions([a, b]);
  const itemsA = itemsOf(a, ambiguous);
  const itemsB = itemsOf(b, ambiguous);
  const newer = newerOf(a, b);
  const compare = (part: Part): Compared => compareItems(itemsA[part], itemsB[part], newer);
  const byPart = Object.fromEntries(PARTS.map((part) => [part, compare(part)])) as Record<Part, Compared>;
  const gapsA = gapItems(a);
  const gapsB = gapItems(b);
  const gaps = compareItems(gapsA, gapsB, newer);
  const all = [...PARTS.map((part) => byPart[part]), gaps];
  const onlyIn = (side: 'a' | 'b'): ReadonlySet<string> =>
    new Set(gaps.items.filter((item) => item.presence === side).map((item) => item.key));
  const [closed, opened] = [onlyIn('a'), onlyIn('b')];
  const items = all.flatMap((compared) => compared.items);
  return {
    a: runOf(a),
    b: runOf(b),
    sameDeck: a.deck.id === b.deck.id,
    equal: all.reduce((sum, compared) => sum + compared.equal, 0),
    changed: items.reduce((sum, item) => sum + item.changes.length, 0),
    reasons: reasonsOf(items, anew),
    parts: Object.fromEntries(PARTS.map((part) => [part, [...byPart[part].items]])) as Comparison['parts'],
    gaps: {
      opened: b.gaps.filter((gap) => opened.has(gap.item)),
      closed: a.gaps.filter((gap) => closed.has(gap.item)),
      changed: gaps.items.filter((item) => item.presence === 'both'),
    },
  };
}

function runOf(report: AnalysisReport): ComparedRun {
  const { deck, template } = report;
  return {
    analysisId: report.analysisId,
    status: report.status,
    finished: isFinished(report.status),
    createdAt: report.createdAt,
    language: report.language,
    deck: { id: deck.id, fileName: deck.fileName, sha256: deck.sha256 },
    company: report.company,
    engine: report.engine?.label ?? null,
    template: template.slug === null ? null : { slug: template.slug, version: template.version },
    overallScore: report.overall.score,
    replay: report.replay,
  };
}

/** The analysis whose names are shown; it does not depend on the order of the two. */
function newerOf(a: AnalysisReport, b: AnalysisReport): 'a' | 'b' {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? 'a' : 'b';
  return a.analysisId > b.analysisId ? 'a' : 'b';
}

const gapItems = ({ gaps }: AnalysisReport): readonly Item[] =>
  gaps.map((gap) => ({ key: gap.item, name: gap.item, content: gap, omit: ['item'] }));

function pairsOf(a: readonly Item[], b: readonly Item[]): readonly Pair[] {
  const byKeyA = new Map(a.map((item) => [item.key, item]));
  const byKeyB = new Map(b.map((item) => [item.key, item]));
  return orderedKeys([a, b]).map((key) => ({ key, a: byKeyA.get(key), b: byKeyB.get(key) }));
}

function compareItems(a: readonly Item[], b: readonly Item[], newer: 'a' | 'b'): Compared {
  let equal = 0;
  const items: ComparedItem[] = [];
  for (const pair of pairsOf(a, b)) {
    const values = compareValues(pair);
    equal += values.equal;
    const provenance = compareProvenance(pair);
    const presence = pair.a === undefined ? 'b' : pair.b === undefined ? 'a' : 'both';
    if (presence === 'both' && values.changes.length === 0 && provenance.length === 0) continue;
    const name = pair[newer]?.name ?? pair.a?.name ?? pair.b?.name ?? pair.key;
    items.push({ key: pair.key, name, presence, changes: values.changes, provenance });
  }
  return { items, equal };
}

/** A value that one side does not have is null there, like an unknown one. */
function compareValues({ a, b }: Pair): { readonly changes: Change[]; readonly equal: number } {
  const leaves = (item: Item | undefined): Leaf[] => (item === undefined ? [] : leavesOf(item.content, item.omit));
  const [leavesA, leavesB] = [leaves(a), leaves(b)];
  const valuesA = new Map(leavesA.map((leaf) => [leaf.key, leaf]));
  const valuesB = new Map(leavesB.map((leaf) => [leaf.key, leaf]));
  let equal = 0;
  const changes: Change[] = [];
  for (const key of orderedKeys([leavesA, leavesB])) {
    const [leafA, leafB] = [valuesA.get(key), valuesB.get(key)];
    const leaf = leafA ?? leafB;
    if (leaf === undefined) continue;
    const change = { field: leaf.field, quote: leaf.quote, a: leafA?.value ?? null, b: leafB?.value ?? null };
    if (change.a !== change.b) changes.push(change);
    else if (change.a !== null) equal++;
  }
  return { changes, equal };
}

/** Compares only results that both have. */
function compareProvenance({ a, b }: Pair): ProvenanceChange[] {
  if (a === undefined || b === undefined) return [];
  const inB = provenancesOf(b.content);
  return [...provenancesOf(a.content)].flatMap(([field, madeA]) => {
    const madeB = inB.get(field);
    if (madeB === undefined) return [];
    const withB = madeWith(madeB);
    return [...madeWith(madeA)].flatMap(([name, value]) => {
      const other = withB.get(name) ?? null;
      return value === other ? [] : [{ task: madeA.task, field: name, a: value, b: other }];
    });
  });
}

/** The provenance changes of all results, each once with the number of its results, the most frequent first. */
function reasonsOf(items: readonly ComparedItem[], anew: ReadonlySet<string>): ComparisonReason[] {
  const reasons = new Map<string, ComparisonReason>();
  const add = (reason: Omit<ComparisonReason, 'results'>): void => {
    const id = JSON.stringify([reason.task, reason.field, reason.a, reason.b]);
    reasons.set(id, { ...reason, results: (reasons.get(id)?.results ?? 0) + 1 });
  };
  for (const { provenance } of items) {
    for (const task of new Set(provenance.map((p) => p.task))) {
      const ofTask = provenance.filter((p) => p.task === task);
      // A content key differs whenever any other field does.
      const named = ofTask.filter((p) => p.field !== 'contentKey');
      if (anew.has(task)) add({ task, field: 'anew', a: null, b: null });
      else if (named.length === 0) add({ task, field: 'input', a: null, b: null });
      for (const change of named) add(change);
    }
  }
  const byName = (x: ComparisonReason): string => JSON.stringify([x.task, x.field]);
  return [...reasons.values()].toSorted((x, y) => y.results - x.results || (byName(x) < byName(y) ? -1 : 1));
}
