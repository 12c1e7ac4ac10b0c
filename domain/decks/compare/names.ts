/** What things of a comparison are called, the same in every document. Without a library at run time, because pages import it. */
import type { Language } from '../../models/model-tasks.ts';
import { reviewWords } from '../review/words.ts';
import type { Change, ComparedItem, ComparedRun, ComparisonReason } from './comparison.ts';
import { compareLabelsOf, type CompareLabels } from './labels.ts';
import type { Part } from './parts.ts';
import { fieldWords } from './reading.ts';

/** Name of an item below the title of its part; null where the part has one item alone, which its title names. */
export function itemName(part: Part | 'gaps', { key, name }: ComparedItem, language: Language): string | null {
  switch (part) {
    case 'run':
    case 'deck':
    case 'overall':
    case 'classification':
      return null;
    case 'slides':
      return `${compareLabelsOf(language).slide} ${key}`;
    case 'specialised':
      return nameIn(reviewWords[language].readings, key) ?? name;
    case 'profile':
      if (key === 'profile') return null;
      return nameIn(reviewWords[language].topics, key) ?? name;
    case 'extractions':
      return nameIn(reviewWords[language].fields, key) ?? name;
    case 'chapters':
    case 'questions':
    case 'steering':
    case 'contradictions':
    case 'gaps':
      return name;
  }
}

const nameIn = (names: Readonly<Partial<Record<string, string>>>, key: string): string | undefined =>
  Object.hasOwn(names, key) ? names[key] : undefined;

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

/** How well a quote answers on one side, in words; null for a change of something else. */
export function answeringWords({ field }: Change, value: Change['a'], language: Language): string | null {
  if (field !== 'quote.answering') return null;
  const { answering } = reviewWords[language];
  return nameIn(answering, String(value ?? 'not_judged')) ?? String(value);
}
