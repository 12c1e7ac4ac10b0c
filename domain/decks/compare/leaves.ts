/**
 * A part of a report as a flat list of values under stable names, so that two can be compared value by value. New fields of the report are
 * compared without a change here.
 */
import type { Provenance, ReportEvidence } from '../report.ts';
import type { Scalar } from './comparison.ts';

/** Plain data as reports hold it. */
export type Plain = Scalar | undefined | readonly Plain[] | { readonly [field: string]: Plain };

/** One value. `key` names it within its item; `quote` says which quote it is about. */
export interface Leaf {
  readonly key: string;
  readonly field: string;
  readonly quote: { readonly slide: number; readonly text: string } | null;
  readonly value: Scalar;
}

const isScalar = (value: Plain): value is Scalar => value === null || typeof value !== 'object';
const isList = (value: Plain): value is readonly Plain[] => Array.isArray(value);
const isProvenance = (field: string): boolean => /provenance$/iu.test(field);

/**
 * The values of an item, without its provenance.
 *
 * @param omit fields that are not about the deck, such as ids and times
 */
export function leavesOf(item: { readonly [field: string]: Plain }, omit: readonly string[] = []): Leaf[] {
  return Object.entries(item).flatMap(([field, value]) => {
    if (omit.includes(field) || isProvenance(field) || value === undefined) return [];
    if (field === 'evidence') return quoteLeaves(value as unknown as readonly ReportEvidence[]);
    return flatten(field, value);
  });
}

function flatten(field: string, value: Plain): Leaf[] {
  if (value === undefined) return [];
  if (isScalar(value)) return [{ key: field, field, quote: null, value }];
  if (!isList(value)) return Object.entries(value).flatMap(([name, inner]) => flatten(`${field}.${name}`, inner));
  if (value.every(isScalar)) {
    return [{ key: field, field, quote: null, value: value.length === 0 ? null : value.join(', ') }];
  }
  return value.flatMap((inner, index) => flatten(`${field}[${index + 1}]`, inner));
}

/** A quote is identified by its text and slide, with a number for repetitions; its values are the two marks. Its boxes follow from them. */
function quoteLeaves(evidence: readonly ReportEvidence[]): Leaf[] {
  const seen = new Map<string, number>();
  return evidence.flatMap(({ slide, quote: words, verdict, reason, answering }) => {
    const id = JSON.stringify([slide, words]);
    const number = (seen.get(id) ?? 0) + 1;
    seen.set(id, number);
    const quote = { slide, text: words };
    return [
      { key: `quote ${number} ${id}`, field: 'quote', quote, value: verdict },
      { key: `quote reason ${number} ${id}`, field: 'quote.reason', quote, value: reason },
      ...(answering === null
        ? []
        : [{ key: `quote answering ${number} ${id}`, field: 'quote.answering', quote, value: answering }]),
    ];
  });
}

/** Provenance fields that can make a result differ; host, durations and token counts cannot. */
const MADE_WITH = ['model', 'modelDigest', 'engineKind', 'serverVersion', 'promptVersion', 'templateVersion'] as const;

/** The provenances of an item by field. */
export function provenancesOf(item: { readonly [field: string]: Plain }): ReadonlyMap<string, Provenance> {
  const found = Object.entries(item).flatMap(([field, value]) =>
    isProvenance(field) && value !== null && value !== undefined
      ? [[field, value as unknown as Provenance] as const]
      : [],
  );
  return new Map(found);
}

/** The values of a provenance by name. */
export function madeWith(provenance: Provenance): ReadonlyMap<string, Scalar> {
  return new Map<string, Scalar>([
    ...MADE_WITH.map((field) => [field, provenance[field]] as const),
    ...Object.entries(provenance.options).map(([name, value]) => [`options.${name}`, value] as const),
    ['contentKey', provenance.contentKey],
  ]);
}
