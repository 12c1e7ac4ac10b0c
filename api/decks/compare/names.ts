/** What things of a comparison are called, the same on the page and in Markdown. */
import type {
  Change,
  ComparedItem,
  ComparedRun,
  ComparisonReason,
  Part,
} from '../../../domain/decks/compare/comparison.ts';
import { fieldWords } from '../../../domain/decks/compare/reading.ts';
import type { Labels } from '../report/labels.ts';
import type { CompareLabels } from './labels.ts';

/** Name of an item below the title of its part; null where the part has one item alone, which its title names. */
export function itemName(part: Part | 'gaps', { key, name }: ComparedItem, labels: Labels): string | null {
  switch (part) {
    case 'run':
    case 'deck':
    case 'overall':
    case 'classification':
      return null;
    case 'slides':
      return `${labels.slide} ${key}`;
    case 'specialised':
      return key === 'clinical' || key === 'regulatory' || key === 'science' ? labels[key] : name;
    case 'extractions':
      return extractionName(key, labels);
    case 'chapters':
    case 'questions':
    case 'steering':
    case 'contradictions':
    case 'gaps':
      return name;
  }
}

function extractionName(field: string, labels: Labels): string {
  const known: Readonly<Partial<Record<string, string>>> = {
    company_name: labels.company,
    offering: labels.offering,
    funding: labels.funding,
    deck_date: labels.deckDate,
  };
  return known[field] ?? field;
}

/** `3f2a… (gaps)`: what it replays, and how; null for none. */
export const replayWords = ({ replay }: ComparedRun): string | null =>
  replay === null ? null : `${replay.of} (${replay.kind})`;

/** `seven_chapter_review v1`; null before one was chosen. */
export const templateWords = ({ template }: ComparedRun): string | null =>
  template === null ? null : `${template.slug} v${template.version ?? '?'}`;

/** A reason that has no values of its own, in words; null for a provenance field, which has. */
export function reasonWords({ field }: ComparisonReason, own: CompareLabels): string | null {
  if (field === 'anew') return own.anew;
  return field === 'input' ? own.input : null;
}

/** What a change is about, shown before its values. */
export const changeName = ({ field, quote }: Change, own: CompareLabels): string =>
  quote === null ? fieldWords(field) : `${own.quote} ${quote.slide}`;

/** A verdict in words; the reason of a verdict is in words already. */
export function verdictWords(value: Change['a'], labels: Labels, own: CompareLabels): string {
  switch (value) {
    case 'verified':
    case 'verified_ocr':
    case 'unverified':
    case 'glued':
    case 'contradicted':
      return labels[value];
    case null:
      return own.notQuoted;
    default:
      return String(value);
  }
}
