/**
 * What of a comparison is shown to people on every medium: which items, which scores, and where a text changed. Without a library at run time,
 * because pages import it.
 */
import type { Change, ComparedItem, Comparison, ComparisonReason } from './comparison.ts';
import { PARTS, type Part } from './parts.ts';
import type { WordRun } from './words.ts';

/** A part with the items that people want to see. */
export interface ShownPart {
  readonly part: Part;
  readonly items: readonly ComparedItem[];
}

/** One line of the table of scores. */
export interface ScoreLine {
  /** Null: the overall score. */
  readonly chapter: string | null;
  readonly a: number | null;
  readonly b: number | null;
}

/** Parts whose scores are shown in the table of scores. */
const SCORED_PARTS: readonly Part[] = ['overall', 'chapters'];

/**
 * Items with a differing value, or that only one of the two has. Differences only in how an item was made are shown among the reasons.
 */
export function shownParts({ parts }: Comparison): readonly ShownPart[] {
  return PARTS.map((part) => ({ part, items: parts[part].map((item) => shownItem(part, item)) }))
    .map(({ part, items }) => ({ part, items: items.filter((i) => i.presence !== 'both' || i.changes.length > 0) }))
    .filter(({ items }) => items.length > 0);
}

function shownItem(part: Part, item: ComparedItem): ComparedItem {
  const verdicts = item.changes.filter((c) => c.field === 'quote');
  const isAmong = (changes: readonly Change[], quote: Change['quote']): boolean =>
    changes.some((change) => JSON.stringify(change.quote) === JSON.stringify(quote));
  const oneSided = verdicts.filter(({ a, b }) => a === null || b === null);
  const changes = item.changes.filter(({ field, quote }) => {
    if (field === 'score' && SCORED_PARTS.includes(part)) return false;
    // A changed verdict implies a changed reason; what only one of the two quotes is judged by one alone.
    if (field === 'quote.reason') return !isAmong(verdicts, quote);
    return !(field === 'quote.answering' && isAmong(oneSided, quote));
  });
  return { ...item, changes };
}

/** Differences in what was requested or decided at the start: they are reasons for other differences. */
export const differingChoices = ({ parts }: Comparison): readonly Change[] =>
  parts.run.flatMap((item) => item.changes).filter(({ field }) => CHOICES.includes(field));

const CHOICES: readonly string[] = ['language', 'rollout', 'template.slug', 'template.version'];

/** Reasons in the order in which they are shown: options of a call last; seeds, which differ for every call, are only counted. */
export function shownReasons({ reasons }: Comparison): {
  readonly reasons: readonly ComparisonReason[];
  readonly otherSeeds: number;
} {
  const isOption = ({ field }: ComparisonReason): boolean => field.startsWith('options.');
  const seeds = reasons.filter(({ field }) => field === SEED);
  const others = reasons.filter(({ field }) => field !== SEED);
  return {
    reasons: [...others.filter((reason) => !isOption(reason)), ...others.filter(isOption)],
    otherSeeds: seeds.reduce((sum, { results }) => sum + results, 0),
  };
}

const SEED = 'options.seedUsed';

/** The overall score, and every chapter whose score differs. */
export function scoreLines({ a, b, parts }: Comparison): readonly ScoreLine[] {
  const number = (value: Change['a']): number | null => (typeof value === 'number' ? value : null);
  const chapters = parts.chapters.flatMap((item) => {
    const change = item.changes.find((c) => c.field === 'score');
    return change === undefined ? [] : [{ chapter: item.name, a: number(change.a), b: number(change.b) }];
  });
  return [{ chapter: null, a: a.overallScore, b: b.overallScore }, ...chapters];
}

/** True for two texts in which single words are worth marking; short values are shown one beside the other. */
export function isProse(change: Change): change is Change & { readonly a: string; readonly b: string } {
  const words = (value: Change['a']): number => (typeof value === 'string' ? value.split(/\s+/u).length : 0);
  return change.quote === null && words(change.a) > 3 && words(change.b) > 3;
}

/** Runs with the middle of long unchanged stretches left out: `keep` words stay on either side of a change. */
export function abridged(runs: readonly WordRun[], keep = 6): readonly WordRun[] {
  return runs.map((run, index) => {
    if (run.kind !== 'same') return run;
    const words = run.text.split(' ');
    const before = index === 0 ? 0 : keep;
    const after = index === runs.length - 1 ? 0 : keep;
    if (words.length <= before + after + 2) return run;
    const text = [...words.slice(0, before), '…', ...(after === 0 ? [] : words.slice(-after))].join(' ');
    return { kind: 'same', text };
  });
}

/** `points[2].text` as people read it: `points 2 text`. */
export const fieldWords = (field: string): string =>
  field
    .replaceAll(/[[\].]+/gu, ' ')
    .replaceAll(/([a-z])([A-Z])/gu, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .trim();

/** True when no value differs and no item is missing on one side. */
export function isSame({ parts, gaps, changed }: Comparison): boolean {
  const lists = [...PARTS.map((part) => parts[part]), gaps.changed];
  const oneSided = lists.some((list) => list.some((item) => item.presence !== 'both'));
  return changed === 0 && !oneSided && gaps.opened.length === 0 && gaps.closed.length === 0;
}
