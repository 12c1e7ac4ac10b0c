/** A review beside its slides. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { deckQuery } from '../decks/queries.ts';
import { Failed, Loading } from '../ui/states.tsx';

/** The page. */
export function ReviewPage() {
  const { deckId } = useParams({ from: '/decks/$deckId' });
  const { data: deck, error, refetch } = useQuery(deckQuery(deckId));
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (deck === undefined) return <Loading />;
  return <h1>{deck.company?.name ?? deck.fileName}</h1>;
}
