/**
 * Compares a review with the truth of its deck, fact by fact.
 */
import type { AnalysisReport } from '../domain/decks/report.ts';
import { dateAgrees, type DeckTruth } from '../domain/evaluation/deck-truth.ts';

export interface TruthScore {
  readonly right: number;
  readonly asked: number;
  /** The facts that are wrong, for the message of a failing test. */
  readonly wrong: readonly string[];
  /** Values given where the deck says nothing. */
  readonly invented: readonly string[];
}

const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);

/** Two sentences say the same if they share at least 40 % of the shorter one's words. */
function similar(found: string | null, truth: string): boolean {
  if (found === null) return false;
  const [a, b] = [words(found), words(truth)];
  const shared = [...a].filter((w) => b.has(w)).length;
  return shared / Math.max(1, Math.min(a.size, b.size)) >= 0.4;
}

/** Legal form and punctuation do not make another company. */
const bareName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/\b(?:gmbh|ag|inc|ltd|limited|se|ug|bv|b\.v|llc|sarl|s\.a|oy|ab|aps)\b\.?/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Scores company, offering, sector, amount with currency, and date. */
export function factsRight(report: AnalysisReport, truth: DeckTruth): TruthScore {
  const checks: [string, boolean, string | number | null, string | number | null][] = [];
  const invented: string[] = [];
  const check = (
    fact: string,
    expected: string | number | null,
    found: string | number | null,
    agrees: boolean,
  ): void => {
    if (expected === null) {
      checks.push([fact, found === null, expected, found]);
      if (found !== null) invented.push(`${fact}: ${String(found)}`);
    } else checks.push([fact, agrees, expected, found]);
  };
  check(
    'company',
    truth.company,
    report.company,
    truth.company !== null && report.company !== null && bareName(truth.company) === bareName(report.company),
  );
  check(
    'offering',
    truth.offering,
    report.offering,
    truth.offering !== null && similar(report.offering, truth.offering),
  );
  check('sector', truth.sector, report.sector.slug, truth.sector === report.sector.slug);
  check(
    'amount',
    truth.amount,
    report.funding.amount ?? report.funding.raw,
    truth.amount === report.funding.amount && truth.currency === report.funding.currency,
  );
  check(
    'date',
    truth.date,
    report.deckDate.iso ?? report.deckDate.raw,
    dateAgrees(truth, report.deckDate.iso, report.deckDate.raw),
  );
  const wrong = checks
    .filter(([, ok]) => !ok)
    .map(([fact, , expected, found]) => `${fact}: ${String(found)} instead of ${String(expected)}`);
  return { right: checks.length - wrong.length, asked: checks.length, wrong, invented };
}
