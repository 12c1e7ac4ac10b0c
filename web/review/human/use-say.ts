/** Sends what a person says. The page shows it at once and takes it back when it could not be stored. */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { HumanVerdict, NewVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import { api, asError } from '../../request.ts';
import { sessionQuery } from '../../shell/session.ts';
import { tellError } from '../../ui/toast.tsx';
import { verdictsQuery } from '../queries.ts';
import { withoutPending, withPending } from './optimistic.ts';

let nextNumber = 1;

/** Says something about a deck. @param about what the machine says there, for a judgement on it */
export type Say = (verdict: NewVerdict, about?: string) => void;

/** A function that says something about a deck. */
export function useSay(deckId: string): Say {
  const queries = useQueryClient();
  return useMemo(() => {
    const { queryKey } = verdictsQuery(deckId);
    const change = (next: (history: readonly HumanVerdict[]) => readonly HumanVerdict[]): void => {
      queries.setQueryData(queryKey, (history) => [...next(history ?? [])]);
    };
    const send = async (verdict: NewVerdict, about: string | null): Promise<void> => {
      // A reading that began before would show the state before.
      await queries.cancelQueries({ queryKey });
      const { name: author } = await queries.ensureQueryData(sessionQuery);
      const by = { author, nowIso: new Date().toISOString(), number: nextNumber++ };
      const { history, id } = withPending(queries.getQueryData(queryKey) ?? [], verdict, by, about);
      change(() => history);
      try {
        const stored = await api.POST('/decks/{id}/verdicts', { params: { path: { id: deckId } }, body: verdict });
        change((current) => withoutPending(current, id, stored));
      } catch (error) {
        change((current) => withoutPending(current, id, null));
        tellError(asError(error));
      }
    };
    return (verdict, about) => void send(verdict, about ?? null);
  }, [queries, deckId]);
}
