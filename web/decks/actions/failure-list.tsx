/** Decks for which something could not be done, each with the reason. */
import { RequestError } from '../../request.ts';
import { deckName } from '../list/names.ts';
import type { Failure } from './perform.ts';

/** The list. */
export const FailureList = ({ failures }: { readonly failures: readonly Failure[] }) => (
  <ul className="flex flex-col gap-2 text-sm">
    {failures.map(({ deck, error }) => (
      <li key={deck.id} className="border-l-2 border-bad pl-3">
        <span className="font-medium break-words">{deckName(deck)}</span>
        <span className="block break-words">{error.message}</span>
        {error instanceof RequestError && error.hint !== null ? (
          <span className="block break-words text-soft">{error.hint}</span>
        ) : null}
      </li>
    ))}
  </ul>
);
