/** Starts a run that computes only what is missing. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { KEYS } from '../../live/cache.ts';
import { api } from '../../request.ts';
import { tell, tellError } from '../../ui/toast.tsx';
import { useWords } from '../../words/language.ts';
import { useReviewTools } from '../tools.ts';
import { runWords } from './words.ts';

/** A function that starts it for the review that is shown. */
export function useFillGaps(): () => void {
  const { deckId, analysisId } = useReviewTools();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const words = useWords(runWords);
  const start = async (): Promise<void> => {
    try {
      await api.POST('/analyses/{id}/replay', { params: { path: { id: analysisId } }, body: { kind: 'gaps' } });
      tell(words.fillStarted);
      await queries.invalidateQueries({ queryKey: KEYS.deck(deckId) });
      // The newest run is shown from now on, not the one in the address.
      await navigate({ to: '/decks/$deckId', params: { deckId }, search: {}, resetScroll: false });
    } catch (error) {
      tellError(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return () => void start();
}
