/**
 * Which word of people on a line of a review holds, and which lines they called right.
 *
 * Without a library at run time, because pages import it.
 */
import type { HumanVerdict } from './human-verdict.ts';
import type { Judgement, VerdictSubject } from './kinds.ts';

/** A person's word on a line, as far as it says whether the line is right. */
interface Said {
  readonly text: string | null;
  /** Words of the machine at that time. */
  readonly machineText: string | null;
}

/**
 * The word of people on a line of the machine: a judgement on these very words that was not taken back decides alone; else a value is right that
 * a person confirmed, with the machine's own words as its correction. Null where neither is there.
 *
 * @param machine the value, the answer or the summary
 * @param judgement the newest judgement on the line
 * @param value the newest correction of the value
 */
export function judgementOfLine(
  machine: string | null,
  { judgement, value }: { readonly judgement?: Said | undefined; readonly value?: Pick<Said, 'text'> | undefined },
): Judgement | null {
  const words = machine?.trim() ?? '';
  if (words === '') return null;
  const said = judgement?.machineText?.trim() === words ? judgement.text : null;
  if (said === 'right' || said === 'wrong') return said;
  return value?.text?.trim() === words ? 'right' : null;
}

/** Row of the history. */
interface SaidOfLine extends Said, Pick<HumanVerdict, 'sequence'> {
  readonly kind: string;
  readonly subject: string;
}

/**
 * Lines that a person called right, by {@link judgementOfLine}. Such a verdict stands above what the machine finds later.
 *
 * @param said Rows of kind `value` and `judgement`, in any order
 * @param lines Words of the machine by what they are about: the value, the answer or the summary
 */
export function linesJudgedRight(
  said: readonly SaidOfLine[],
  lines: ReadonlyMap<VerdictSubject, string | null>,
): ReadonlySet<VerdictSubject> {
  const newest = new Map<string, SaidOfLine>();
  for (const row of said.toSorted((a, b) => a.sequence - b.sequence)) newest.set(`${row.kind} ${row.subject}`, row);
  const judgementOn = (subject: VerdictSubject, machine: string | null): Judgement | null =>
    judgementOfLine(machine, {
      judgement: newest.get(`judgement ${subject}`),
      value: newest.get(`value ${subject}`),
    });
  return new Set([...lines].flatMap(([subject, text]) => (judgementOn(subject, text) === 'right' ? [subject] : [])));
}
