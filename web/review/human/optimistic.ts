/** What a person says, as it is shown before the server has stored it. Without a library: it runs in the browser. */
import type { HumanVerdict, NewVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';

/** Ids of rows that are not stored yet begin with it. */
const PENDING = 'pending-';

/** True for a row that is not stored yet. */
export const isPending = ({ id }: Pick<HumanVerdict, 'id'>): boolean => id.startsWith(PENDING);

const textOf = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
};

type Said = Pick<HumanVerdict, 'subject' | 'item' | 'text' | 'amount' | 'currency' | 'isoDate' | 'score' | 'reason'>;

function saidBy(verdict: NewVerdict, id: string): Said {
  const nothing = { item: '', text: null, amount: null, currency: null, isoDate: null, score: null, reason: null };
  switch (verdict.kind) {
    case 'value':
      return {
        ...nothing,
        subject: verdict.subject,
        text: textOf(verdict.text),
        amount: verdict.amount ?? null,
        currency: verdict.currency ?? null,
        isoDate: verdict.isoDate ?? null,
        reason: textOf(verdict.reason),
      };
    case 'score':
      return { ...nothing, subject: verdict.subject, score: verdict.score, reason: textOf(verdict.reason) };
    case 'judgement':
      return { ...nothing, subject: verdict.subject, text: verdict.text, reason: textOf(verdict.reason) };
    case 'note':
      return { ...nothing, subject: verdict.subject, item: verdict.item ?? id, text: textOf(verdict.text) };
    case 'tag':
      return { ...nothing, subject: verdict.text.trim(), text: verdict.on ? verdict.text.trim() : null };
    case 'assignee':
      return { ...nothing, subject: 'deck', text: textOf(verdict.text) };
    case 'decision':
      return { ...nothing, subject: 'deck', text: verdict.decision, reason: textOf(verdict.reason) };
  }
}

/**
 * A history with one verdict more.
 *
 * @param verdict what is sent
 * @param by who says it and when, with a number that no other pending verdict has
 * @param about what the machine says there; a judgement holds only for that
 */
export function withPending(
  history: readonly HumanVerdict[],
  verdict: NewVerdict,
  by: { readonly author: string; readonly nowIso: string; readonly number: number },
  about: string | null = null,
): { readonly history: readonly HumanVerdict[]; readonly id: string } {
  const id = `${PENDING}${by.number}`;
  const said = saidBy(verdict, id);
  const row: HumanVerdict = {
    ...said,
    id,
    kind: verdict.kind,
    sequence: Math.max(0, ...history.map(({ sequence }) => sequence)) + 1,
    withdrawn: said.text === null && said.score === null,
    machine: { text: about, score: null },
    analysisId: null,
    author: by.author,
    createdAt: by.nowIso,
  };
  return { history: [...history, row], id };
}

/** The history once a pending verdict is stored, or refused (null). What is stored already is not there twice. */
export function withoutPending(
  history: readonly HumanVerdict[],
  id: string,
  stored: HumanVerdict | null,
): readonly HumanVerdict[] {
  const rest = history.filter((verdict) => verdict.id !== id);
  if (stored === null || rest.some((verdict) => verdict.id === stored.id)) return rest;
  return [...rest, stored].toSorted((a, b) => a.sequence - b.sequence);
}
