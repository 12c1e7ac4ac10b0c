/** What can be done with decks: one request each, and the same for many with an outcome for each. */
import type { DeckEntry, EntryStatus } from '../../../domain/decks/list/entry.ts';
import type { NewVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { api, asError } from '../../request.ts';
import { currentChoices } from '../uploads/choices.ts';

/** How much of a review is computed: what is stored stands; only what is missing; everything anew. */
export const REVIEW_SCOPES = ['stored', 'gaps', 'anew'] as const;
export type ReviewScope = (typeof REVIEW_SCOPES)[number];

/** Something to do with each of some decks. */
export type Action =
  | {
      readonly kind: 'review';
      readonly scope: ReviewScope;
      /** Null: that of the review before, for a deck without one that of the page. */
      readonly language: Language | null;
      /** Null: that of the review before, for a deck without one the normal one. */
      readonly priority: number | null;
    }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'priority'; readonly priority: number }
  | { readonly kind: 'verdicts'; readonly verdicts: readonly NewVerdict[] }
  | { readonly kind: 'delete' };

/** A deck for which an action failed. */
export interface Failure {
  readonly deck: DeckEntry;
  readonly error: Error;
}

const AT_A_TIME = 4;
const REPLAY_BODIES = {
  stored: { kind: 'full' },
  gaps: { kind: 'gaps' },
  anew: { kind: 'full', from: 'slides' },
} as const satisfies Record<ReviewScope, object>;

const UNDER_WAY: readonly EntryStatus[] = ['queued', 'running'];

/** Whether the newest review of a deck is not over. */
export const isUnderWay = ({ status }: DeckEntry): boolean => UNDER_WAY.includes(status);

/** Whether an action makes sense for a deck. */
export function fitsDeck(kind: Action['kind'], deck: DeckEntry): boolean {
  switch (kind) {
    case 'cancel':
    case 'priority':
      return isUnderWay(deck);
    case 'review':
      return !isUnderWay(deck);
    case 'verdicts':
    case 'delete':
      return true;
  }
}

/** The path of a deck or an analysis as the calls take it. */
const of = ({ id }: { readonly id: string }) => ({ path: { id } });

/**
 * Does it with one deck.
 *
 * @throws RequestError
 */
export async function perform(action: Action, deck: DeckEntry): Promise<void> {
  switch (action.kind) {
    case 'review':
      await reviewAgain(action, deck);
      return;
    case 'cancel':
      if (deck.analysis !== null) await api.POST('/analyses/{id}/cancel', { params: of(deck.analysis) });
      return;
    case 'priority':
      if (deck.analysis !== null)
        await api.POST('/analyses/{id}/priority', { params: of(deck.analysis), body: { priority: action.priority } });
      return;
    case 'verdicts':
      for (const verdict of action.verdicts)
        await api.POST('/decks/{id}/verdicts', { params: of(deck), body: verdict });
      return;
    case 'delete':
      await api.DELETE('/decks/{id}', { params: of(deck) });
  }
}

async function reviewAgain(
  { scope, language, priority }: Extract<Action, { kind: 'review' }>,
  deck: DeckEntry,
): Promise<void> {
  const { analysis } = deck;
  const isSameLanguage = language === null || language === analysis?.language;
  if (analysis !== null && isSameLanguage) {
    const body = { ...REPLAY_BODIES[scope], ...(priority === null ? {} : { priority }) };
    await api.POST('/analyses/{id}/replay', { params: of(analysis), body });
    return;
  }
  const choices = currentChoices();
  const body = {
    language: language ?? choices.language,
    priority: priority ?? analysis?.priority ?? choices.priority,
  };
  await api.POST('/decks/{id}/analyses', { params: of(deck), body });
}

/**
 * Does it with all of them, some at a time.
 *
 * @returns those it failed for, in the order of the decks
 */
export async function performOnAll(action: Action, decks: readonly DeckEntry[]): Promise<readonly Failure[]> {
  const errors = new Map<string, Error>();
  const rest = [...decks];
  const work = async (): Promise<void> => {
    for (let deck = rest.shift(); deck !== undefined; deck = rest.shift()) {
      try {
        await perform(action, deck);
      } catch (error) {
        errors.set(deck.id, asError(error));
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return decks.flatMap((deck) => {
    const error = errors.get(deck.id);
    return error === undefined ? [] : [{ deck, error }];
  });
}
