/**
 * The labels file: what a person found in the decks of a folder, before any review. `docs/label-format.md` describes every field.
 *
 * A field that is left out is not judged; null says that the deck does not state it.
 */
import { z } from 'zod';
import { DeckhandError, errorText } from '../errors.ts';
import { SECTOR_SLUGS } from '../models/result-schemas.ts';
import { closestName } from '../text/closest-name.ts';
import { labelAmount, labelCurrency, labelText, placeSchema, placesSchema } from './label-values.ts';
import { absentSchema, TOPIC_FACTS, topicsLabelSchema } from './topic-labels.ts';
import { PROFILE_TOPICS } from '../profile/topics.ts';

/** Sector of decks that are not about health. */
export const OTHER_SECTOR = 'other';

const isoDate = z
  .string()
  .regex(/^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/u, 'write 2026, 2026-03 or 2026-03-14');
const moneyLabelSchema = z.object({
  amount: labelAmount,
  currency: labelCurrency,
  also: z.array(labelAmount).optional(),
  also_money: z.array(z.tuple([labelAmount, labelCurrency])).optional(),
  note: z.string().optional(),
});
/** The sum that a deck asks for. */
export type MoneyLabel = z.infer<typeof moneyLabelSchema>;

/** Judgement of a person about the offering that a review states. */
export const OFFERING_GRADES = ['right', 'partly', 'wrong'] as const;

/** What a person says on one question. */
const questionLabelSchema = z.object({
  covered: z.enum(['yes', 'partly', 'no']).optional(),
  score: z.int().min(0).max(7).optional(),
  answer: z.string().nullable().optional(),
  /** Where the deck answers it. */
  places: placesSchema.optional(),
});
export const deckLabelSchema = z.object({
  company: z.array(labelText).min(1).nullable().optional(),
  name_in_text: z.boolean().optional(),
  offering: labelText.nullable().optional(),
  offering_grades: z.record(z.string(), z.enum(OFFERING_GRADES)).optional(),
  ask: moneyLabelSchema.nullable().optional(),
  date: isoDate.nullable().optional(),
  date_also_ok: z.array(isoDate).optional(),
  sector: z
    .enum(['health', ...SECTOR_SLUGS])
    .nullable()
    .optional(),
  questions: z.record(z.string(), questionLabelSchema).optional(),
  topics: topicsLabelSchema.optional(),
  // Kept with the deck for people; nothing is judged by them.
  lang: z.string().nullable().optional(),
  document: z.string().nullable().optional(),
  kind: z.string().nullable().optional(),
  text_layer: z.string().nullable().optional(),
  pages: z.int().nullable().optional(),
  note: z.string().nullable().optional(),
  source: z.string().nullable().optional(),
});
/** Labels of one deck. */
export type DeckLabel = z.infer<typeof deckLabelSchema>;

type DeckLabelInput = z.input<typeof deckLabelSchema>;

const labelsSchema = z.record(z.string(), deckLabelSchema);
/** Labels by deck: the file's name without `.pdf`. */
export type Labels = ReadonlyMap<string, DeckLabel>;

/** Name of a deck in the labels: its file's name without the ending. */
export const deckNameOf = (fileName: string): string => fileName.replace(/\.pdf$/iu, '');

/**
 * Reads labels from the text of a file.
 *
 * @param file named in errors
 * @returns the labels, and a sentence for each field that is not known and therefore ignored
 * @throws DeckhandError `invalid_request` with the path and reason of what is wrong
 */
export function parseLabels(content: string, file: string): { labels: Labels; warnings: readonly string[] } {
  const document = parseLabelJson(content, file);
  const labels = parseLabelDocument(labelsSchema, document, file);
  // What is checked has no other types than those of its schema.
  const warnings = Object.entries(document as Record<string, DeckLabelInput>).flatMap(([deck, label]) => [
    ...unknownFields(`${file}: ${deck}`, label, deckLabelSchema),
    ...unknownFields(`${file}: ${deck}.ask`, label.ask, moneyLabelSchema),
    ...Object.entries(label.questions ?? {}).flatMap(([slug, question]) => {
      const where = `${file}: ${deck}.questions.${slug}`;
      return [...unknownFields(where, question, questionLabelSchema), ...unknownInPlaces(where, question.places)];
    }),
    ...unknownInTopics(`${file}: ${deck}.topics`, label.topics),
  ]);
  return { labels: new Map(Object.entries(labels).map(([deck, label]) => [deckNameOf(deck), label])), warnings };
}

/** The document in a text. @throws DeckhandError `invalid_request` when it is not JSON */
export function parseLabelJson(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new DeckhandError('invalid_request', `${file}: ${String(error)}`, {
      userMessage: `${file} is not JSON: ${errorText(error)}`,
      hint: 'docs/label-format.md has an example of a labels file.',
      cause: error,
    });
  }
}

/** Checks a document of labels. @throws DeckhandError `invalid_request` with the path and reason of the first faults */
export function parseLabelDocument<T>(schema: z.ZodType<T>, document: unknown, file: string): T {
  const parsed = schema.safeParse(document);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues
    .flatMap(asOfOneForm)
    .map(({ path, message }) => `${path.join('.') || 'the document'}: ${message}`);
  throw new DeckhandError('invalid_request', `${file}: ${faults.join('; ')}`, {
    userMessage: `${file}: ${faults.slice(0, 5).join('; ')}${faults.length > 5 ? `; and ${faults.length - 5} more` : ''}`,
    hint: 'docs/label-format.md describes every field.',
  });
}

type Issue = z.core.$ZodIssue;

/** Of a value that may have one of several forms: the faults of the form in which it was meant, which is read furthest. */
function asOfOneForm(issue: Issue): Pick<Issue, 'path' | 'message'>[] {
  if (issue.code !== 'invalid_union') return [issue];
  const depth = (form: readonly Issue[]): number => Math.max(0, ...form.map(({ path }) => path.length));
  const [meant = []] = issue.errors.toSorted((a, b) => depth(b) - depth(a));
  if (depth(meant) === 0) return [issue];
  return meant.map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
}

function unknownInTopics(where: string, topics: DeckLabelInput['topics']): string[] {
  const inTopics = PROFILE_TOPICS.flatMap((topic) => {
    const label = topics?.[topic];
    const at = `${where}.${topic}`;
    if (label === undefined) return [];
    if (!Array.isArray(label)) {
      return [...unknownFields(at, label, absentSchema), ...unknownInPlaces(at, label.absent, 'absent')];
    }
    return label.flatMap((fact, i) => [
      ...unknownFields(`${at}.${i}`, fact, TOPIC_FACTS[topic]),
      ...unknownInPlaces(`${at}.${i}`, fact.places),
    ]);
  });
  return [...unknownFields(where, topics, topicsLabelSchema), ...inTopics];
}

const unknownInPlaces = (where: string, places: readonly object[] = [], name = 'places'): string[] =>
  places.flatMap((place, i) => unknownFields(`${where}.${name}.${i}`, place, placeSchema));

function unknownFields(where: string, value: object | null | undefined, schema: z.ZodObject): string[] {
  const known = Object.keys(schema.shape);
  return Object.keys(value ?? {})
    .filter((field) => !known.includes(field))
    .map((field) => {
      const meant = closestName(field, known);
      return `${where}: the field "${field}" is not known and is ignored.${meant === null ? '' : ` Did you mean "${meant}"?`}`;
    });
}
