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

/** A function that says something about a deck. */
export function useSay(deckId: string): (verdict: NewVerdict) => void {
  const queries = useQueryClient();
  return useMemo(() => {
    const { queryKey } = verdictsQuery(deckId);
    const change = (next: (history: readonly HumanVerdict[]) => readonly HumanVerdict[]): void => {
      queries.setQueryData(queryKey, (history) => [...next(history ?? [])]);
    };
    const send = async (verdict: NewVerdict): Promise<void> => {
      // A reading that began before would show the state before.
      await queries.cancelQueries({ queryKey });
      const { name: author } = await queries.ensureQueryData(sessionQuery);
      const { history, id } = withPending(queries.getQueryData(queryKey) ?? [], verdict, {
        author,
        nowIso: new Date().toISOString(),
        number: nextNumber++,
      });
      change(() => history);
      try {
        const stored = await api.POST('/decks/{id}/verdicts', { params: { path: { id: deckId } }, body: verdict });
        change((current) => withoutPending(current, id, stored));
      } catch (error) {
        change((current) => withoutPending(current, id, null));
        tellError(asError(error));
      }
    };
    return (verdict) => void send(verdict);
  }, [queries, deckId]);
}
