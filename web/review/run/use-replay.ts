/** Starts another run of the review that is shown. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { KEYS } from '../../live/cache.ts';
import { api, asError } from '../../request.ts';
import { tell, tellError } from '../../ui/toast.tsx';
import { useReviewTools } from '../tools.ts';

/**
 * A function that starts a run: `gaps` computes only what had failed, `full` everything that is not stored.
 *
 * @param started told as soon as it is
 */
export function useReplay(kind: 'gaps' | 'full', started: string): () => void {
  const { deckId, analysisId } = useReviewTools();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const start = async (): Promise<void> => {
    try {
      await api.POST('/analyses/{id}/replay', { params: { path: { id: analysisId } }, body: { kind } });
      tell(started);
      await queries.invalidateQueries({ queryKey: KEYS.deck(deckId) });
      // The newest run is shown from now on, not the one in the address.
      await navigate({ to: '/decks/$deckId', params: { deckId }, search: {}, resetScroll: false });
    } catch (error) {
      tellError(asError(error));
    }
  };
  return () => void start();
}
