/** Lines of a review that a person called right. */
import type { HumanVerdict } from './human-verdict.ts';
import type { VerdictSubject } from './kinds.ts';

/** What is needed of a row of the history. */
interface SaidOfLine extends Pick<HumanVerdict, 'sequence' | 'text'> {
  readonly kind: string;
  readonly subject: string;
  /** What the machine said then. */
  readonly machineText: string | null;
}

/**
 * Lines that a person confirmed: the newest judgement on the machine's very words is "right", or the newest correction of a value are the
 * machine's own words. Such a verdict stands above what the machine finds later.
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
  const isRight = (subject: VerdictSubject, machine: string): boolean => {
    const judgement = newest.get(`judgement ${subject}`);
    if (judgement?.text === 'right' && judgement.machineText?.trim() === machine) return true;
    return newest.get(`value ${subject}`)?.text?.trim() === machine;
  };
  return new Set(
    [...lines].flatMap(([subject, text]) => {
      const machine = text?.trim() ?? '';
      return machine !== '' && isRight(subject, machine) ? [subject] : [];
    }),
  );
}
