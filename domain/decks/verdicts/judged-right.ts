/** Values that a person called right. */
import type { HumanVerdict } from './human-verdict.ts';
import type { VerdictSubject } from './kinds.ts';
import { subjectOf } from './subject.ts';

/** What is needed of a row of the history. */
type SaidOfValue = Pick<HumanVerdict, 'subject' | 'sequence' | 'text'>;

/**
 * Values that a person confirmed: the newest thing said of them are the machine's own words. Such a verdict stands above what the machine
 * finds later.
 *
 * @param said Rows of kind `value`, in any order
 * @param values Words of the machine by field
 */
export function valuesJudgedRight(
  said: readonly SaidOfValue[],
  values: ReadonlyMap<string, string | null>,
): ReadonlySet<VerdictSubject> {
  const newest = new Map<string, SaidOfValue>();
  for (const row of said.toSorted((a, b) => a.sequence - b.sequence)) newest.set(row.subject, row);
  return new Set(
    [...values].flatMap(([field, machine]) => {
      const subject = subjectOf({ of: 'value', field });
      const text = newest.get(subject)?.text?.trim() ?? '';
      return text !== '' && text === machine?.trim() ? [subject] : [];
    }),
  );
}
