/**
 * Human verdicts: what people say beside what the machine says. Append-only; a change or withdrawal is a new row, and nothing that the
 * machine said is overwritten.
 */
import { z } from 'zod';
import { DECISIONS, JUDGEMENTS, VERDICT_KINDS } from './kinds.ts';

const text = z.string();

/** A verdict as it is stored and shown, one row of the history. */
export const humanVerdictSchema = z.object({
  id: text,
  /** Order in which things were said. */
  sequence: z.int(),
  kind: z.enum(VERDICT_KINDS),
  /** What it is about; see {@link VerdictSubject}. A tag: the tag. */
  subject: text,
  /** Id of the first row of a note, which its later forms carry; empty for other kinds. */
  item: text,
  /** Corrected words, note, tag, assignee, decision, `right` or `wrong`; null for a score, and where it is withdrawn. */
  text: text.nullable(),
  amount: z.number().nullable(),
  currency: text.nullable(),
  /** ISO 8601 date, month or year of a corrected date. */
  isoDate: text.nullable(),
  score: z.int().min(0).max(7).nullable(),
  reason: text.nullable(),
  /** True for a row that takes back what was said before. */
  withdrawn: z.boolean(),
  /** Words of the machine at that time; the text of a judgement is the value, answer or summary that was judged. */
  machine: z.object({ text: text.nullable(), score: z.number().nullable() }),
  analysisId: text.nullable(),
  author: text,
  createdAt: z.iso.datetime(),
});
export type HumanVerdict = z.infer<typeof humanVerdictSchema>;

const reason = text.trim().max(2000).nullable().default(null);
const subject = text.min(1).max(200);
const shown = text.max(100).nullable().default(null);

/** What a person sends: one verdict. Null or an empty text withdraws what was said. */
export const newVerdictSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('value'),
    subject,
    text: text.trim().max(500).nullable(),
    amount: z.number().min(0).max(1e15).nullable().default(null),
    currency: text
      .regex(/^[A-Z]{3}$/)
      .nullable()
      .default(null),
    isoDate: text
      .regex(/^\d{4}(?:-\d{2}(?:-\d{2})?)?$/)
      .nullable()
      .default(null),
    reason,
    /** The analysis that was shown. */
    analysisId: shown,
  }),
  z.strictObject({
    kind: z.literal('score'),
    subject,
    score: z.int().min(0).max(7).nullable(),
    reason,
    analysisId: shown,
  }),
  z.strictObject({
    kind: z.literal('judgement'),
    /** A value, a question or a reading. */
    subject,
    text: z.enum(JUDGEMENTS).nullable(),
    reason,
    analysisId: shown,
  }),
  z.strictObject({
    kind: z.literal('note'),
    subject,
    text: text.trim().max(5000).nullable(),
    /** The note that is changed or withdrawn; null for a new one. */
    item: text.max(100).nullable().default(null),
    analysisId: shown,
  }),
  z.strictObject({ kind: z.literal('tag'), text: text.trim().min(1).max(50), on: z.boolean() }),
  z.strictObject({ kind: z.literal('assignee'), text: text.trim().max(100).nullable() }),
  z.strictObject({ kind: z.literal('decision'), decision: z.enum(DECISIONS).nullable(), reason }),
]);
export type NewVerdict = z.input<typeof newVerdictSchema>;
/** The same with its defaults. */
export type ParsedVerdict = z.output<typeof newVerdictSchema>;
