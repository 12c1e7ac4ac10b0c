/** Human verdicts for tests. */
import type { HumanVerdict } from '../domain/decks/verdicts/human-verdict.ts';

let rows = 0;
/** A verdict of a person, after everything that was said before; a withdrawal where it says nothing. */
export function said(values: Partial<HumanVerdict>): HumanVerdict {
  rows += 1;
  const verdict: HumanVerdict = {
    id: `row-${rows}`,
    sequence: rows,
    kind: 'value',
    subject: 'deck',
    item: '',
    text: null,
    amount: null,
    currency: null,
    isoDate: null,
    score: null,
    reason: null,
    withdrawn: false,
    machine: { text: null, score: null },
    analysisId: null,
    author: 'Ada',
    createdAt: '2026-11-21T12:00:00.000Z',
    ...values,
  };
  return { ...verdict, withdrawn: verdict.text === null && verdict.score === null };
}
