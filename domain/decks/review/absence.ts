/** Why something of a deck is not there. Without a library at run time: the pages of the workspace import it. */
import type { ValueState } from '../../evidence/value-state.ts';
import type { ReadingStatus, ReportQuestion, ValueStatus } from '../report.ts';

/** Why there is no value: a state other than `found`, or it was not asked for, is not computed yet, or could not be computed. */
export type Absence = Exclude<ValueState, 'found'> | 'not_asked' | 'pending' | 'failed';

/** Why a value is missing, by its status. */
export function absenceOf(status: ValueStatus | ReadingStatus): Absence {
  switch (status) {
    case 'found':
    case 'analysed':
    case 'classified':
      return 'not_found';
    case 'not_found':
    case 'stated_absent':
    case 'not_supported':
    case 'unreadable':
    case 'pending':
    case 'not_asked':
    case 'failed':
      return status;
    case 'skipped':
      return 'not_asked';
    case 'unparseable':
      return 'failed';
  }
}

/** Words of a value that are shown; null without one, and for one that is kept though its own check does not support it. */
export const shownValue = ({ raw, status }: { readonly raw: string | null; readonly status: string }): string | null =>
  status === 'not_supported' ? null : raw;

/** Why a question has no answer; null where an answer was found, whether it was scored or not. */
export function absenceOfQuestion({ status, state }: Pick<ReportQuestion, 'status' | 'state'>): Absence | null {
  if (state !== null) return state === 'found' ? null : state;
  return status === 'answered' || status === 'scored' ? 'not_found' : absenceOf(status);
}
