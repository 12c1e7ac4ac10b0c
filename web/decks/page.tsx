/** The start page: the list of decks. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Failed, Loading } from '../ui/states.tsx';
import { decksQuery } from './queries.ts';

/** The page. */
export function DecksPage() {
  const search = useSearch({ from: '/' });
  const { data, error, refetch } = useInfiniteQuery(decksQuery(search));
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <ul>
      {data.pages.flatMap((page) =>
        page.items.map((deck) => (
          <li key={deck.id}>
            <Link to="/decks/$deckId" params={{ deckId: deck.id }}>
              {deck.fileName}
            </Link>
          </li>
        )),
      )}
    </ul>
  );
}
